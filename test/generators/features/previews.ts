/**
 * @module Previews: a link, and what its token shows.
 */
import fc from 'fast-check';
import type { Registry } from '../../../src/schema/model.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { requested, type Step } from '../step.ts';
import { documentFor, either, hasDrafts, isSingle, readQuery, type Subject, withQuery } from '../subject.ts';

const DEFAULT = 'https://site.example/{documentId}?token={token}';

/** Every type with drafts has previews, which show drafts of the others. */
export function previewOf({ contentTypes }: Registry): SettingsInput {
  const types = [...contentTypes.values()].filter((type) => hasDrafts(type) && !type.system && !isSingle(type));
  const populate = types.map(({ uid }) => uid);
  return { preview: Object.fromEntries(populate.map((uid) => [uid, { url: DEFAULT, populate }])) };
}

/** A link, and reads with its token: of the document, and of another one. */
export const previews = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  documentFor(subject, 'previewLink', hasDrafts).chain((one) =>
    either(2, fc.constant(one), documentFor(subject, 'findOne', hasDrafts)).chain(({ type, path }) =>
      readQuery(subject, type).map((query): readonly Step[] => [
        requested({ method: 'POST', path: `${one.path}/actions/preview-link` }),
        requested({ method: 'GET', path: withQuery(path, query), isPreview: true }),
      ]),
    ),
  );

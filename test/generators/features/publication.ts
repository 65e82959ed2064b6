/**
 * @module Publication, now and at a time to come.
 */
import fc from 'fast-check';
import type { Planned } from '../step.ts';
import {
  documentFor,
  documentQuery,
  either,
  hasDrafts,
  localeIn,
  pathOf,
  type Requests,
  singleOf,
  withQuery,
} from '../subject.ts';

const ACTIONS = { publish: 'publish', unpublish: 'unpublish', discardDraft: 'discard-draft' } as const;
const action = fc.constantFrom('publish', 'publish', 'unpublish', 'discardDraft' as const);
const singleAction: Requests = (subject) =>
  fc
    .tuple(singleOf(subject), fc.constantFrom(...Object.values(ACTIONS)), fc.constantFrom('', '', 'locale=fr'))
    .map(([type, name, locale]) => ({ method: 'POST', path: withQuery(`${pathOf(type)}/actions/${name}`, locale) }));

export const publication: Requests = (subject) =>
  either(
    12,
    action.chain((name) =>
      documentFor(subject, name, hasDrafts).chain(({ type, path, locales }) =>
        fc.tuple(documentQuery(subject, type), localeIn(locales)).map((queries) => ({
          method: 'POST',
          path: withQuery(`${path}/actions/${ACTIONS[name]}`, ...queries),
        })),
      ),
    ),
    singleAction(subject),
  );

/** The first two come in the course of a sequence, where there is one; the last is to come in any world. */
const at = either(
  1,
  fc.constantFrom('2026-06-01T12:03:00.000Z', '2026-06-01T12:30:00.000Z', '2020-01-01T00:00:00.000Z'),
  fc.constant('2999-01-01T00:00:00.000Z'),
);

const scheduled = (action: string, path: string): fc.Arbitrary<Planned> =>
  fc.tuple(at, fc.constantFrom('', '', '', '', 'locale=fr', 'locale=de')).map(([time, locale]) => ({
    method: 'POST',
    path: withQuery(`${path}/actions/${action}`, locale),
    json: { data: { at: time } },
  }));

export const schedule: Requests = (subject) =>
  fc.constantFrom('publish', 'unpublish').chain((name) =>
    either(
      8,
      documentFor(subject, name, hasDrafts).chain(({ path }) => scheduled(name, path)),
      singleOf(subject).chain((type) => scheduled(name, pathOf(type))),
    ),
  );

export const entries: Requests = ({ hiddenEntry }) =>
  fc.oneof(
    fc.constant({ method: 'GET', path: '/api/scheduled' }),
    fc
      .oneof(hiddenEntry, fc.constant('{entry}'))
      .map((entry) => ({ method: 'DELETE', path: `/api/scheduled/${entry}` })),
  );

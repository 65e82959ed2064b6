/**
 * @module Writes of documents: alone, with the headers that make them conditional or repeatable, and in batches.
 */
import fc from 'fast-check';
import type { ContentType } from '../../../src/schema/model.ts';
import { type Planned, requested, type Step } from '../step.ts';
import {
  documentFor,
  documentQuery,
  either,
  localeIn,
  pathOf,
  type Requests,
  type Subject,
  singleOf,
  withQuery,
} from '../subject.ts';
import { publication, schedule } from './publication.ts';
import { read } from './reads.ts';

const status = fc.constantFrom('', '', 'status=draft', 'status=published');
const nothing = fc.constant('');

export const create: Requests = (subject) =>
  subject
    .typeFor('create')
    .chain((type) =>
      fc
        .tuple(
          subject.bodyOf(type, 'create'),
          either(2, nothing, documentQuery(subject, type)),
          ...[status, fc.constantFrom('', '', 'locale=fr')],
        )
        .map(([data, ...queries]) => ({ method: 'POST', path: withQuery(pathOf(type), ...queries), json: { data } })),
    );

const changed = (
  subject: Subject,
  type: ContentType,
  path: string,
  locales: readonly string[],
): fc.Arbitrary<Planned> =>
  fc
    .tuple(
      subject.bodyOf(type, 'update'),
      either(2, nothing, documentQuery(subject, type)),
      ...[status, localeIn(locales)],
    )
    .map(([data, ...queries]) => ({ method: 'PUT', path: withQuery(path, ...queries), json: { data } }));

export const update: Requests = (subject) =>
  either(
    10,
    documentFor(subject, 'update').chain(({ type, path, locales }) => changed(subject, type, path, locales)),
    singleOf(subject).chain((type) => changed(subject, type, pathOf(type), ['fr', 'de'])),
  );

export const remove: Requests = (subject) =>
  documentFor(subject, 'delete').chain(({ type, path, locales }) =>
    fc
      .tuple(
        // All locales at once reveal a hidden one.
        fc.constantFrom('', '', 'locale=fr', 'locale=de', ...(locales.includes('fr') ? ['locale=*'] : [])),
        either(3, nothing, subject.grammarOf(type).filter),
        either(3, fc.constant({}), fc.constant({ headers: { 'if-none-match': '*' } })),
      )
      .map(([locale, filter, more]) => ({ method: 'DELETE', path: withQuery(path, locale, filter), ...more })),
  );

/** A write with the tag of its document, or of what else was read before. */
export const matching = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      either(2, fc.constant(undefined), read(subject)),
      fc.oneof(update(subject), remove(subject), publication(subject), schedule(subject)),
      fc.constantFrom('if-match', 'if-match', 'if-none-match'),
      fc.constantFrom('{etag}', '{etag}', '*', '"0000000000000000"'),
    )
    .map(([other, next, header, tag]) => [
      requested(other ?? { method: 'GET', path: next.path.replace(/(\/actions\/.*|\?.*)$/, '') }),
      requested({ ...next, headers: { ...next.headers, [header]: tag } }),
    ]);

/** A body that is longer than stored responses may be. */
const huge: Requests = ({ typeFor }) =>
  typeFor('create').map((type) => {
    const isLong = ({ kind, type: scalar }: { kind: string; type?: string }) =>
      kind === 'scalar' && scalar === 'richtext';
    const long = [...type.attributes.values()].find(isLong)?.name ?? 'body';
    return { method: 'POST', path: pathOf(type), json: { data: { [long]: '{huge}' } } };
  });

/** A write with a key, after which the document may be hidden; its repeat shows nothing of it then. */
export const keyed = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  fc.tuple(either(4, create(subject), huge(subject)), fc.boolean()).map(([request, hides]) => {
    const key = `key-${JSON.stringify(request).length}`;
    const step = requested({ ...request, headers: { 'idempotency-key': key } });
    return [step, ...(hides ? [{ kind: 'hide' } as const] : []), step];
  });

const referring = (json: unknown, index: number): unknown =>
  JSON.parse(JSON.stringify(json).replaceAll('{new}', `$ref:${Math.max(0, index - 1)}`));

export const batch: Requests = (subject) =>
  fc
    .tuple(
      fc.array(fc.oneof(create(subject), update(subject), update(subject), remove(subject)), {
        minLength: 1,
        maxLength: 4,
      }),
      either(5, fc.constant({}), fc.constant({ headers: { 'idempotency-key': 'batch' } })),
      either(5, fc.constant({}), fc.constant({ ifNoneMatch: '*' })),
    )
    .map(([requests, more, tags]) => ({
      method: 'POST',
      path: '/api/batch',
      ...more,
      json: {
        requests: requests.map(({ method, path, json }, index) => ({
          method,
          path,
          ...(json !== undefined && { body: referring(json, index) }),
          ...(method !== 'POST' && tags),
        })),
      },
    }));

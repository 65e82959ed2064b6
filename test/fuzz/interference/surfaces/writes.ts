/**
 * @module Writes of documents: alone, with the headers that make them conditional or repeatable, and in batches.
 */
import fc from 'fast-check';
import { bodyOf } from '../bodies.ts';
import { type CallerName, HIDDEN_FRENCH, nameOf } from '../names.ts';
import { documentQuery } from '../queries.ts';
import {
  collection,
  documentPath,
  either,
  grammarNamed,
  type Requests,
  SINGLES,
  typeFor,
  withQuery,
  writtenLocale,
} from '../requests.ts';
import { described, type Planned, requested, type Step } from '../step.ts';
import { publication, schedule } from './publication.ts';
import { read } from './reads.ts';

const status = fc.constantFrom('', '', 'status=draft', 'status=published');
const nothing = fc.constant('');

export const create: Requests = (caller) =>
  typeFor(caller, 'create').chain((type) =>
    fc
      .tuple(
        bodyOf(type, caller, 'create'),
        either(2, nothing, documentQuery(grammarNamed(type, caller))),
        ...[status, fc.constantFrom('', '', 'locale=fr')],
      )
      .map(([data, ...queries]) => ({ method: 'POST', path: withQuery(collection(type), ...queries), json: { data } })),
  );

const changed = (caller: CallerName, type: string, name: string, path: string): fc.Arbitrary<Planned> =>
  fc
    .tuple(
      bodyOf(type, caller, 'update'),
      either(2, nothing, documentQuery(grammarNamed(type, caller))),
      ...[status, writtenLocale(name)],
    )
    .map(([data, ...queries]) => ({ method: 'PUT', path: withQuery(path, ...queries), json: { data } }));

export const update: Requests = (caller) =>
  either(
    10,
    typeFor(caller, 'update').chain((type) =>
      nameOf(type).chain((name) => changed(caller, type, name, documentPath(type, name))),
    ),
    fc.constantFrom(...SINGLES).chain((name) => changed(caller, name, name, `/api/${name}`)),
  );

export const remove: Requests = (caller) =>
  typeFor(caller, 'delete').chain((type) =>
    nameOf(type).chain((name) =>
      fc
        .tuple(
          // All locales at once reveal a hidden one.
          fc.constantFrom('', '', 'locale=fr', 'locale=de', ...(HIDDEN_FRENCH.includes(name) ? [] : ['locale=*'])),
          either(3, nothing, grammarNamed(type, caller).filter),
          either(3, fc.constant({}), fc.constant({ headers: { 'if-none-match': '*' } })),
        )
        .map(([locale, filter, more]) => ({
          method: 'DELETE',
          path: withQuery(documentPath(type, name), locale, filter),
          ...more,
        })),
    ),
  );

/** A write with the tag of what was read before. */
export const matching = (caller: CallerName): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      read(caller),
      fc.oneof(update(caller), remove(caller), publication(caller), schedule(caller)),
      fc.constantFrom('if-match', 'if-match', 'if-none-match'),
      fc.constantFrom('{etag}', '*', '"0000000000000000"'),
    )
    .map(([first, next, header, tag]) => [
      requested(first),
      requested({ ...next, headers: { ...next.headers, [header]: tag } }),
    ]);

/** A body that is longer than stored responses may be. */
const huge: fc.Arbitrary<Planned> = fc.constant({
  method: 'POST',
  path: '/api/stories',
  json: { data: { body: '{huge}' } },
});

/** A write with a key, after which the document may be hidden; its repeat shows nothing of it then. */
export const keyed = (caller: CallerName): fc.Arbitrary<readonly Step[]> =>
  fc.tuple(either(4, create(caller), huge), fc.boolean()).map(([request, hides]) => {
    const key = `key-${described(requested(request)).length}`;
    const step = requested({ ...request, headers: { 'idempotency-key': key } });
    return [step, ...(hides ? [{ kind: 'hide' } as const] : []), step];
  });

const referring = (json: unknown, index: number): unknown =>
  JSON.parse(JSON.stringify(json).replaceAll('{new}', `$ref:${Math.max(0, index - 1)}`));

export const batch: Requests = (caller) =>
  fc
    .tuple(
      fc.array(fc.oneof(create(caller), update(caller), update(caller), remove(caller)), {
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

/**
 * @module Reads of documents: lists and single ones, again, and after others.
 */
import fc from 'fast-check';
import { type CallerName, nameOf } from '../names.ts';
import { listQuery, readQuery } from '../queries.ts';
import { collection, documentPath, grammarNamed, type Requests, SINGLES, typeFor, withQuery } from '../requests.ts';
import { type Planned, requested, type Step } from '../step.ts';

const format = fc.constantFrom({}, {}, {}, { headers: { 'strapi-response-format': 'v4' } });
const method = fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'HEAD');

const list: Requests = (caller) =>
  typeFor(caller, 'find').chain((type) =>
    fc
      .tuple(method, listQuery(grammarNamed(type, caller)), format)
      .map(([verb, query, more]) => ({ method: verb, path: withQuery(collection(type), query), ...more })),
  );

const one: Requests = (caller) =>
  typeFor(caller, 'findOne').chain((type) =>
    fc
      .tuple(nameOf(type), readQuery(grammarNamed(type, caller)))
      .map(([name, query]) => ({ method: 'GET', path: withQuery(documentPath(type, name), query) })),
  );

const single: Requests = (caller) =>
  fc
    .constantFrom(...SINGLES)
    .chain((name) =>
      readQuery(grammarNamed(name, caller)).map((query) => ({ method: 'GET', path: withQuery(`/api/${name}`, query) })),
    );

export const read: Requests = (caller) =>
  fc.oneof(
    { weight: 6, arbitrary: list(caller) },
    { weight: 3, arbitrary: one(caller) },
    { weight: 1, arbitrary: single(caller) },
  );

/** The same read again, and with the tag of the first one. */
export const repeated = (caller: CallerName): fc.Arbitrary<readonly Step[]> =>
  read(caller).map((request) => [
    requested(request),
    requested(request),
    requested({ ...request, headers: { ...request.headers, 'if-none-match': '{etag}' } }),
  ]);

/** A read that somebody who sees more has just made. */
export const cached = (caller: CallerName): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(read(caller), fc.constantFrom('full', 'edda', 'zoe', 'public'))
    .map(([request, other]): readonly Step[] => [{ kind: 'other', request, caller: other }, requested(request)]);

/** The other surfaces of what is there. */
export const descriptions: fc.Arbitrary<Planned> = fc.constantFrom(
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/api/i18n/locales' },
  { method: 'GET', path: '/api/content-type-builder/content-types' },
);

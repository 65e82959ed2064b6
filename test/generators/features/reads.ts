/**
 * @module Reads of documents: lists and single ones, again, and after others.
 */
import fc from 'fast-check';
import { namesDocuments } from '../../../src/schema/lookup.ts';
import { type Planned, requested, type Step } from '../step.ts';
import {
  documentFor,
  either,
  listQuery,
  pathOf,
  plainQuery,
  type Requests,
  readQuery,
  type Subject,
  singleOf,
  withQuery,
} from '../subject.ts';

const format = fc.constantFrom({}, {}, {}, { headers: { 'strapi-response-format': 'v4' } });
const READING = ['GET', 'GET', 'GET', 'GET', 'GET', 'HEAD'];
const method = fc.constantFrom(...READING);

const list: Requests = (subject) =>
  subject
    .typeFor('find')
    .chain((type) =>
      fc
        .tuple(method, either(2, plainQuery(subject, type), listQuery(subject, type)), format)
        .map(([verb, query, more]) => ({ method: verb, path: withQuery(pathOf(type), query), ...more })),
    );

const one: Requests = (subject) =>
  documentFor(subject, 'findOne').chain(({ type, path }) =>
    readQuery(subject, type).map((query) => ({ method: 'GET', path: withQuery(path, query) })),
  );

const single: Requests = (subject) =>
  singleOf(subject).chain((type) =>
    readQuery(subject, type).map((query) => ({ method: 'GET', path: withQuery(pathOf(type), query) })),
  );

/** A list of unique values, and the document that has the last one; nothing writes by them. */
export const lookups = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  subject
    .typeFor('find', (type) => [...type.attributes.values()].some(namesDocuments))
    .chain((type) => {
      const all = [...type.attributes.values()];
      const unique = all.filter(namesDocuments).map(({ name }) => name);
      const any = fc.constantFrom(...all.map(({ name }) => name), 'id', 'documentId');
      return fc.tuple(
        fc.constantFrom(...READING, 'PUT', 'DELETE'),
        unique.length > 0 ? either(5, fc.constantFrom(...unique), any) : any,
        either(
          3,
          fc.constant('{value}'),
          fc.constantFrom(...subject.words.map(encodeURIComponent), 'own-1', 'one', '1'),
        ),
        either(2, fc.constant(''), readQuery(subject, type)).map((query) => ({ path: pathOf(type), query })),
      );
    })
    .map(([verb, name, value, { path, query }]) =>
      [
        { method: 'GET', path: `${path}?fields=${name}` },
        { method: verb, path: withQuery(`${path}/${name}:${value}`, query) },
      ].map(requested),
    );

export const read: Requests = (subject) =>
  fc.oneof(
    { weight: 6, arbitrary: list(subject) },
    { weight: 3, arbitrary: one(subject) },
    { weight: 1, arbitrary: single(subject) },
  );

/** The same read again, and with the tag of the first one. */
const again = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  read(subject).map((request) => [
    requested(request),
    requested(request),
    requested({ ...request, headers: { ...request.headers, 'if-none-match': '{etag}' } }),
  ]);

/** The first page of a list, and the one behind its cursor. */
const paged = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  subject.typeFor('find').chain((type) =>
    plainQuery(subject, type).map((query) =>
      ['', '{cursor}'].map((after) => {
        const path = withQuery(pathOf(type), query, `pagination[limit]=2&pagination[after]=${after}`);
        return requested({ method: 'GET', path });
      }),
    ),
  );

export const repeated = (subject: Subject): fc.Arbitrary<readonly Step[]> => fc.oneof(again(subject), paged(subject));

/** A read that somebody who sees more has just made. */
export const cached = (subject: Subject): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(read(subject), fc.constantFrom(...subject.others))
    .map(([request, other]): readonly Step[] => [{ kind: 'other', request, caller: other }, requested(request)]);

/** The other surfaces of what is there. */
export const descriptions: fc.Arbitrary<Planned> = fc.constantFrom(
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/api/i18n/locales' },
  { method: 'GET', path: '/api/content-type-builder/content-types' },
);

/**
 * @module Requests of every shape: each parameter in turn takes what it should and what it should not.
 */
import fc from 'fast-check';
import { LOGIC, OPERATORS } from '../../src/content/request/operators.ts';
import type { Attribute, ContentType } from '../../src/schema/model.ts';
import { encoded, hostileText, monstrousQueries } from '../generators/hostile.ts';
import { hostileValue } from '../generators/hostile-values.ts';
import { GUESSES } from './invariants.ts';
import { registry } from './model.ts';

export const types: readonly ContentType[] = [...registry.routes.values()];

const attributesOf = (attributes: ReadonlyMap<string, Attribute>): string[] => [...attributes.keys()];
const NAMES = [
  ...new Set([
    ...types.flatMap(({ attributes }) => attributesOf(attributes)),
    ...[...registry.components.values()].flatMap(({ attributes }) => attributesOf(attributes)),
    'id',
    'documentId',
    '__component',
    'role',
    'resetPasswordToken',
    'folderPath',
  ]),
];

const name = fc.constantFrom(...NAMES);
const operator = fc.constantFrom(...Object.keys(OPERATORS), ...Object.keys(LOGIC), '$nope');
const index = fc.constantFrom('', '0', '1', '2', '19', '21', '1000');
const plausibleText = fc.constantFrom(
  ...['a', 'Zed', 'en', 'fr', '1', '2', 'true', 'draft', 'published', '2024-01-01', ...GUESSES],
);

const segment = fc.oneof(
  { weight: 5, arbitrary: name },
  { weight: 4, arbitrary: operator },
  { weight: 3, arbitrary: index },
  { weight: 1, arbitrary: fc.constantFrom('populate', 'fields', 'filters', 'sort', 'on', 'count', 'set') },
  { weight: 1, arbitrary: fc.constantFrom(...registry.components.keys()) },
  { weight: 1, arbitrary: hostileText },
);

const bracketed = (root: string, depth: number) =>
  fc.array(segment, { maxLength: depth }).map((path) => root + path.map((key) => `[${key}]`).join(''));

const dotted = fc.array(name, { minLength: 1, maxLength: 4 }).map((path) => path.join('.'));
const listed = (item: fc.Arbitrary<string>) =>
  fc.array(item, { minLength: 1, maxLength: 4 }).map((all) => all.join(','));
const directed = fc
  .tuple(dotted, fc.constantFrom('', ':asc', ':desc', ':DESC', ':up', ':'))
  .map(([path, direction]) => path + direction);

/** A parameter: its key, and the values that make sense there. */
const parameter: fc.Arbitrary<readonly [key: string, value: fc.Arbitrary<string>]> = fc.oneof(
  { weight: 6, arbitrary: bracketed('filters', 6).map((key) => [key, plausibleText] as const) },
  {
    weight: 3,
    arbitrary: bracketed('populate', 6).map((key) => [key, fc.constantFrom('*', 'true', 'author')] as const),
  },
  { weight: 2, arbitrary: fc.constant(['populate', listed(dotted)] as const) },
  { weight: 2, arbitrary: fc.constant(['sort', listed(directed)] as const) },
  { weight: 1, arbitrary: bracketed('sort', 3).map((key) => [key, fc.constantFrom('asc', 'desc')] as const) },
  { weight: 2, arbitrary: fc.constant(['fields', listed(name)] as const) },
  { weight: 1, arbitrary: bracketed('fields', 2).map((key) => [key, name] as const) },
  { weight: 2, arbitrary: fc.constant(['locale', fc.constantFrom('en', 'fr', '*', 'EN', '')] as const) },
  { weight: 2, arbitrary: fc.constant(['status', fc.constantFrom('draft', 'published', '')] as const) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('page', 'pageSize', 'start', 'limit', 'withCount', 'nope')
      .map((key) => [`pagination[${key}]`, fc.constantFrom('0', '1', '5', '100', 'true')] as const),
  },
  { weight: 2, arbitrary: fc.constant(['_q', plausibleText] as const) },
  { weight: 1, arbitrary: fc.constant(['publicationFilter', fc.constantFrom('modified', 'never-published')] as const) },
  { weight: 1, arbitrary: fc.constant(['hasPublishedVersion', fc.constantFrom('true', 'false')] as const) },
  { weight: 1, arbitrary: hostileText.map((key) => [key, plausibleText] as const) },
);

const pair = parameter
  .chain(([key, plausible]) => fc.tuple(fc.constant(key), fc.oneof({ weight: 2, arbitrary: plausible }, hostileText)))
  .chain(([key, value]) => fc.tuple(encoded(key), encoded(value)))
  .map(([key, value]) => `${key}=${value}`);

export const queryString: fc.Arbitrary<string> = fc.oneof(
  { weight: 30, arbitrary: fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&')) },
  { weight: 1, arbitrary: fc.constantFrom(...monstrousQueries) },
);

/** The `data` of a write to a type. */
export const dataFor = (type: ContentType): fc.Arbitrary<Record<string, unknown>> =>
  fc.dictionary(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...type.attributes.keys()) },
      { weight: 1, arbitrary: hostileText },
    ),
    hostileValue,
    { maxKeys: 6 },
  );

const deep = (levels: number, open: string, close: string) =>
  `{"data":{"extra":${open.repeat(levels)}1${close.repeat(levels)}}}`;

const rawBody = fc.oneof(
  hostileText,
  fc.json(),
  queryString.map((search) => `data[name]=a&${search}`),
  fc.constantFrom(deep(50, '[', ']'), deep(150, '[', ']'), deep(50_000, '{"a":', '}'), '{"data":{"name":"\\ud800"}}'),
);

const contentTypeHeader = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain', ''),
  },
);

export interface Body {
  readonly text: string;
  readonly contentType: string;
}

export const bodyFor = (type: ContentType): fc.Arbitrary<Body> =>
  fc.record({
    text: fc.oneof(
      { weight: 8, arbitrary: dataFor(type).map((data) => JSON.stringify({ data })) },
      { weight: 2, arbitrary: rawBody },
    ),
    contentType: contentTypeHeader,
  });

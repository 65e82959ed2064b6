/**
 * @module Queries that fit a content type: names that exist, followed through relations, components and zones, with
 * operands of the right type most of the time. What gets past the first check reaches the compiler. Each fuzzer says which
 * attributes it names, and with which operands.
 */
import fc from 'fast-check';
import qs from 'qs';
import { OPERATORS, type OperatorName } from '../../src/content/request/operators.ts';
import type { Attribute, Component, ContentType, Registry, ScalarAttribute } from '../../src/schema/model.ts';
import { FILE_UID, isPolymorphicTarget } from '../../src/schema/system-types.ts';

export type Query = Readonly<Record<string, unknown>>;
export type Owner = ContentType | Component;

/** What queries are made of. */
export interface Asking {
  readonly registry: Registry;
  /** The attributes that a query names. */
  namedIn(owner: Owner): readonly Attribute[];
  operandOf(attribute: ScalarAttribute): fc.Arbitrary<string>;
  /** A text to search for. */
  readonly word: fc.Arbitrary<string>;
}

/** How large a generated query may grow. */
export interface Size {
  /** Steps through relations, groups and components. */
  readonly depth: number;
  /** Keys of one object, entries of one group. */
  readonly width: number;
  /** Values of one list. */
  readonly list: number;
}

const OPERATOR_NAMES = Object.keys(OPERATORS) as OperatorName[];

function comparison(attribute: ScalarAttribute, { operandOf, word }: Asking, { list }: Size): fc.Arbitrary<unknown> {
  const operand = operandOf(attribute);
  const of = (operator: OperatorName): fc.Arbitrary<unknown> => {
    const { takes, cast } = OPERATORS[operator];
    const value = cast ? operand : word;
    if (takes === 'flag') return fc.constantFrom('true', 'false');
    if (takes === 'pair') return fc.tuple(value, value);
    if (takes === 'list') return fc.array(value, { minLength: 1, maxLength: list });
    return fc.oneof({ weight: 4, arbitrary: value }, fc.array(value, { minLength: 1, maxLength: Math.min(list, 8) }));
  };
  const operated = fc
    .constantFrom(...OPERATOR_NAMES)
    .chain((operator) => of(operator).map((value) => ({ [operator]: value })));
  return fc.oneof(
    { weight: 2, arbitrary: operand },
    { weight: 6, arbitrary: operated },
    { weight: 1, arbitrary: operated.map((inner) => ({ $not: inner })) },
  );
}

/** The type or component that an attribute leads to. */
export function below(attribute: Attribute, owner: Owner, { contentTypes, components }: Registry): Owner | undefined {
  switch (attribute.kind) {
    case 'relation':
      return contentTypes.get(attribute.target);
    case 'media':
      return contentTypes.get(FILE_UID);
    case 'component':
      return components.get(attribute.component);
    case 'localizations':
      return owner;
    default:
      return undefined;
  }
}

/** The attributes that lead on, each with where it leads. */
const stepsFrom = (owner: Owner, { registry, namedIn }: Asking): readonly (readonly [name: string, next: Owner])[] =>
  namedIn(owner).flatMap((attribute) => {
    const next = below(attribute, owner, registry);
    return next ? [[attribute.name, next] as const] : [];
  });

const scalarsIn = (owner: Owner, { namedIn }: Asking): readonly ScalarAttribute[] =>
  namedIn(owner).filter((attribute) => attribute.kind === 'scalar');

/** `filters` on a content type or component. */
export function filtersOn(owner: Owner, asking: Asking, size: Size): fc.Arbitrary<Query> {
  const scalar = fc
    .constantFrom(...scalarsIn(owner, asking))
    .chain((attribute) => comparison(attribute, asking, size).map((value) => ({ [attribute.name]: value })));
  if (size.depth <= 0) return scalar;
  const smaller = { ...size, depth: size.depth - 1 };
  const deeper = fc.constant(undefined).chain(() => filtersOn(owner, asking, smaller));
  const steps = stepsFrom(owner, asking);
  const related = () =>
    fc.constantFrom(...steps).chain(([name, next]) => {
      const inner = fc.oneof(
        { weight: 6, arbitrary: filtersOn(next, asking, smaller) },
        { weight: 1, arbitrary: fc.constantFrom({ $null: 'true' }, { $notNull: 'true' }, { id: { $null: 'true' } }) },
      );
      return inner.map((value) => ({ [name]: value }));
    });
  const group = fc
    .tuple(fc.constantFrom('$and', '$or'), fc.array(deeper, { minLength: 1, maxLength: size.width }))
    .map(([key, list]) => ({ [key]: list }));
  const entry = fc.oneof(
    { weight: 4, arbitrary: scalar },
    ...(steps.length > 0 ? [{ weight: 2 * size.depth, arbitrary: related() }] : []),
    { weight: 2, arbitrary: group },
    { weight: 1, arbitrary: deeper.map((inner) => ({ $not: inner })) },
  );
  return fc
    .array(entry, { minLength: 1, maxLength: size.width })
    .map((entries) => Object.assign({}, ...entries) as Query);
}

/** `author.name` */
function pathOn(owner: Owner, asking: Asking, depth: number): fc.Arbitrary<string> {
  const scalar = fc.constantFrom(...scalarsIn(owner, asking).map(({ name }) => name), 'id', 'documentId');
  const steps = stepsFrom(owner, asking);
  if (depth <= 0 || steps.length === 0) return scalar;
  const further = fc
    .constantFrom(...steps)
    .chain(([name, next]) => pathOn(next, asking, depth - 1).map((rest) => `${name}.${rest}`));
  return fc.oneof(scalar, further);
}

/** `sort=author.name:desc` */
export const sortOn = (owner: Owner, asking: Asking, size: Size): fc.Arbitrary<readonly string[]> =>
  fc
    .array(fc.tuple(pathOn(owner, asking, size.depth), fc.constantFrom('', ':asc', ':desc')), {
      minLength: 1,
      maxLength: size.width,
    })
    .map((terms) => terms.map(([path, direction]) => path + direction));

export const fieldsOn = (owner: Owner, asking: Asking): fc.Arbitrary<readonly string[]> =>
  fc.uniqueArray(fc.constantFrom(...scalarsIn(owner, asking).map(({ name }) => name)), { minLength: 1, maxLength: 5 });

/** The options of lists alone. */
const SLICE = {
  limit: fc.constantFrom('0', '1', '2', '100'),
  start: fc.constantFrom('0', '1', '2'),
  withCount: fc.constantFrom('true', 'false'),
};

/** Steps further often, and so many options at most: nothing is left to see behind several filters. */
function optionsOn(owner: Owner, asking: Asking, size: Size, isList: boolean): fc.Arbitrary<unknown> {
  const smaller = { ...size, depth: size.depth - 1 };
  const options = {
    fields: fieldsOn(owner, asking),
    filters: filtersOn(owner, asking, { ...smaller, depth: Math.min(smaller.depth, 2) }),
    sort: sortOn(owner, asking, { ...smaller, depth: 1 }),
    populate: populateOn(owner, asking, smaller),
    count: fc.constantFrom('true', 'false'),
    ...SLICE,
  };
  const all = Object.keys(options) as (keyof typeof options)[];
  const names = all.filter((name) => isList || !(name in SLICE));
  const some = fc.subarray(names, { minLength: 1, maxLength: Math.min(size.width, names.length) });
  const chosen = fc
    .oneof(some, fc.constant(['populate' as const]))
    // A count takes the place of the list.
    .map((keys) => (keys.some((key) => key in SLICE) ? keys.filter((key) => key !== 'count') : keys))
    .chain((keys) => fc.record<Query>(Object.fromEntries(keys.map((key) => [key, options[key]]))));
  return fc.oneof({ weight: 1, arbitrary: fc.constant('true') }, { weight: 3, arbitrary: chosen });
}

/** `on` with options for some types or components. */
const onSome = (
  owners: readonly Owner[],
  optionsFor: (owner: Owner) => fc.Arbitrary<unknown>,
): fc.Arbitrary<{ readonly on: Query }> => {
  const part = fc.constantFrom(...owners).chain((owner) => optionsFor(owner).map((value) => ({ [owner.uid]: value })));
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => ({ on: Object.assign({}, ...parts) }));
};

function zoneOn(uids: readonly string[], asking: Asking, size: Size): fc.Arbitrary<unknown> {
  const components = uids.flatMap((uid) => asking.registry.components.get(uid) ?? []);
  const on = onSome(components, (owner) => {
    const options = fc.record(
      { fields: fieldsOn(owner, asking), populate: populateOn(owner, asking, { ...size, depth: size.depth - 1 }) },
      { requiredKeys: [] },
    );
    return fc.oneof(fc.constant('true' as unknown), options);
  });
  return fc.oneof(fc.constantFrom('true' as unknown, { populate: '*' }), on);
}

/** A populate of a polymorphic relation: all of it, its count, or some types; of a list also a part. */
function typesOn(asking: Asking, size: Size, isList: boolean): fc.Arbitrary<unknown> {
  const types = [...asking.registry.contentTypes.values()].filter(isPolymorphicTarget);
  const some = onSome(types, (owner) => optionsOn(owner, asking, size, false));
  const part = fc
    .tuple(some, SLICE.limit, SLICE.withCount)
    .map(([on, limit, withCount]) => ({ ...on, limit, withCount }));
  const parts = [
    { weight: 2, arbitrary: fc.record(SLICE) },
    { weight: 2, arbitrary: part },
  ];
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('true' as unknown, { count: 'true' }) },
    { weight: 4, arbitrary: some },
    ...(isList ? parts : []),
  );
}

const isListed = (attribute: Attribute): boolean =>
  attribute.kind === 'localizations' ||
  ((attribute.kind === 'relation' || attribute.kind === 'media') && attribute.multiple);

/** The value of an attribute in a `populate` object. */
function valueOn(attribute: Attribute, owner: Owner, asking: Asking, size: Size): fc.Arbitrary<unknown> {
  if (attribute.kind === 'dynamiczone') return zoneOn(attribute.components, asking, size);
  if (attribute.kind === 'polymorphic') return typesOn(asking, { ...size, depth: size.depth - 1 }, attribute.multiple);
  const next = below(attribute, owner, asking.registry);
  return next ? optionsOn(next, asking, size, isListed(attribute)) : fc.constant('true');
}

/** `populate` on a content type or component. */
export function populateOn(owner: Owner, asking: Asking, size: Size): fc.Arbitrary<unknown> {
  const steps = asking.namedIn(owner).filter(({ kind }) => kind !== 'scalar');
  if (size.depth <= 0 || steps.length === 0) return fc.constant('*');
  const node = fc
    .constantFrom(...steps)
    .chain((attribute) => valueOn(attribute, owner, asking, size).map((options) => ({ [attribute.name]: options })));
  const object = fc.array(node, { minLength: 1, maxLength: size.width }).map((nodes) => Object.assign({}, ...nodes));
  const names = fc.uniqueArray(fc.constantFrom(...steps.map(({ name }) => name)), { minLength: 1, maxLength: 4 });
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant('*') },
    { weight: 1, arbitrary: names },
    { weight: 4, arbitrary: object },
  );
}

/** Every parameter of a read of this type. */
export const queryOn = (type: ContentType, asking: Asking, size: Size): fc.Arbitrary<Query> =>
  fc.record(
    {
      filters: filtersOn(type, asking, size),
      sort: sortOn(type, asking, { ...size, depth: Math.min(size.depth, 3) }),
      fields: fieldsOn(type, asking),
      populate: populateOn(type, asking, {
        ...size,
        depth: Math.min(size.depth, 4),
        width: Math.min(size.width, 4),
      }),
      locale: fc.constantFrom('en', 'fr', '*', ['en', 'fr']),
      status: fc.constantFrom('draft', 'published'),
      _q: asking.word,
      pagination: fc.record(
        { page: fc.constantFrom('1', '2'), pageSize: fc.constantFrom('1', '100') },
        { requiredKeys: [] },
      ),
      publicationFilter: fc.constantFrom('modified', 'never-published', 'has-published-version-document'),
    },
    { requiredKeys: [] },
  );

/** As a client sends it. */
export const searchOf = (query: Query): string =>
  qs.stringify(query, { arrayFormat: 'indices', strictNullHandling: true });

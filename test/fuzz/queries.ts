/**
 * @module Queries that fit a content type: names that exist, followed through relations, components and zones, with
 * operands of the right type most of the time. What gets past the first check reaches the compiler.
 */
import fc from 'fast-check';
import qs from 'qs';
import { OPERATORS, type OperatorName } from '../../src/content/request/operators.ts';
import type { Attribute, ContentType, Registry, ScalarAttribute } from '../../src/schema/model.ts';
import { isPolymorphicTarget } from '../../src/schema/system-types.ts';
import { operandOf } from '../generators/values.ts';
import { hostileText } from './hostile.ts';
import { GUESSES } from './invariants.ts';

export type Query = Readonly<Record<string, unknown>>;
type Attributes = ReadonlyMap<string, Attribute>;

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

const word = fc.oneof(fc.constantFrom('a', 'Zed', 'Secretive', 'é', '%', '', ...GUESSES), hostileText);

function comparison(attribute: ScalarAttribute, { list }: Size): fc.Arbitrary<unknown> {
  const operand = operandOf(attribute, word);
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

/** The attributes that an attribute leads to. */
export function below(attribute: Attribute, own: Attributes, registry: Registry): Attributes | undefined {
  switch (attribute.kind) {
    case 'relation':
      return registry.contentTypes.get(attribute.target)?.attributes;
    case 'media':
      return registry.contentTypes.get('plugin::upload.file')?.attributes;
    case 'component':
      return registry.components.get(attribute.component)?.attributes;
    case 'localizations':
      return own;
    default:
      return undefined;
  }
}

/** Like `constantFrom`, for a list that may be empty as long as nothing is drawn from it. */
const oneOf = <T>(items: readonly T[]): fc.Arbitrary<T> =>
  fc.nat(Math.max(items.length - 1, 0)).map((index) => items[index] as T);

const isOpen = (attribute: Attribute): boolean =>
  !attribute.private && attribute.kind !== 'creator' && !(attribute.kind === 'scalar' && attribute.type === 'password');
const openOf = (attributes: Attributes): Attribute[] => [...attributes.values()].filter(isOpen);
const scalarsOf = (attributes: Attributes): ScalarAttribute[] =>
  openOf(attributes).filter((attribute) => attribute.kind === 'scalar');

/** `filters` on a content type or component. */
export function filtersOn(attributes: Attributes, registry: Registry, size: Size): fc.Arbitrary<Query> {
  const scalar = fc
    .constantFrom(...scalarsOf(attributes))
    .chain((attribute) => comparison(attribute, size).map((value) => ({ [attribute.name]: value })));
  if (size.depth <= 0) return scalar;
  const smaller = { ...size, depth: size.depth - 1 };
  const deeper = fc.constant(undefined).chain(() => filtersOn(attributes, registry, smaller));
  const steps = openOf(attributes).filter((attribute) => below(attribute, attributes, registry));
  const related = oneOf(steps).chain((attribute) => {
    const next = below(attribute, attributes, registry) ?? attributes;
    const inner = fc.oneof(
      { weight: 6, arbitrary: filtersOn(next, registry, smaller) },
      { weight: 1, arbitrary: fc.constantFrom({ $null: 'true' }, { $notNull: 'true' }, { id: { $null: 'true' } }) },
    );
    return inner.map((value) => ({ [attribute.name]: value }));
  });
  const group = fc
    .tuple(fc.constantFrom('$and', '$or'), fc.array(deeper, { minLength: 1, maxLength: size.width }))
    .map(([key, list]) => ({ [key]: list }));
  const entry = fc.oneof(
    { weight: 4, arbitrary: scalar },
    ...(steps.length > 0 ? [{ weight: 3, arbitrary: related }] : []),
    { weight: 2, arbitrary: group },
    { weight: 1, arbitrary: deeper.map((inner) => ({ $not: inner })) },
  );
  return fc
    .array(entry, { minLength: 1, maxLength: size.width })
    .map((entries) => Object.assign({}, ...entries) as Query);
}

/** `sort=author.name:desc` */
function sortOn(attributes: Attributes, registry: Registry, depth: number): fc.Arbitrary<string> {
  const scalar = fc
    .constantFrom(...scalarsOf(attributes), { name: 'id' }, { name: 'documentId' })
    .map(({ name }) => name);
  const steps = openOf(attributes).filter((attribute) => below(attribute, attributes, registry));
  if (depth <= 0 || steps.length === 0) return scalar;
  const further = fc
    .constantFrom(...steps)
    .chain((attribute) =>
      sortOn(below(attribute, attributes, registry) ?? attributes, registry, depth - 1).map(
        (rest) => `${attribute.name}.${rest}`,
      ),
    );
  return fc.oneof({ weight: 3, arbitrary: scalar }, { weight: 1, arbitrary: further });
}

const sortList = (attributes: Attributes, registry: Registry, size: Size) =>
  fc
    .array(fc.tuple(sortOn(attributes, registry, size.depth), fc.constantFrom('', ':asc', ':desc')), {
      minLength: 1,
      maxLength: size.width,
    })
    .map((terms) => terms.map(([path, direction]) => path + direction));

const fieldsList = (attributes: Attributes) =>
  fc.uniqueArray(fc.constantFrom(...scalarsOf(attributes).map(({ name }) => name)), { minLength: 1, maxLength: 5 });

function optionsOn(attributes: Attributes, registry: Registry, size: Size): fc.Arbitrary<unknown> {
  const smaller = { ...size, depth: size.depth - 1 };
  const options = fc.record(
    {
      fields: fieldsList(attributes),
      filters: filtersOn(attributes, registry, { ...smaller, depth: Math.min(smaller.depth, 2) }),
      sort: sortList(attributes, registry, { ...smaller, depth: 1 }),
      populate: populateOn(attributes, registry, smaller),
      count: fc.constantFrom('true', 'false'),
    },
    { requiredKeys: [] },
  );
  return fc.oneof({ weight: 1, arbitrary: fc.constant('true') }, { weight: 3, arbitrary: options });
}

function zoneOn(components: readonly string[], registry: Registry, size: Size): fc.Arbitrary<unknown> {
  const part = fc.constantFrom(...components).chain((uid) => {
    const { attributes } = registry.components.get(uid) ?? { attributes: new Map() };
    const options = fc.record(
      {
        fields: fieldsList(attributes),
        populate: populateOn(attributes, registry, { ...size, depth: size.depth - 1 }),
      },
      { requiredKeys: [] },
    );
    return fc.oneof(fc.constant('true' as unknown), options).map((value) => ({ [uid]: value }));
  });
  const on = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => ({ on: Object.assign({}, ...parts) }));
  return fc.oneof(fc.constantFrom('true' as unknown, { populate: '*' }), on);
}

/** A populate of a polymorphic relation: all of it, its count, or some types. */
function typesOn(registry: Registry, size: Size): fc.Arbitrary<unknown> {
  const types = [...registry.contentTypes.values()].filter(isPolymorphicTarget);
  const part = fc
    .constantFrom(...types)
    .chain(({ uid, attributes }) => optionsOn(attributes, registry, size).map((value) => ({ [uid]: value })));
  const on = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => ({ on: Object.assign({}, ...parts) }));
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('true' as unknown, { count: 'true' }) },
    { weight: 4, arbitrary: on },
  );
}

/** The value of an attribute in a `populate` object. */
function valueOn(attribute: Attribute, attributes: Attributes, registry: Registry, size: Size): fc.Arbitrary<unknown> {
  if (attribute.kind === 'dynamiczone') return zoneOn(attribute.components, registry, size);
  if (attribute.kind === 'polymorphic') return typesOn(registry, { ...size, depth: size.depth - 1 });
  const next = below(attribute, attributes, registry);
  return next ? optionsOn(next, registry, size) : fc.constant('true');
}

/** `populate` on a content type or component. */
export function populateOn(attributes: Attributes, registry: Registry, size: Size): fc.Arbitrary<unknown> {
  const steps = openOf(attributes).filter(({ kind }) => kind !== 'scalar');
  if (size.depth <= 0 || steps.length === 0) return fc.constant('*');
  const node = fc
    .constantFrom(...steps)
    .chain((attribute) =>
      valueOn(attribute, attributes, registry, size).map((options) => ({ [attribute.name]: options })),
    );
  const object = fc.array(node, { minLength: 1, maxLength: size.width }).map((nodes) => Object.assign({}, ...nodes));
  const names = fc.uniqueArray(fc.constantFrom(...steps.map(({ name }) => name)), { minLength: 1, maxLength: 4 });
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant('*') },
    { weight: 1, arbitrary: names },
    { weight: 4, arbitrary: object },
  );
}

/** Every parameter of a read of this type. */
export function queryOn(type: ContentType, registry: Registry, size: Size): fc.Arbitrary<Query> {
  const { attributes } = type;
  return fc.record(
    {
      filters: filtersOn(attributes, registry, size),
      sort: sortList(attributes, registry, { ...size, depth: Math.min(size.depth, 3) }),
      fields: fieldsList(attributes),
      populate: populateOn(attributes, registry, {
        ...size,
        depth: Math.min(size.depth, 4),
        width: Math.min(size.width, 4),
      }),
      locale: fc.constantFrom('en', 'fr', '*', ['en', 'fr']),
      status: fc.constantFrom('draft', 'published'),
      _q: word,
      pagination: fc.record(
        { page: fc.constantFrom('1', '2'), pageSize: fc.constantFrom('1', '100') },
        { requiredKeys: [] },
      ),
      publicationFilter: fc.constantFrom('modified', 'never-published', 'has-published-version-document'),
    },
    { requiredKeys: [] },
  );
}

/** As a client sends it. */
export const searchOf = (query: Query): string =>
  qs.stringify(query, { arrayFormat: 'indices', strictNullHandling: true });

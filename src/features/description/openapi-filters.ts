/**
 * @module The schemas of `filters`: attributes and groups per shape, operators per type of operand.
 */
import { sameFor } from '../../common/same-for.ts';
import { LOGIC, OPERATORS, type OperatorName } from '../../content/request/operators.ts';
import type { ScalarType } from '../../schema/fields.ts';
import type { Attribute } from '../../schema/model.ts';
import { FILE_UID } from '../../schema/system-types.ts';
import {
  acceptedSchema,
  arrayOf,
  integerSchema,
  type JsonSchema,
  objectOf,
  ref,
  type Schemas,
  text,
} from './json-schema.ts';
import type { ApiShapes, Shape } from './shapes.ts';

/** The schemas of `filters[attribute]`. Text, JSON and blocks compare as text; no request may name a password. */
const FILTERS: Readonly<Record<ScalarType, string | undefined>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'enumeration', 'json', 'blocks'], 'TextFilter'),
  password: undefined,
  integer: 'IntegerFilter',
  decimal: 'DecimalFilter',
  float: 'FloatFilter',
  biginteger: 'BigintegerFilter',
  boolean: 'BooleanFilter',
  date: 'DateFilter',
  time: 'TimeFilter',
  datetime: 'DatetimeFilter',
};

const groupsOf = (self: string): JsonSchema => ({
  $and: arrayOf(ref(self), { description: LOGIC.$and }),
  $or: arrayOf(ref(self), { description: LOGIC.$or }),
  $not: { ...ref(self), description: LOGIC.$not },
});

function operatorSchema(name: OperatorName, operand: JsonSchema): JsonSchema {
  const { takes, cast, doc: description } = OPERATORS[name];
  const value = cast ? operand : text;
  switch (takes) {
    case 'one':
      return { ...value, description };
    case 'list':
      return arrayOf(value, { description });
    case 'pair':
      return arrayOf(value, { description, minItems: 2, maxItems: 2 });
    case 'flag':
      return { type: 'boolean', description };
    default:
      return takes satisfies never;
  }
}

function operandFilter(name: string, operand: JsonSchema): JsonSchema {
  const names = Object.keys(OPERATORS) as OperatorName[];
  const operators = Object.fromEntries(names.map((operator) => [operator, operatorSchema(operator, operand)]));
  const not = { $not: { ...ref(name), description: LOGIC.$not } };
  return {
    description: 'A value (equal), a list (one of it), or operators that all hold',
    anyOf: [operand, arrayOf(operand), objectOf({ ...operators, ...not })],
  };
}

const RELATION_FILTER: JsonSchema = {
  description: 'The numeric id of a related version, or whether there is any',
  anyOf: [integerSchema, objectOf({ $null: operatorSchema('$null', {}), $notNull: operatorSchema('$notNull', {}) })],
};

/** Returns the schemas of `filters[attribute]`, by the type of the attribute. */
export function operandFilters(): Schemas {
  const filters = (Object.keys(FILTERS) as ScalarType[]).flatMap((type) => {
    const name = FILTERS[type];
    return name ? [[name, operandFilter(name, acceptedSchema(type))] as const] : [];
  });
  return {
    ...Object.fromEntries(filters),
    TextFilter: operandFilter('TextFilter', text),
    RelationFilter: RELATION_FILTER,
  };
}

function attributeFilter(attribute: Attribute, shape: Shape, shapes: ApiShapes): JsonSchema | undefined {
  const through = (uid: string): JsonSchema => ({
    anyOf: [ref(`${shapes.of(uid).name}Filters`), ref('RelationFilter')],
  });
  switch (attribute.kind) {
    case 'scalar': {
      const name = FILTERS[attribute.type];
      return name === undefined ? undefined : ref(name);
    }
    case 'relation':
      return through(attribute.target);
    case 'media':
      return through(FILE_UID);
    case 'component':
      return through(attribute.component);
    case 'localizations':
      return through(shape.uid);
    case 'polymorphic':
    case 'dynamiczone':
    case 'creator':
    case 'related':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** Returns the schema of `filters` on a list of these, or below a relation to them. */
export function filtersSchema(shape: Shape, shapes: ApiShapes): readonly [name: string, schema: JsonSchema] {
  const name = `${shape.name}Filters`;
  const attributes = shape.shown.flatMap((attribute) => {
    const schema = attributeFilter(attribute, shape, shapes);
    return schema ? [[attribute.name, schema] as const] : [];
  });
  const identity = { id: ref('IntegerFilter'), ...(shape.contentType && { documentId: ref('TextFilter') }) };
  return [name, objectOf({ ...identity, ...Object.fromEntries(attributes), ...groupsOf(name) })];
}

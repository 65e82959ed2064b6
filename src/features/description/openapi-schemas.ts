/**
 * @module The schemas of documents, of bodies and of the constant parts of responses.
 */
import { isDocumentList, isScalar } from '../../schema/attribute-kinds.ts';
import type { Attribute, ComponentAttribute, DynamicZoneAttribute } from '../../schema/model.ts';
import { FILE_UID } from '../../schema/system-types.ts';
import {
  arrayOf,
  count,
  integerSchema,
  type JsonSchema,
  nullable,
  objectOf,
  ref,
  ruledSchema,
  type Schemas,
  shownSchema,
  text,
} from './json-schema.ts';
import type { ApiShapes, Shape } from './shapes.ts';

type Named = readonly [name: string, schema: JsonSchema];

const oneOrMany = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, arrayOf(schema)] });

const relationChange = (connection: string, set: JsonSchema): JsonSchema =>
  objectOf({ connect: oneOrMany(ref(connection)), disconnect: oneOrMany(ref('DocumentReference')), set });

const TYPED_LIST = arrayOf(ref('TypedReference'));

/** Schemas that do not depend on the registry. */
export const COMMON_SCHEMAS: Schemas = {
  Error: objectOf(
    {
      data: { type: 'null' },
      error: objectOf(
        {
          status: integerSchema,
          name: { type: 'string', examples: ['ValidationError', 'NotFoundError'] },
          message: text,
          details: {
            type: 'object',
            description: 'Which key or parameter, or `errors`: every broken rule with path and message',
          },
        },
        ['status', 'name', 'message'],
      ),
    },
    ['data', 'error'],
  ),
  Pagination: {
    description: 'Without `pageCount` and `total` when `pagination[withCount]` is false',
    anyOf: [
      objectOf({ page: count, pageSize: count, pageCount: count, total: count }, ['page', 'pageSize']),
      objectOf({ start: count, limit: count, total: count }, ['start', 'limit']),
      objectOf({ limit: count, total: count, next: { type: ['string', 'null'] } }, ['limit', 'next']),
    ],
  },
  Populated: {
    description: 'With `populate=@deep:2`: the first hundred paths that it left out, and how many there are',
    ...objectOf({ depth: count, leftOut: arrayOf(text), leftOutCount: count }, ['depth', 'leftOut', 'leftOutCount']),
  },
  Count: { ...objectOf({ count }, ['count']), description: 'How many, where `populate` asks for `count`' },
  DocumentReference: {
    description: 'A document, by documentId or by the numeric id of one of its versions',
    anyOf: [
      text,
      integerSchema,
      objectOf({ documentId: text, locale: text }, ['documentId']),
      objectOf({ id: integerSchema }, ['id']),
    ],
  },
  Position: {
    description: 'Where a connected document goes; without it, at the end',
    oneOf: [
      objectOf({ before: text }, ['before']),
      objectOf({ after: text }, ['after']),
      objectOf({ start: { const: true } }, ['start']),
      objectOf({ end: { const: true } }, ['end']),
    ],
  },
  Connection: {
    anyOf: [
      ref('DocumentReference'),
      objectOf({ documentId: text, locale: text, position: ref('Position') }, ['documentId']),
      objectOf({ id: integerSchema, position: ref('Position') }, ['id']),
    ],
  },
  TypedReference: {
    description: 'A document of a polymorphic relation: its type, with its documentId or the numeric id of a version',
    ...objectOf({ __type: text, documentId: text, id: integerSchema, locale: text, position: ref('Position') }, [
      '__type',
    ]),
  },
  TypedInput: {
    description: 'A list replaces what is there, as `set` does; an empty one changes nothing',
    anyOf: [TYPED_LIST, objectOf({ connect: TYPED_LIST, disconnect: TYPED_LIST, set: TYPED_LIST })],
  },
  ToOneInput: {
    anyOf: [
      ref('DocumentReference'),
      relationChange('DocumentReference', nullable(oneOrMany(ref('DocumentReference')))),
    ],
  },
  ToManyInput: {
    description: 'A list replaces what is there, as `set` does',
    anyOf: [oneOrMany(ref('DocumentReference')), relationChange('Connection', oneOrMany(ref('DocumentReference')))],
  },
};

/** A schema of what says by this key which type or component it is. */
export const isOf = (schema: JsonSchema, key: string, uid: string): JsonSchema => ({
  allOf: [schema, objectOf({ [key]: { const: uid } }, [key])],
});

/** Returns `ArticleTyped`, a document or component with its type, for lists of several. */
export const typedSchema = ({ name, uid, contentType }: Shape): Named => [
  `${name}Typed`,
  isOf(ref(name), contentType ? '__type' : '__component', uid),
];

/** One of several types, each a schema of its own, as a discriminator requires. */
function typedOf(propertyName: string, shapes: readonly Shape[]): JsonSchema {
  const refs = shapes.map(({ name, uid }) => [uid, ref(`${name}Typed`)] as const);
  const mapping = Object.fromEntries(refs.map(([uid, { $ref }]) => [uid, $ref]));
  return { oneOf: refs.map(([, schema]) => schema), discriminator: { propertyName, mapping } };
}

function zoneOf(components: readonly string[], entries: JsonSchema, limits: JsonSchema = {}): JsonSchema {
  return components.length === 0 ? { type: 'array', maxItems: 0 } : arrayOf(entries, limits);
}

const populated = (schema: JsonSchema, multiple: boolean): JsonSchema =>
  multiple ? arrayOf(schema) : nullable(schema);

/**
 * With `populate[tags][count]=true` there is a count in place of a list. The rare count of a single document is left out, so
 * that clients need not distinguish it.
 */
const counted = (schema: JsonSchema, multiple: boolean): JsonSchema =>
  multiple ? { anyOf: [arrayOf(schema), ref('Count')] } : nullable(schema);

/** Drafts, and components in drafts, may lack required values. No component has a name of a system attribute. */
const neverNull = (attribute: Attribute, { drafts }: Shape): boolean =>
  (attribute.required && !drafts) ||
  ['createdAt', 'updatedAt', 'locale'].includes(attribute.name) ||
  (attribute.name === 'publishedAt' && !drafts);

/** A document of any content type that uses a file. */
export const USE: JsonSchema = {
  ...objectOf({ id: integerSchema, documentId: text, __type: text }, ['documentId', '__type']),
  additionalProperties: true,
};

/** A document of any type that polymorphic relations link to. */
export const typedDocument = ({ targets }: ApiShapes): JsonSchema => typedOf('__type', targets);

/** Returns the schema of an attribute in responses; undefined if it is in none. */
export function shownAttribute(attribute: Attribute, shape: Shape, shapes: ApiShapes): JsonSchema | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return neverNull(attribute, shape) ? shownSchema(attribute) : nullable(shownSchema(attribute));
    case 'relation':
      return counted(ref(shapes.of(attribute.target).name), attribute.multiple);
    case 'polymorphic':
      return counted(ref('TypedDocument'), attribute.multiple);
    case 'media':
      return populated(ref(shapes.of(FILE_UID).name), attribute.multiple);
    case 'component':
      return counted(ref(shapes.of(attribute.component).name), attribute.repeatable);
    case 'dynamiczone':
      return zoneOf(attribute.components, typedOf('__component', attribute.components.map(shapes.of)));
    case 'localizations':
      return counted(ref(shape.name), true);
    case 'related':
      return populated(USE, true);
    case 'creator':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

function properties(
  attributes: readonly Attribute[],
  schemaOf: (attribute: Attribute) => JsonSchema | undefined,
): JsonSchema {
  const schemas = attributes.map((attribute) => [attribute.name, schemaOf(attribute)] as const);
  return Object.fromEntries(schemas.filter(([, schema]) => schema !== undefined));
}

/** The numbers of all targets of populated lists. */
function countsOf({ shown }: Shape): JsonSchema {
  const lists = shown.filter(isDocumentList).map(({ name }) => [name, count]);
  if (lists.length === 0) return {};
  const description = 'How many there are in all, where `populate` asks a list for `withCount`';
  return { $counts: { description, ...objectOf(Object.fromEntries(lists)) } };
}

/**
 * Returns the schemas of a document, also as a response to its creation, or of a component. Only its identity is required,
 * since `fields` selects the rest.
 * @param extended are there parameters that Strapi does not have?
 */
export function documentSchemas(shape: Shape, shapes: ApiShapes, extended: boolean): readonly Named[] {
  const shown = {
    ...properties(shape.shown, (attribute) => shownAttribute(attribute, shape, shapes)),
    ...(extended && countsOf(shape)),
  };
  const described = shape.title === '' ? {} : { description: shape.title };
  if (!shape.contentType) return [[shape.name, { ...described, ...objectOf({ id: integerSchema, ...shown }, ['id']) }]];
  const named = { documentId: text, ...shown };
  const document = { ...described, ...objectOf({ id: integerSchema, ...named }, ['id', 'documentId']) };
  const created = { ...described, ...objectOf(named, ['documentId']) };
  return [
    [shape.name, document],
    [`${shape.name}Created`, created],
  ];
}

const counts = ({ required, min, max }: ComponentAttribute | DynamicZoneAttribute): JsonSchema => ({
  ...(required && { minItems: min }),
  maxItems: max,
});

function writtenAttribute(attribute: Attribute, shapes: ApiShapes): JsonSchema | undefined {
  const inputOf = (uid: string) => componentInput(shapes.of(uid));
  const orNull = (schema: JsonSchema) => (attribute.required ? schema : nullable(schema));
  switch (attribute.kind) {
    case 'scalar':
      return orNull(ruledSchema(attribute));
    case 'polymorphic':
      return attribute.multiple ? ref('TypedInput') : orNull({ anyOf: [ref('TypedReference'), ref('TypedInput')] });
    case 'relation':
    case 'media':
      return orNull(ref(attribute.multiple ? 'ToManyInput' : 'ToOneInput'));
    case 'component': {
      const component = inputOf(attribute.component);
      return attribute.repeatable ? arrayOf(component, counts(attribute)) : orNull(component);
    }
    case 'dynamiczone':
      return zoneOf(
        attribute.components,
        { oneOf: attribute.components.map((uid) => isOf(inputOf(uid), '__component', uid)) },
        counts(attribute),
      );
    case 'creator':
    case 'localizations':
    case 'related':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** Returns the properties of a body for these attributes. */
export const writtenProperties = (attributes: readonly Attribute[], shapes: ApiShapes): JsonSchema =>
  properties(attributes, (attribute) => writtenAttribute(attribute, shapes));

const initialOf = (attribute: Attribute): unknown => (isScalar(attribute) ? attribute.default : undefined);

/** The initial value is in the description, since generated clients require attributes with a `default`. */
function newAttribute(attribute: Attribute, shapes: ApiShapes): JsonSchema | undefined {
  const schema = writtenAttribute(attribute, shapes);
  const initial = initialOf(attribute);
  if (!schema || initial === undefined) return schema;
  const without = `Without it: \`${JSON.stringify(initial)}\``;
  const { description } = schema;
  return { ...schema, description: description === undefined ? without : `${description}. ${without}` };
}

/** Names the attributes that a new published document must have. */
const requiredOf = ({ written }: Shape): readonly string[] =>
  written.filter((attribute) => attribute.required && initialOf(attribute) === undefined).map(({ name }) => name);

/** A complete component, or the `id` of a present one with its changes. */
const componentInput = ({ name }: Shape): JsonSchema => ({ anyOf: [ref(`${name}Update`), ref(`${name}Input`)] });

/** Returns `ArticleInput`, which creates, and `ArticleUpdate`, which is partial. */
export function inputSchemas(shape: Shape, shapes: ApiShapes): readonly Named[] {
  const created = properties(shape.written, (attribute) => newAttribute(attribute, shapes));
  const updated = writtenProperties(shape.written, shapes);
  const change = shape.contentType ? objectOf(updated) : objectOf({ id: integerSchema, ...updated }, ['id']);
  return [
    [`${shape.name}Input`, objectOf(created, requiredOf(shape))],
    [`${shape.name}Update`, change],
  ];
}

/**
 * @module Registry and settings → the OpenAPI 3.1 document of a deployment's Content API.
 */
import { actionId, EVERYTHING, type Grants } from '../../access/grants.ts';
import { namesDocuments } from '../../schema/lookup.ts';
import type { ContentType, Registry } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { describedSchemas } from './described-schemas.ts';
import {
  documentPath,
  type FeatureDescription,
  isGranted,
  type Operation,
  pathsOf,
  type Subject,
  type TypeSubject,
  typeOperation,
} from './granted-operation.ts';
import { type JsonSchema, objectOf, ref, type Schemas } from './json-schema.ts';
import { BATCH_TAG, batchOperation } from './openapi-batch.ts';
import { SCHEMA_OPERATIONS, SCHEMAS_TAG } from './openapi-content-type-builder.ts';
import { FACETS, facetsParameter } from './openapi-facets.ts';
import { filtersSchema, operandFilters } from './openapi-filters.ts';
import { fallbackParameter, LIST_LOCALES, LOCALES_TAG } from './openapi-locales.ts';
import {
  commonParameters,
  createParameters,
  deleteParameters,
  fieldsParameters,
  listParameters,
  readParameters,
  updateParameters,
} from './openapi-parameters.ts';
import { deepPopulates } from './openapi-populate.ts';
import { dataResponse, FAILURES, pageResponse, requestBody, responses } from './openapi-responses.ts';
import { COMMON_SCHEMAS, documentSchemas, inputSchemas, typedDocument, typedSchema } from './openapi-schemas.ts';
import { HIGHLIGHTS, searchParameters } from './openapi-search.ts';
import { presetSchemaName, presetSchemas } from './preset-schemas.ts';
import { routedShapes, shapesOf } from './shapes.ts';
import { usedComponents } from './used-components.ts';

/** An OpenAPI document, ready for `JSON.stringify`. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly servers: readonly JsonSchema[];
  readonly tags: readonly JsonSchema[];
  readonly paths: Schemas;
  readonly components: Readonly<Record<string, Schemas>>;
  /** Of the content types that it describes, in the form of the content-type-builder. */
  readonly 'x-content-types': readonly JsonSchema[];
  readonly 'x-components': readonly JsonSchema[];
  /** Of a caller that is no API token. */
  readonly 'x-role'?: string;
  /** The roles whose users may change the role of another user; only for users. */
  readonly 'x-user-managers'?: readonly string[];
}

const INFO: JsonSchema = {
  title: 'Content API',
  version: '1.0.0',
  description:
    "Strapi 5's REST Content API. Responses show scalar attributes; `populate` brings the rest. " +
    "With the header `Strapi-Response-Format: v4` they come in Strapi 4's nested form, which is not described here.",
};

const bodyOf = (name: string): JsonSchema => requestBody(objectOf({ data: ref(name) }, ['data']));

function presetsOf({ presets, shape }: TypeSubject): Pick<Operation, 'x-presets'> {
  const refs = Object.keys(presets).map((name) => [name, ref(presetSchemaName(shape, name))] as const);
  return refs.length > 0 ? { 'x-presets': Object.fromEntries(refs) } : {};
}

/** What `meta` of a read has. */
const populatedMeta = ({ settings }: Subject): JsonSchema =>
  deepPopulates(settings.api.rest) ? { populated: ref('Populated') } : {};

function listOperation(subject: TypeSubject): Operation {
  const facets = facetsParameter(subject);
  const search = searchParameters(subject);
  const meta = {
    ...populatedMeta(subject),
    ...(facets.length > 0 && { facets: ref('Facets') }),
    ...(search.length > 0 && { highlights: ref('Highlights') }),
  };
  return typeOperation(subject, `GET /api/${subject.segment}`, 'find', 'list', `List ${subject.segment}`, {
    ...presetsOf(subject),
    parameters: [...listParameters(subject.shape), ...search, ...fallbackParameter(subject), ...facets],
    responses: responses('200', pageResponse('A page of documents', ref(subject.shape.name), meta)),
  });
}

function createOperation(subject: TypeSubject): Operation {
  const { shape, segment, settings } = subject;
  const asStrapi = settings.api.rest.createResponse === 'strapi';
  const created = ref(asStrapi ? shape.name : `${shape.name}Created`);
  const success = dataResponse(asStrapi ? 'The new document' : 'The new document, without numeric id', created);
  return typeOperation(subject, `POST /api/${segment}`, 'create', 'create', `Create a document of ${segment}`, {
    parameters: createParameters(subject),
    requestBody: bodyOf(`${shape.name}Input`),
    responses: responses(asStrapi ? '201' : '200', success, 'KeyInUse', 'TooLarge', 'KeyReused'),
  });
}

/** What a path may have in place of the documentId. */
function lookupsOf({ settings, type, shape, grants }: TypeSubject): Pick<Operation, 'description' | 'x-lookups'> {
  const isListed = !grants || grants.allows(actionId(type.uid, 'find'));
  const names = shape.shown.filter(namesDocuments).map(({ name }) => name);
  const [first] = names;
  if (!settings.api.rest.extensions || type.kind === 'singleType' || !isListed || first === undefined) return {};
  return {
    description: `The path takes an attribute and its unique value in place of the documentId: \`${first}:…\`.`,
    'x-lookups': names,
  };
}

/** The operations of a type, then those that features add to its documents. */
function operationsOf(subject: TypeSubject): readonly Operation[] {
  const { shape, type, features } = subject;
  const isSingle = type.kind === 'singleType';
  const path = documentPath(subject);
  const missing = isSingle ? [] : (['NotFound'] as const);
  return [
    ...(isSingle ? [] : [listOperation(subject), createOperation(subject)]),
    // Single types have no `findOne`.
    typeOperation(subject, `GET ${path}`, isSingle ? 'find' : 'findOne', 'get', 'Read the document', {
      ...lookupsOf(subject),
      parameters: readParameters(subject),
      responses: responses(
        '200',
        dataResponse('The document', ref(shape.name), objectOf(populatedMeta(subject))),
        'NotFound',
      ),
    }),
    typeOperation(subject, `PUT ${path}`, 'update', 'update', isSingle ? 'Write the document' : 'Update the document', {
      description: 'What the body does not name stays as it is; `null` clears.',
      parameters: updateParameters(subject),
      requestBody: bodyOf(`${shape.name}Update`),
      responses: responses(
        '200',
        dataResponse('The document as written', ref(shape.name)),
        ...missing,
        'PreconditionFailed',
        'TooLarge',
      ),
    }),
    typeOperation(subject, `DELETE ${path}`, 'delete', 'delete', 'Delete the document', {
      parameters: deleteParameters(shape),
      responses: responses('204', { description: 'Deleted, or was not there' }, 'PreconditionFailed'),
    }),
    ...features.flatMap((feature) => feature.documentOperations?.(subject) ?? []),
  ];
}

/** Some have no use, such as that which creates a single type: the document does not have these. */
function schemasOf({ shapes, settings, features }: Subject, subjects: readonly TypeSubject[]): Schemas {
  const ofPresets = subjects.flatMap(({ presets, shape }) =>
    Object.entries(presets).map(([name, schema]) => [presetSchemaName(shape, name), schema] as const),
  );
  const named = shapes.all.flatMap((shape) => [
    ...documentSchemas(shape, shapes, settings.api.rest.extensions),
    ...inputSchemas(shape, shapes),
    filtersSchema(shape, shapes),
    typedSchema(shape),
  ]);
  const typed = { TypedDocument: typedDocument(shapes), Facets: FACETS, Highlights: HIGHLIGHTS };
  const ofFeatures = features.map(({ schemas }) => schemas?.(shapes));
  return Object.assign(
    Object.fromEntries(named),
    ...ofFeatures,
    COMMON_SCHEMAS,
    typed,
    operandFilters(),
    Object.fromEntries(ofPresets),
  );
}

const tagOf = ({ segment, shape }: TypeSubject): JsonSchema => ({
  name: segment,
  ...(shape.title !== '' && { description: shape.title }),
});

const LOCAL = { url: 'http://127.0.0.1:8787', description: 'The local server of `npm run dev`' };

/** A served description has its own server; a file names one. */
function serversOf({ settings, grants }: Subject): readonly JsonSchema[] {
  const { url } = settings.server;
  if (url !== '') return [{ url, description: 'The deployed Worker' }];
  return grants ? [{ url: '/', description: 'The server that this description came from' }] : [LOCAL];
}

/** The operations that every project has. */
const commonOperations = (subject: Subject, types: readonly ContentType[]): readonly Operation[] => [
  batchOperation(types),
  ...subject.features.flatMap((feature) => feature.operations?.(subject, types) ?? []),
  LIST_LOCALES,
  ...SCHEMA_OPERATIONS,
];

/** Appends `Document` to an id that is taken. */
const withDistinctId = (operation: Operation, taken: ReadonlySet<string>): Operation =>
  taken.has(operation.operationId) ? { ...operation, operationId: `${operation.operationId}Document` } : operation;

/**
 * Describes every endpoint under these settings, with a deterministic order of keys.
 * @param features the operations of the features that are on
 * @param grants of the reader: operations without a grant are not in it, nor are schemas that only those refer to. Absent:
 * the reader owns the API.
 */
export function describeOpenApi(
  registry: Registry,
  settings: Settings,
  features: readonly FeatureDescription[],
  grants?: Grants,
): OpenApiDocument {
  const shapes = shapesOf(registry, grants);
  const subject: Subject = { shapes, settings, grants, features };
  const subjects = routedShapes(registry, shapes).map(([segment, shape, type]) => ({
    ...subject,
    segment,
    shape,
    type,
    presets: presetSchemas(type, shape, shapes, { registry, settings, grants: grants ?? EVERYTHING }),
  }));
  const types = subjects.map(({ type }) => type);
  const ofOwner = commonOperations({ ...subject, grants: undefined }, types);
  const taken = new Set(ofOwner.map(({ operationId }) => operationId));
  const content = subjects.flatMap(operationsOf).map((each) => withDistinctId(each, taken));
  const operations = [...content, ...commonOperations(subject, types)];
  const used = new Set<unknown>(operations.filter((each) => isGranted(each, subject)).map(({ tag }) => tag));
  const tags = [
    ...subjects.map(tagOf),
    BATCH_TAG,
    ...features.flatMap(({ tag }) => (tag ? [tag] : [])),
    LOCALES_TAG,
    SCHEMAS_TAG,
  ];
  const paths = pathsOf(operations, subject);
  const components = usedComponents(paths, {
    schemas: schemasOf(subject, subjects),
    parameters: { ...commonParameters(settings), ...fieldsParameters(shapes.all) },
    responses: FAILURES,
  });
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: serversOf(subject),
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    components: {
      ...components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the JWT of a signed-in user' },
      },
    },
    ...describedSchemas({ ...subject, registry }, paths, components.schemas),
  };
}

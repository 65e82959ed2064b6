/**
 * @module Registry and settings → the OpenAPI 3.1 document of a deployment's Content API.
 */
import { type Action, actionId, type Grants } from '../../access/grants.ts';
import type { ContentType, Registry } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { describedSchemas } from './described-schemas.ts';
import {
  type DescribedPath,
  type FeatureDescription,
  operation,
  pathItem,
  type Subject,
  type TypeSubject,
} from './granted-operation.ts';
import { type JsonSchema, objectOf, ref, type Schemas } from './json-schema.ts';
import { BATCH_TAG, batchPaths } from './openapi-batch.ts';
import { SCHEMAS_TAG, schemaPaths } from './openapi-content-type-builder.ts';
import { filtersSchema, operandFilters } from './openapi-filters.ts';
import { LOCALES_TAG, localePaths } from './openapi-locales.ts';
import {
  commonParameters,
  createParameters,
  DOCUMENT_ID_PARAMETER,
  deleteParameters,
  fieldsParameters,
  listParameters,
  readParameters,
  updateParameters,
} from './openapi-parameters.ts';
import { dataResponse, FAILURES, type FailureStatus, json, pageResponse, responses } from './openapi-responses.ts';
import { COMMON_SCHEMAS, documentSchemas, inputSchemas, typedDocument, typedSchema } from './openapi-schemas.ts';
import { UPLOAD_TAG, uploadPaths, uploadSchemas } from './openapi-upload.ts';
import { USERS_TAG, userPaths } from './openapi-users.ts';
import { type ApiShapes, routedShapes, type Shape, shapesOf } from './shapes.ts';
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
}

const INFO: JsonSchema = {
  title: 'Content API',
  version: '1.0.0',
  description:
    "Strapi 5's REST Content API. Responses show scalar attributes; `populate` brings the rest. " +
    "With the header `Strapi-Response-Format: v4` they come in Strapi 4's nested form, which is not described here.",
};

function contentOperation(subject: TypeSubject, action: Action, verb: string, summary: string, rest: JsonSchema) {
  const { shape, segment: tag, type } = subject;
  const named = { operationId: `${verb}${shape.name}`, tag, action: actionId(type.uid, action), summary };
  return operation(subject, named, rest);
}

const body = (data: JsonSchema): JsonSchema => ({ required: true, content: json(objectOf({ data }, ['data'])) });

const listOperation = (subject: TypeSubject) =>
  contentOperation(subject, 'find', 'list', `List ${subject.segment}`, {
    parameters: listParameters(subject.shape),
    responses: responses('200', pageResponse('A page of documents', ref(subject.shape.name))),
  });

function createOperation(subject: TypeSubject) {
  const { shape, settings } = subject;
  const asStrapi = settings.api.rest.createResponse === 'strapi';
  const created = ref(asStrapi ? shape.name : `${shape.name}Created`);
  const success = dataResponse(asStrapi ? 'The new document' : 'The new document, without numeric id', created);
  return contentOperation(subject, 'create', 'create', `Create a document of ${subject.segment}`, {
    parameters: createParameters(subject),
    requestBody: body(ref(`${shape.name}Input`)),
    responses: responses(asStrapi ? '201' : '200', success, 'KeyInUse', 'TooLarge', 'KeyReused'),
  });
}

/** Single types have no `findOne`. */
const getOperation = (subject: TypeSubject) =>
  contentOperation(subject, subject.type.kind === 'singleType' ? 'find' : 'findOne', 'get', 'Read the document', {
    parameters: readParameters(subject),
    responses: responses('200', dataResponse('The document', ref(subject.shape.name)), 'NotFound'),
  });

function updateOperation(subject: TypeSubject) {
  const { shape, type } = subject;
  const isSingle = type.kind === 'singleType';
  const missing: readonly FailureStatus[] = isSingle ? [] : ['NotFound'];
  return contentOperation(subject, 'update', 'update', isSingle ? 'Write the document' : 'Update the document', {
    description: 'What the body does not name stays as it is; `null` clears.',
    parameters: updateParameters(subject),
    requestBody: body(ref(`${shape.name}Update`)),
    responses: responses(
      '200',
      dataResponse('The document as written', ref(shape.name)),
      ...missing,
      'PreconditionFailed',
      'TooLarge',
    ),
  });
}

const deleteOperation = (subject: TypeSubject) =>
  contentOperation(subject, 'delete', 'delete', 'Delete the document', {
    parameters: deleteParameters(subject.shape),
    responses: responses('204', { description: 'Deleted, or was not there' }, 'PreconditionFailed'),
  });

function pathsOf(subject: TypeSubject, features: readonly FeatureDescription[]): readonly DescribedPath[] {
  const one = { get: getOperation(subject), put: updateOperation(subject), delete: deleteOperation(subject) };
  const path = `/api/${subject.segment}`;
  const actions = features.flatMap((feature) => feature.documentPaths?.(subject) ?? []);
  if (subject.type.kind === 'singleType') return [...pathItem(path, one), ...actions];
  return [
    ...pathItem(path, { get: listOperation(subject), post: createOperation(subject) }),
    ...pathItem(`${path}/{documentId}`, one, [DOCUMENT_ID_PARAMETER]),
    ...actions,
  ];
}

function schemasOf(shapes: ApiShapes, settings: Settings): Schemas {
  const isCreated = ({ contentType }: Shape) =>
    settings.api.rest.createResponse === 'documented' && contentType?.kind === 'collectionType' && !contentType.system;
  const named = shapes.all.flatMap((shape) => [
    ...documentSchemas(shape, shapes, isCreated(shape)),
    ...(shape.contentType?.system ? [] : inputSchemas(shape, shapes)),
    filtersSchema(shape, shapes),
    typedSchema(shape),
  ]);
  const typed = { TypedDocument: typedDocument(shapes) };
  return { ...Object.fromEntries(named), ...uploadSchemas(shapes), ...COMMON_SCHEMAS, ...typed, ...operandFilters() };
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

/** Returns the tags that operations have. */
function tagsOf(ordered: readonly JsonSchema[], paths: readonly DescribedPath[]): readonly JsonSchema[] {
  const operations = paths.flatMap(([, item]) => Object.values(item)) as { readonly tags?: readonly string[] }[];
  const used = new Set<unknown>(operations.flatMap(({ tags = [] }) => tags));
  return ordered.filter(({ name }) => used.has(name));
}

/** The paths of endpoints that every project has. */
const commonPaths = (
  subject: Subject,
  types: readonly ContentType[],
  features: readonly FeatureDescription[],
): readonly DescribedPath[] => [
  ...batchPaths(subject, types),
  ...features.flatMap((feature) => feature.paths?.(subject, types) ?? []),
  ...uploadPaths(
    subject,
    features.flatMap(({ bytesParameters = [] }) => bytesParameters),
  ),
  ...userPaths(subject),
  ...localePaths(subject),
  ...schemaPaths(subject),
];

/** The operations of a path, and its parameters. */
const operationsOf = (item: JsonSchema) => Object.entries(item as Readonly<Record<string, { operationId?: string }>>);

const operationIds = (paths: readonly DescribedPath[]): readonly string[] =>
  paths.flatMap(([, item]) => operationsOf(item).flatMap(([, { operationId }]) => operationId ?? []));

/** Appends `Document` to the ids of operations that are taken. */
function withDistinctIds([path, item]: DescribedPath, taken: ReadonlySet<string>): DescribedPath {
  const operations = operationsOf(item).map(([verb, each]) => {
    const { operationId } = each;
    const isTaken = operationId !== undefined && taken.has(operationId);
    return [verb, isTaken ? { ...each, operationId: `${operationId}Document` } : each] as const;
  });
  return [path, Object.fromEntries(operations)];
}

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
  const subject: Subject = { shapes, settings, grants };
  const subjects = routedShapes(registry, shapes).map(([segment, shape, type]) => ({
    ...subject,
    segment,
    shape,
    type,
  }));
  const types = subjects.map(({ type }) => type);
  const taken = new Set(operationIds(commonPaths({ ...subject, grants: undefined }, types, features)));
  const content = subjects.flatMap((each) => pathsOf(each, features)).map((path) => withDistinctIds(path, taken));
  const all = [...content, ...commonPaths(subject, types, features)];
  const tags = [
    BATCH_TAG,
    ...features.flatMap(({ tag }) => (tag ? [tag] : [])),
    UPLOAD_TAG,
    USERS_TAG,
    LOCALES_TAG,
    SCHEMAS_TAG,
  ];
  const paths = Object.fromEntries(all);
  const components = usedComponents(paths, {
    schemas: schemasOf(shapes, settings),
    parameters: { ...commonParameters(settings), ...fieldsParameters(shapes.all) },
    responses: FAILURES,
  });
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: serversOf(subject),
    tags: tagsOf([...subjects.map(tagOf), ...tags], all),
    paths,
    components: {
      ...components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the JWT of a signed-in user' },
      },
    },
    ...describedSchemas({ registry, shapes, settings, grants }, paths, components.schemas),
  };
}

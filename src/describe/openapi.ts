/**
 * @module Registry and settings → the OpenAPI 3.1 document of a deployment's Content API.
 */
import { type Action, actionId, type Grants } from '../auth/grants.ts';
import type { Settings } from '../config.ts';
import type { ContentType, Registry } from '../registry/model.ts';
import { arrayOf, type JsonSchema, objectOf, ref } from './json-schema.ts';
import { SCHEMAS_TAG, schemaPaths } from './openapi-content-type-builder.ts';
import { filtersSchema, operandFilters } from './openapi-filters.ts';
import { LOCALES_TAG, localePaths } from './openapi-locales.ts';
import {
  commonParameters,
  DOCUMENT_ID_PARAMETER,
  deleteParameters,
  fieldsParameters,
  listParameters,
  readParameters,
  writeParameters,
} from './openapi-parameters.ts';
import { dataResponse, FAILURES, type Failure, json, responses } from './openapi-responses.ts';
import { COMMON_SCHEMAS, documentSchemas, inputSchemas } from './openapi-schemas.ts';
import { UPLOAD_TAG, uploadPaths, uploadSchemas } from './openapi-upload.ts';
import { USERS_TAG, userPaths } from './openapi-users.ts';
import { operation, type Path, pathItem, type Subject as Whole } from './operations.ts';
import { type ApiShapes, routedShapes, type Shape, shapesOf } from './shapes.ts';
import { usedComponents } from './used-components.ts';

/** An OpenAPI document, ready for `JSON.stringify`. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly servers: readonly JsonSchema[];
  readonly tags: readonly JsonSchema[];
  readonly paths: Readonly<Record<string, JsonSchema>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

/** What the operations of one content type are described from. */
interface Subject extends Whole {
  readonly segment: string;
  readonly shape: Shape;
  readonly type: ContentType;
}

const INFO: JsonSchema = {
  title: 'Content API',
  version: '1.0.0',
  description:
    "Strapi 5's REST Content API. Answers show scalar attributes; `populate` brings the rest. " +
    "With the header `Strapi-Response-Format: v4` they come in Strapi 4's nested form, which is not described here.",
};

const contentOperation = (subject: Subject, action: Action, verb: string, summary: string, rest: JsonSchema) =>
  operation(
    subject,
    {
      operationId: `${verb}${subject.shape.name}`,
      tag: subject.segment,
      action: actionId(subject.type.uid, action),
      summary,
    },
    rest,
  );

const body = (data: JsonSchema): JsonSchema => ({ required: true, content: json(objectOf({ data }, ['data'])) });

const listOperation = (subject: Subject) =>
  contentOperation(subject, 'find', 'list', `List ${subject.segment}`, {
    parameters: listParameters(subject.shape),
    responses: responses(
      '200',
      dataResponse(
        'A page of documents',
        arrayOf(ref(subject.shape.name)),
        objectOf({ pagination: ref('Pagination') }),
      ),
    ),
  });

function createOperation(subject: Subject) {
  const { shape, settings } = subject;
  const asStrapi = settings.api.rest.createResponse === 'strapi';
  const created = ref(asStrapi ? shape.name : `${shape.name}Created`);
  const success = dataResponse(asStrapi ? 'The new document' : 'The new document, without numeric id', created);
  return contentOperation(subject, 'create', 'create', `Create a document of ${subject.segment}`, {
    parameters: writeParameters(shape),
    requestBody: body(ref(`${shape.name}Input`)),
    responses: responses(asStrapi ? '201' : '200', success, 'TooLarge'),
  });
}

/** Single types are read with `find`; they have no `findOne`. */
const getOperation = (subject: Subject) =>
  contentOperation(subject, subject.type.kind === 'singleType' ? 'find' : 'findOne', 'get', 'Read the document', {
    parameters: readParameters(subject.shape),
    responses: responses('200', dataResponse('The document', ref(subject.shape.name)), 'NotFound'),
  });

function updateOperation(subject: Subject) {
  const { shape, type } = subject;
  const isSingle = type.kind === 'singleType';
  const missing: readonly Failure[] = isSingle ? ['TooLarge'] : ['NotFound', 'TooLarge'];
  return contentOperation(subject, 'update', 'update', isSingle ? 'Write the document' : 'Update the document', {
    description: 'What the body does not name stays as it is; `null` clears.',
    parameters: writeParameters(shape),
    requestBody: body(ref(`${shape.name}Update`)),
    responses: responses('200', dataResponse('The document as written', ref(shape.name)), ...missing),
  });
}

const deleteOperation = (subject: Subject) =>
  contentOperation(subject, 'delete', 'delete', 'Delete the document', {
    parameters: deleteParameters(subject.shape),
    responses: responses('204', { description: 'Deleted, or was not there' }),
  });

function pathsOf(subject: Subject): readonly Path[] {
  const one = { get: getOperation(subject), put: updateOperation(subject), delete: deleteOperation(subject) };
  const path = `/api/${subject.segment}`;
  if (subject.type.kind === 'singleType') return pathItem(path, one);
  return [
    ...pathItem(path, { get: listOperation(subject), post: createOperation(subject) }),
    ...pathItem(`${path}/{documentId}`, one, [DOCUMENT_ID_PARAMETER]),
  ];
}

function schemasOf(shapes: ApiShapes, settings: Settings): Readonly<Record<string, JsonSchema>> {
  const isCreated = ({ contentType }: Shape) =>
    settings.api.rest.createResponse === 'documented' && contentType?.kind === 'collectionType' && !contentType.system;
  const named = shapes.all.flatMap((shape) => [
    ...documentSchemas(shape, shapes, isCreated(shape)),
    ...(shape.contentType?.system ? [] : inputSchemas(shape, shapes)),
    filtersSchema(shape, shapes),
  ]);
  return { ...Object.fromEntries(named), ...uploadSchemas(shapes), ...COMMON_SCHEMAS, ...operandFilters() };
}

const tagOf = ({ segment, shape }: Subject): JsonSchema => ({
  name: segment,
  ...(shape.title !== '' && { description: shape.title }),
});

const LOCAL = { url: 'http://127.0.0.1:8787', description: 'The local server of `npm run dev`' };

/** Where the API is: what is served is on the server it came from, what is a file names one. */
function serversOf({ settings, grants }: Whole): readonly JsonSchema[] {
  const { url } = settings.server;
  if (url !== '') return [{ url, description: 'The deployed Worker' }];
  return grants ? [{ url: '/', description: 'The server that this description came from' }] : [LOCAL];
}

/** Tags that operations carry. */
function tagsOf(subjects: readonly Subject[], paths: readonly Path[]): readonly JsonSchema[] {
  const operations = paths.flatMap(([, item]) => Object.values(item)) as readonly {
    readonly tags?: readonly string[];
  }[];
  const used = new Set<unknown>(operations.flatMap(({ tags = [] }) => tags));
  return [...subjects.map(tagOf), UPLOAD_TAG, USERS_TAG, LOCALES_TAG, SCHEMAS_TAG].filter(({ name }) => used.has(name));
}

/**
 * Describes every endpoint under these settings: documents, bodies, parameters, errors. The same input gives the same
 * document, key order included.
 * @param grants of whom it is for: what is not granted is not in it, nor is any type or attribute that only that would
 * show. Without grants it is for the owner of the API.
 */
export function describeOpenApi(registry: Registry, settings: Settings, grants?: Grants): OpenApiDocument {
  const shapes = shapesOf(registry, grants);
  const whole: Whole = { shapes, settings, grants };
  const subjects = routedShapes(registry, shapes).map(([segment, shape, type]) => ({ ...whole, segment, shape, type }));
  const paths = [
    ...subjects.flatMap(pathsOf),
    ...uploadPaths(whole),
    ...userPaths(whole),
    ...localePaths(whole),
    ...schemaPaths(whole),
  ];
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: serversOf(whole),
    tags: tagsOf(subjects, paths),
    paths: Object.fromEntries(paths),
    components: {
      ...usedComponents(paths, {
        schemas: schemasOf(shapes, settings),
        parameters: { ...commonParameters(settings), ...fieldsParameters(shapes.all) },
        responses: FAILURES,
      }),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the JWT of a signed-in user' },
      },
    },
  };
}

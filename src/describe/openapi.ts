/**
 * @module Registry and settings → the OpenAPI 3.1 document of a deployment's Content API.
 */
import type { Settings } from '../config.ts';
import type { ContentType, Registry } from '../registry/model.ts';
import { FILE_UID, USER_UID } from '../registry/system-types.ts';
import { arrayOf, objectOf, ref, type Schema } from './json-schema.ts';
import { filtersSchema, operandFilters } from './openapi-filters.ts';
import {
  commonParameters,
  DOCUMENT_ID,
  deleteParameters,
  fieldsParameters,
  listParameters,
  readParameters,
  writeParameters,
} from './openapi-parameters.ts';
import { answer, FAILURES, type Failure, json, operation, responses } from './openapi-responses.ts';
import { COMMON_SCHEMAS, documentSchemas, inputSchemas } from './openapi-schemas.ts';
import { UPLOAD_TAG, uploadPaths, uploadSchemas } from './openapi-upload.ts';
import { USERS_TAG, userPaths } from './openapi-users.ts';
import { routedShapes, type Shape, type Shapes, shapesOf } from './shapes.ts';

/** An OpenAPI document, ready for `JSON.stringify`. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly tags: readonly Schema[];
  readonly paths: Readonly<Record<string, Schema>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete';

/** What the operations of one content type are described from. */
interface Subject {
  readonly segment: string;
  readonly shape: Shape;
  readonly type: ContentType;
  readonly settings: Settings;
}

const INFO: Schema = {
  title: 'Content API',
  version: '1.0.0',
  description:
    "Strapi 5's REST Content API. Answers show scalar attributes; `populate` brings the rest. " +
    "With the header `Strapi-Response-Format: v4` they come in Strapi 4's nested form, which is not described here.",
};

const isPublic = ({ type, settings }: Subject, action: Action): boolean | undefined =>
  settings.roles.public?.includes(`${type.uid}.${action}`);

const contentOperation = (subject: Subject, action: Action, verb: string, summary: string, rest: Schema): Schema =>
  operation(`${verb}${subject.shape.name}`, subject.segment, isPublic(subject, action), summary, rest);

const body = (data: Schema): Schema => ({ required: true, content: json(objectOf({ data }, ['data'])) });

const listOperation = (subject: Subject): Schema =>
  contentOperation(subject, 'find', 'list', `List ${subject.segment}`, {
    parameters: listParameters(subject.shape),
    responses: responses(
      '200',
      answer('A page of documents', arrayOf(ref(subject.shape.name)), objectOf({ pagination: ref('Pagination') })),
    ),
  });

function createOperation(subject: Subject): Schema {
  const { shape, settings } = subject;
  const asStrapi = settings.api.rest.createResponse === 'strapi';
  const created = ref(asStrapi ? shape.name : `${shape.name}Created`);
  const success = answer(asStrapi ? 'The new document' : 'The new document, without numeric id', created);
  return contentOperation(subject, 'create', 'create', `Create a document of ${subject.segment}`, {
    parameters: writeParameters(shape),
    requestBody: body(ref(`${shape.name}Input`)),
    responses: responses(asStrapi ? '201' : '200', success, 'TooLarge'),
  });
}

/** Single types are read with `find`; they have no `findOne`. */
const getOperation = (subject: Subject): Schema =>
  contentOperation(subject, subject.type.kind === 'singleType' ? 'find' : 'findOne', 'get', 'Read the document', {
    parameters: readParameters(subject.shape),
    responses: responses('200', answer('The document', ref(subject.shape.name)), 'NotFound'),
  });

function updateOperation(subject: Subject): Schema {
  const { shape, type } = subject;
  const isSingle = type.kind === 'singleType';
  const missing: readonly Failure[] = isSingle ? ['TooLarge'] : ['NotFound', 'TooLarge'];
  return contentOperation(subject, 'update', 'update', isSingle ? 'Write the document' : 'Update the document', {
    description: 'What the body does not name stays as it is; `null` clears.',
    parameters: writeParameters(shape),
    requestBody: body(ref(`${shape.name}Update`)),
    responses: responses('200', answer('The document as written', ref(shape.name)), ...missing),
  });
}

const deleteOperation = (subject: Subject): Schema =>
  contentOperation(subject, 'delete', 'delete', 'Delete the document', {
    parameters: deleteParameters(subject.shape),
    responses: responses('204', { description: 'Deleted, or was not there' }),
  });

function pathsOf(subject: Subject): readonly (readonly [path: string, item: Schema])[] {
  const one = { get: getOperation(subject), put: updateOperation(subject), delete: deleteOperation(subject) };
  const path = `/api/${subject.segment}`;
  if (subject.type.kind === 'singleType') return [[path, one]];
  return [
    [path, { get: listOperation(subject), post: createOperation(subject) }],
    [`${path}/{documentId}`, { parameters: [DOCUMENT_ID], ...one }],
  ];
}

function schemasOf(shapes: Shapes, settings: Settings): Readonly<Record<string, Schema>> {
  const isCreated = ({ contentType }: Shape) =>
    settings.api.rest.createResponse === 'documented' && contentType?.kind === 'collectionType' && !contentType.system;
  const named = shapes.all.flatMap((shape) => [
    ...documentSchemas(shape, shapes, isCreated(shape)),
    ...(shape.contentType?.system ? [] : inputSchemas(shape, shapes)),
    filtersSchema(shape, shapes),
  ]);
  return { ...Object.fromEntries(named), ...uploadSchemas(shapes), ...COMMON_SCHEMAS, ...operandFilters() };
}

function failuresOf({ rateLimit }: Settings): Readonly<Record<string, Schema>> {
  const { RateLimited, ...others } = FAILURES;
  return rateLimit.auth.enabled ? FAILURES : others;
}

const tagOf = ({ segment, shape }: Subject): Schema => ({
  name: segment,
  ...(shape.title !== '' && { description: shape.title }),
});

/**
 * Describes every endpoint of content and of users under these settings: documents, bodies, parameters, errors. The
 * same input gives the same document, key order included.
 */
export function describeOpenApi(registry: Registry, settings: Settings): OpenApiDocument {
  const shapes = shapesOf(registry);
  const subjects = routedShapes(registry, shapes).map(([segment, shape, type]) => ({ segment, shape, type, settings }));
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: '/', description: 'The Worker that serves this document' }],
    tags: [...subjects.map(tagOf), UPLOAD_TAG, { name: USERS_TAG, description: 'Accounts, signing in, and roles' }],
    paths: {
      ...Object.fromEntries([...subjects.flatMap(pathsOf), ...uploadPaths(shapes, settings)]),
      ...userPaths(shapes, settings),
    },
    components: {
      schemas: schemasOf(shapes, settings),
      parameters: {
        ...commonParameters(settings),
        ...fieldsParameters([...subjects.map(({ shape }) => shape), shapes.of(USER_UID), shapes.of(FILE_UID)]),
      },
      responses: failuresOf(settings),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the JWT of a signed-in user' },
      },
    },
  };
}

/**
 * @module Operations of the OpenAPI document, as features declare them → its paths, filtered by grants.
 */
import { type Action, actionId, type Grants, roleGrants } from '../../access/grants.ts';
import type { ContentType } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { common, integerSchema, type JsonSchema, type Schemas, text } from './json-schema.ts';
import type { ApiShapes, Shape } from './shapes.ts';

export interface Subject {
  readonly shapes: ApiShapes;
  readonly settings: Settings;
  /** Of the reader; undefined for the owner of the API, who sees everything. */
  readonly grants: Grants | undefined;
  /** Those that are on. */
  readonly features: readonly FeatureDescription[];
}

/** A content type with a route. */
export interface TypeSubject extends Subject {
  readonly segment: string;
  readonly shape: Shape;
  readonly type: ContentType;
  /** Schemas of the presets of `populates`, by their names with `@`. */
  readonly presets: Schemas;
}

/** `GET /api/upload/files/{id}` */
type Route = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;

export interface Operation {
  readonly route: Route;
  readonly operationId: string;
  readonly tag: string;
  /** The required grant, or several of which one is enough: `api::article.article.find`. Undefined: public. */
  readonly action: string | readonly string[] | undefined;
  /** Without a grant, but for signed-in users alone. */
  readonly isForUsers?: true;
  readonly summary: string;
  readonly description?: string;
  /** Attributes whose values stand for a documentId in the path. */
  readonly 'x-lookups'?: readonly string[];
  /** Presets that `populate` names → what documents have with them. */
  readonly 'x-presets'?: Schemas;
  /** Of the path; absent: a number for `{id}`, a text for each other name. */
  readonly pathParameters?: readonly JsonSchema[];
  readonly parameters?: readonly JsonSchema[] | undefined;
  readonly requestBody?: JsonSchema;
  readonly responses: JsonSchema;
}

/** What a feature adds to the description. */
export interface FeatureDescription {
  /** Absent if its operations are with those of their types. */
  readonly tag?: JsonSchema;
  /** Returns the operations below the path of a document. */
  documentOperations?(subject: TypeSubject): readonly Operation[];
  /** Parameters of `GET /uploads/{key}`. */
  readonly bytesParameters?: readonly JsonSchema[];
  /** Returns its other operations. */
  operations?(subject: Subject, types: readonly ContentType[]): readonly Operation[];
  /** Returns its schemas, in addition to those of content types. */
  schemas?(shapes: ApiShapes): Schemas;
}

export const documentPath = ({ segment, type }: TypeSubject): `/${string}` =>
  `/api/${segment}${type.kind === 'singleType' ? '' : '/{documentId}'}`;

type Rest = Omit<Operation, 'route' | 'tag' | 'action' | 'operationId' | 'summary'>;

/** Returns a function that declares operations with this tag. */
export const tagged =
  (tag: string) =>
  (route: Route, action: Operation['action'], operationId: string, summary: string, rest: Rest): Operation => ({
    ...{ route, action, operationId, tag, summary },
    ...rest,
  });

/** Declares an operation of a content type. @param verb `list` → `listArticle` */
export const typeOperation = (
  { segment, shape, type }: TypeSubject,
  route: Route,
  action: Action,
  verb: string,
  summary: string,
  rest: Rest,
): Operation => tagged(segment)(route, actionId(type.uid, action), `${verb}${shape.name}`, summary, rest);

/** Returns the grants of an operation that the reader has. */
const grantsOf = ({ action = [] }: Operation, { grants }: Subject): readonly string[] =>
  [action].flat().filter((id) => !grants || grants.allows(id));

export const isGranted = (operation: Operation, subject: Subject): boolean =>
  operation.action === undefined || grantsOf(operation, subject).length > 0;

/** `security` is optional if the public role has the grant. */
function operationObject(operation: Operation, subject: Subject): JsonSchema {
  const { route: _, pathParameters: __, operationId, summary, tag, action, isForUsers, ...rest } = operation;
  const isPublic = grantsOf(operation, subject).some((id) => roleGrants(subject.settings, 'public').allows(id));
  const credentials = isPublic ? [{ bearer: [] }, {}] : [{ bearer: [] }];
  const security = action === undefined && !isForUsers ? [] : credentials;
  return { operationId, summary, tags: [tag], security, ...rest };
}

export const pathParameter = (name: string, schema: JsonSchema = text): JsonSchema =>
  name === 'documentId' ? common('DocumentId') : { name, in: 'path', required: true, schema };

export const queryParameter = (name: string, schema: JsonSchema = text): JsonSchema => ({ name, in: 'query', schema });

/** Of the path of a user or a file. */
export const rowParameter = ({ api }: Settings): JsonSchema =>
  api.rest.extensions
    ? { ...pathParameter('id', { anyOf: [integerSchema, text] }), description: 'The id, or the documentId.' }
    : pathParameter('id', integerSchema);

const parametersOf = (path: string): readonly JsonSchema[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(name, name === 'id' ? integerSchema : text));

const methodOf = ({ route }: Operation): string => route.slice(0, route.indexOf(' ')).toLowerCase();

/** Returns the paths of the operations that the reader is granted. */
export function pathsOf(operations: readonly Operation[], subject: Subject): Schemas {
  const paths = [...Map.groupBy(operations, ({ route }) => route.slice(route.indexOf('/')))].flatMap(
    ([path, ofPath]) => {
      const seen = ofPath.filter((operation) => isGranted(operation, subject));
      const parameters = ofPath[0]?.pathParameters ?? parametersOf(path);
      const objects = seen.map((operation) => [methodOf(operation), operationObject(operation, subject)] as const);
      const item = { ...(parameters.length > 0 && { parameters }), ...Object.fromEntries(objects) };
      return seen.length > 0 ? [[path, item] as const] : [];
    },
  );
  return Object.fromEntries(paths);
}

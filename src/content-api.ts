/**
 * @module The walk of a request in straight lines: parameters, plan, statements, rows, documents, body.
 */
import { type Credential, doubted } from './auth/credential.ts';
import { type Action, actionId, type Grants } from './auth/grants.ts';
import { performRead, performWrite, type Session, type Work } from './auth/perform.ts';
import { defaultLocale, type Settings } from './config.ts';
import { assemble, type Document } from './document/assemble.ts';
import { readCurrent } from './document/current.ts';
import { toV4 } from './document/format-v4.ts';
import { type Body, formatList, formatOne } from './document/format-v5.ts';
import { ApiError, forbidden, notFound } from './errors.ts';
import { meansAt } from './means.ts';
import { refuseExcess } from './plan/body-size.ts';
import { planDelete } from './plan/plan-delete.ts';
import { planList, planOne, type Reader } from './plan/plan-read.ts';
import { planWrite } from './plan/plan-write.ts';
import { planQuestions } from './plan/questions.ts';
import type { ReadPlan } from './plan/read-plan.ts';
import { uniqueViolation } from './plan/unique-values.ts';
import { checkKeys } from './plan/validate-keys.ts';
import { statusOf, writtenLocale } from './plan/versions.ts';
import type { WritePlan } from './plan/write-plan.ts';
import type { Current, WriteRequest } from './plan/write-request.ts';
import type { ContentType, Registry } from './registry/model.ts';
import type { InputData } from './request/body.ts';
import { parseQueryParams, type QueryParams } from './request/query-params.ts';
import type { RawQuery } from './request/query-string.ts';
import { AssertionFailed, CONFLICT, type Row } from './sql/batch.ts';
import { compileWrite } from './sql/mutate.ts';
import { compileQuestions, compileUnchanged } from './sql/questions.ts';
import { compileRead } from './sql/select.ts';
import type { Statement } from './sql/statement.ts';

/** How documents are told: flat, or nested as Strapi 4 had them. */
export type Format = 'v5' | 'v4';

/** One request to one content type. */
export interface Call extends Session {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly credential: Credential;
  readonly type: ContentType;
  readonly format: Format;
  /** Absent for lists, creates and single types. */
  readonly documentId?: string;
  readonly query: () => RawQuery;
}

export interface WriteCall extends Call {
  /** Reads and parses the body; called only once the caller is known to be allowed. */
  readonly data: () => InputData;
  readonly newDocumentId: string;
}

/** How often a write is planned again because another one came between its reading and its writing. */
const ATTEMPTS = 10;
const LONGEST_PAUSE = 40;

/** Writers that met once do not meet again at the same time. */
const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(LONGEST_PAUSE, 2 ** attempt)));

function refuse(grants: Grants, type: ContentType, action: Action): void {
  if (!grants.allows(actionId(type.uid, action))) throw forbidden();
}

const readerOf = ({ registry, settings }: Call, credential: Credential): Reader => ({
  registry,
  settings,
  grants: credential.grants,
  mayReadDrafts: credential.kind !== 'public' || settings.api.rest.publicDrafts,
});

function shown(row: Row, plan: ReadPlan, format: Format): Document {
  const document = assemble(row, plan);
  return format === 'v4' ? toV4(document, plan.selection) : document;
}

const documentsOf = (rows: readonly Row[], plan: ReadPlan, format: Format): readonly Document[] =>
  rows.map((row) => shown(row, plan, format));

/** `GET /api/:pluralApiId` */
export async function find(call: Call): Promise<Body> {
  const { value } = await performRead(call, call.credential, (credential): Work<Body> => {
    refuse(credential.grants, call.type, 'find');
    const params = parseQueryParams(call.query(), 'list', call.settings);
    const plan = planList(params, call.type, readerOf(call, credential));
    const finish = ([page = [], count]: readonly (readonly Row[])[]) =>
      formatList(documentsOf(page, plan, call.format), plan.page, count && Number(count[0]?.total ?? 0));
    return { statements: compileRead(plan), finish };
  });
  return value;
}

/** `GET /api/:pluralApiId/:documentId` and `GET /api/:singularApiId` */
export async function findOne(call: Call): Promise<Body> {
  const { value } = await performRead(call, call.credential, (credential): Work<Body> => {
    refuse(credential.grants, call.type, call.type.kind === 'singleType' ? 'find' : 'findOne');
    const params = parseQueryParams(call.query(), 'one', call.settings);
    const plan = planOne(params, call.type, call.documentId, readerOf(call, credential));
    return { statements: compileRead(plan), finish: ([page = []]) => formatOne(found(page, plan, call.format)) };
  });
  return value;
}

function found(rows: readonly Row[], plan: ReadPlan, format: Format): Document {
  const [row] = rows;
  if (!row) throw notFound();
  return shown(row, plan, format);
}

interface Prepared {
  readonly request: WriteRequest;
  readonly readBack: ReadPlan;
  readonly current: Current;
  /** Assertions that what was read before the write is still so. */
  readonly unchanged: readonly Statement[];
}

/** Everything that can be refused without the database, and the questions to it. */
function prepare(call: WriteCall, operation: 'create' | 'update', credential: Credential): Work<Prepared> {
  refuse(credential.grants, call.type, operation);
  const { filters: _, search: __, publicationFilter: ___, ...params } = writeParams(call);
  const request = writeRequest(call, operation, params, credential.grants);
  const reader = { ...readerOf(call, credential), isWriter: true };
  const readBack = planOne(
    { ...params, sort: [] },
    call.type,
    call.type.kind === 'singleType' ? undefined : request.documentId,
    reader,
  );
  const questions = planQuestions(request);
  const finish = (rows: readonly (readonly Row[])[]): Prepared => ({
    request,
    readBack,
    current: readCurrent(questions, rows),
    unchanged: compileUnchanged(questions, rows),
  });
  return { statements: compileQuestions(questions), finish, asserted: true };
}

const writeParams = (call: Call): QueryParams => parseQueryParams(call.query(), 'one', call.settings);

function writeRequest(call: WriteCall, asked: 'create' | 'update', params: QueryParams, grants: Grants): WriteRequest {
  const { type, settings } = call;
  const locale = writtenLocale(type, params, defaultLocale(settings));
  const data = call.data();
  refuseExcess(data, type, call.registry, settings.api.rest.limits);
  checkKeys(data, type, call.registry, grants);
  const documentId = call.documentId ?? call.newDocumentId;
  const operation = type.kind === 'singleType' ? 'update' : asked;
  const status = statusOf(type, params.status);
  const fallback = defaultLocale(settings);
  const { strictRelations } = settings.api.documents;
  return {
    registry: call.registry,
    strictRelations,
    type,
    documentId,
    locale,
    defaultLocale: fallback,
    status,
    operation,
    data,
  };
}

function explain(error: unknown, request: WriteRequest): unknown {
  return (error instanceof AssertionFailed && uniqueViolation(error.code, request)) || error;
}

const isConflict = (error: unknown): boolean => error instanceof AssertionFailed && error.code === CONFLICT;

/** The document as written; undefined when the write has to be planned again. */
async function writeOnce(
  call: WriteCall,
  operation: 'create' | 'update',
  expected: Credential,
): Promise<Body | undefined> {
  const { value, credential } = await performRead(call, expected, (assumed) => prepare(call, operation, assumed));
  const { request, readBack, current, unchanged } = value;
  const plan = planWrite(request, current, meansAt(call));
  try {
    const rows = await performWrite(call, credential, [...unchanged, ...compileWrite(plan), ...compileRead(readBack)]);
    return rows && formatOne(found(rows.at(-1) ?? [], readBack, call.format));
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw explain(error, request);
  }
}

/** `POST /api/:pluralApiId`, and `PUT` of a document: two round trips at most, and all or nothing. */
export async function write(call: WriteCall, operation: 'create' | 'update'): Promise<Body> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await pause(attempt);
    const body = await writeOnce(call, operation, attempt > 0 ? doubted(call.credential) : call.credential);
    if (body) return body;
  }
  throw new ApiError({ kind: 'overloaded', retryAfter: 1 });
}

/** `DELETE` of a document: its rows in one locale, or in all with `locale=*`. Deleting nothing is no error. */
export async function remove(call: Call): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const expected = attempt > 0 ? doubted(call.credential) : call.credential;
    const { value, credential } = await performRead(call, expected, (assumed): Work<WritePlan> => {
      refuse(assumed.grants, call.type, 'delete');
      const plan = planDelete(writeParams(call), call.type, call.documentId, readerOf(call, assumed));
      return { statements: [], finish: () => plan, asserted: true };
    });
    if (await performWrite(call, credential, compileWrite(value))) return;
  }
  throw new ApiError({ kind: 'overloaded', retryAfter: 1 });
}

/**
 * @module The walk of a request in straight lines: parameters, plan, statements, rows, documents, body.
 */
import { type Action, actionId, type Grants, refuseUnless } from './auth/grants.ts';
import { defaultLocale } from './config.ts';
import { assemble } from './document/assemble.ts';
import { readCurrent } from './document/current.ts';
import type { Document } from './document/document.ts';
import { toV4 } from './document/format-v4.ts';
import { type Body, formatList, formatOne } from './document/format-v5.ts';
import { notFound } from './errors.ts';
import { type CacheKeys, type ReadResponse, type ResponseWork, readResponse } from './execute/cached-response.ts';
import { type Call, readerOf } from './execute/call.ts';
import { withCredential } from './execute/caller.ts';
import type { ReadPlan } from './plan/model/read-plan.ts';
import { effectiveStatus, writtenLocale } from './plan/model/versions.ts';
import type { WriteRequest } from './plan/model/write-request.ts';
import { writeCursor } from './plan/read/cursor.ts';
import { dependenciesOf } from './plan/read/dependencies.ts';
import { planList, planOne, type Reader, refuseUnknownKeys, withoutBody } from './plan/read/plan-read.ts';
import { refuseExcess } from './plan/validate/body-size.ts';
import { duplicateValue, uniqueViolation } from './plan/validate/unique-values.ts';
import { checkKeys } from './plan/validate/validate-keys.ts';
import { touchedBy } from './plan/write/invalidation.ts';
import { doomedRows, planDelete } from './plan/write/plan-delete.ts';
import { planWrite } from './plan/write/plan-write.ts';
import { planPreconditions } from './plan/write/preconditions.ts';
import type { ContentType } from './registry/model.ts';
import type { InputData } from './request/body.ts';
import { parseQueryParams, type QueryParams } from './request/query-params.ts';
import { AssertionFailed, DuplicateValue } from './sql/batch.ts';
import { type Compiled, known, mapped } from './sql/compiled.ts';
import { ANY_DOCUMENT } from './sql/pieces.ts';
import { compileRead } from './sql/read/select.ts';
import type { Row } from './sql/statement.ts';
import { compileWrite } from './sql/write/mutate.ts';
import { type Chosen, compileChosen, compilePreconditions } from './sql/write/preconditions.ts';

/** Format of documents in responses: flat, or nested as in Strapi 4. */
export type Format = 'v5' | 'v4';

/** One request to one content type. */
export interface ContentCall extends Call {
  readonly type: ContentType;
  readonly format: Format;
  /** Absent for lists, creates and single types. */
  readonly documentId?: string;
}

export interface WriteCall extends ContentCall {
  /** Parses the body on first use: only after the grant was checked. */
  readonly data: () => InputData;
  readonly newDocumentId: string;
}

/** Whose rights a plan depends on. */
interface Asker {
  readonly grants: Grants;
}

const refuse = ({ grants }: Asker, { type }: ContentCall, action: Action): void =>
  refuseUnless(grants, actionId(type.uid, action));

function shown(rows: readonly Row[], plan: ReadPlan, format: Format): readonly Document[] {
  const documents = assemble(rows, plan);
  return format === 'v4' ? documents.map((document) => toV4(document, plan.selection)) : documents;
}

const oneDocument = (plan: ReadPlan, format: Format): Compiled<Body> =>
  mapped(compileRead(plan), ({ rows }) => {
    const [document] = shown(rows, plan, format);
    if (!document) throw notFound();
    return formatOne(document);
  });

const listOfDocuments = (plan: ReadPlan, format: Format): Compiled<Body> =>
  mapped(compileRead(plan), ({ rows, total, next }) => {
    const documents = shown(rows, plan, format);
    return formatList(documents, plan.page, total, plan.cursor && next ? writeCursor(plan.cursor, next) : null);
  });

/** HEAD goes by the stamps of all that GET shows, so that both have one tag, and a cache drops both. */
const answerOf = (
  call: ContentCall,
  plan: ReadPlan,
  compiled: (plan: ReadPlan, format: Format) => Compiled<Body>,
): ResponseWork => ({
  names: dependenciesOf(plan),
  work: compiled(call.bodiless ? withoutBody(plan) : plan, call.format),
});

const answerReader = (call: ContentCall, asker: Asker): Reader => ({ ...readerOf(call, asker), bodiless: false });

const cacheKeysOf = ({ format, pathname, search, type, documentId }: ContentCall): CacheKeys => ({
  responseKey: `${format} ${pathname}${search}`,
  planKey: `${format} ${type.uid} ${documentId === undefined ? 'list' : 'document'} ${search}`,
  ...(documentId !== undefined && { documentId }),
});

/** `GET /api/:pluralApiId` */
export const find = (call: ContentCall): Promise<ReadResponse> =>
  readResponse(call, cacheKeysOf(call), (asker) => {
    refuse(asker, call, 'find');
    const params = parseQueryParams(call.query(), 'list', call.settings);
    return answerOf(call, planList(params, call.type, answerReader(call, asker)), listOfDocuments);
  });

/** `GET /api/:pluralApiId/:documentId` and `GET /api/:singularApiId` */
export const findOne = (call: ContentCall): Promise<ReadResponse> =>
  readResponse(call, cacheKeysOf(call), (asker) => {
    refuse(asker, call, call.type.kind === 'singleType' ? 'find' : 'findOne');
    const params = parseQueryParams(call.query(), 'one', call.settings);
    const whichever = call.documentId === undefined ? undefined : ANY_DOCUMENT;
    return answerOf(call, planOne(params, call.type, whichever, answerReader(call, asker)), oneDocument);
  });

const writeParams = (call: ContentCall): QueryParams => parseQueryParams(call.query(), 'write', call.settings);

function writeRequest(call: WriteCall, asked: 'create' | 'update', params: QueryParams, { grants }: Asker) {
  const { registry, type, settings } = call;
  const locale = writtenLocale(type, params, defaultLocale(settings));
  const data = call.data();
  refuseExcess(data, type, registry, settings.api.rest.limits);
  checkKeys(data, type, registry, grants);
  const request: WriteRequest = {
    registry,
    strictRelations: settings.api.documents.strictRelations,
    type,
    documentId: call.documentId ?? call.newDocumentId,
    locale,
    defaultLocale: defaultLocale(settings),
    status: effectiveStatus(type, params.status),
    operation: type.kind === 'singleType' ? 'update' : asked,
    data,
  };
  return request;
}

/** What the answer shows; filters and sort have no effect there. */
function readBack(call: WriteCall, params: QueryParams, asker: Asker) {
  const documentId = call.type.kind === 'singleType' ? undefined : (call.documentId ?? call.newDocumentId);
  const { filters: _, search: __, publicationFilter: ___, ...rest } = params;
  const reader = { ...readerOf(call, asker), isWriter: true };
  refuseUnknownKeys(params, call.type, reader);
  return planOne({ ...rest, sort: [] }, call.type, documentId, reader);
}

function explained(failure: unknown, request: WriteRequest): unknown {
  if (failure instanceof AssertionFailed) return uniqueViolation(failure.code, request) ?? failure;
  return failure instanceof DuplicateValue ? duplicateValue(failure.index, request) : failure;
}

/**
 * `POST /api/:pluralApiId`, and `PUT` of a document. What can be refused without the database is refused before it is asked;
 * that values are unique is left to the write at first.
 */
export const write = (call: WriteCall, operation: 'create' | 'update'): Promise<Body> =>
  withCredential(call, { source: 'primary', optimistic: true }, async (caller, isOptimistic) => {
    refuse(caller, call, operation);
    const params = writeParams(call);
    const result = oneDocument(readBack(call, params, caller), call.format);
    const request = writeRequest(call, operation, params, caller);
    const preconditions = planPreconditions(request, { unique: !isOptimistic });
    const read = compilePreconditions(preconditions);
    const cache = isOptimistic && operation === 'create' ? call.caches.targets.through(read) : undefined;
    const answers = await caller.read(cache?.read ?? read);
    const plan = planWrite(request, readCurrent(preconditions, answers), caller.writeContext);
    const body = await caller.write({
      statements: [...answers.unchanged, ...compileWrite(plan)],
      result,
      touched: touchedBy(plan),
      explain: (failure) => explained(failure, request),
    });
    cache?.done();
    return body;
  });

const EVERY_ROW: Compiled<Partial<Chosen>> = known({});

/** `DELETE` of a document: its rows in one locale, or in all with `locale=*`. Deleting nothing is no error. */
export const remove = (call: ContentCall): Promise<void> =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    refuse(caller, call, 'delete');
    const { rows, chosen } = doomedRows(writeParams(call), call.type, call.documentId, readerOf(call, caller));
    const { ids, unchanged = [] } = await caller.read(chosen ? compileChosen(chosen) : EVERY_ROW);
    const plan = planDelete({ ...rows, ...(ids && { ids }) }, call.registry);
    await caller.write({
      statements: [...unchanged, ...compileWrite(plan)],
      result: known(undefined),
      touched: touchedBy(plan),
    });
  });

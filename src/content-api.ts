/**
 * @module The walk of a request in straight lines: parameters, plan, statements, rows, documents, body.
 */
import type { Credential } from './auth/credential.ts';
import { type Action, actionId, refuseUnless } from './auth/grants.ts';
import { defaultLocale } from './config.ts';
import { assemble, type Document } from './document/assemble.ts';
import { readCurrent } from './document/current.ts';
import { toV4 } from './document/format-v4.ts';
import { type Body, formatList, formatOne } from './document/format-v5.ts';
import { notFound } from './errors.ts';
import { type Answer, type AnswerWork, type Question, readAnswer } from './execute/answer.ts';
import { type Call, readerOf } from './execute/call.ts';
import { commitOne, Unsure, type Write } from './execute/commit.ts';
import { refuseExcess } from './plan/body-size.ts';
import { writeCursor } from './plan/cursor.ts';
import { dependenciesOf } from './plan/dependencies.ts';
import { doomedRows, planDelete } from './plan/plan-delete.ts';
import { planQuestions } from './plan/plan-questions.ts';
import { planList, planOne, type Reader, refuseUnknownKeys, withoutBody } from './plan/plan-read.ts';
import { planWrite } from './plan/plan-write.ts';
import type { ReadPlan } from './plan/read-plan.ts';
import { touchedBy } from './plan/touched.ts';
import { duplicateValue, uniqueViolation } from './plan/unique-values.ts';
import { checkKeys } from './plan/validate-keys.ts';
import { statusOf, writtenLocale } from './plan/versions.ts';
import type { WriteRequest } from './plan/write-request.ts';
import type { ContentType } from './registry/model.ts';
import type { InputData } from './request/body.ts';
import { parseQueryParams, type QueryParams } from './request/query-params.ts';
import { AssertionFailed, DuplicateValue, type Row } from './sql/batch.ts';
import { type Compiled, known, mapped } from './sql/compiled.ts';
import { compileWrite } from './sql/mutate.ts';
import { type Chosen, compileChosen, compileQuestions } from './sql/questions.ts';
import { compileRead } from './sql/select.ts';
import { ANY_DOCUMENT } from './sql/statement.ts';

/** How documents are told: flat, or nested as Strapi 4 had them. */
export type Format = 'v5' | 'v4';

/** One request to one content type. */
export interface ContentCall extends Call {
  readonly type: ContentType;
  readonly format: Format;
  /** Absent for lists, creates and single types. */
  readonly documentId?: string;
}

export interface WriteCall extends ContentCall {
  /** Parses the body when it is asked for the first time: only once the caller may be allowed. */
  readonly data: () => InputData;
  readonly newDocumentId: string;
}

const refuse = ({ grants }: Credential, { type }: ContentCall, action: Action): void =>
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
function answering(
  call: ContentCall,
  credential: Credential,
  planned: (reader: Reader) => ReadPlan,
  making: (plan: ReadPlan, format: Format) => Compiled<Body>,
): AnswerWork {
  const plan = planned({ ...readerOf(call, credential), bodiless: false });
  return { names: dependenciesOf(plan), work: making(call.bodiless ? withoutBody(plan) : plan, call.format) };
}

const questionOf = ({ format, pathname, search, type, documentId }: ContentCall): Question => ({
  text: `${format} ${pathname}${search}`,
  shape: `${format} ${type.uid} ${documentId === undefined ? 'list' : 'document'} ${search}`,
  ...(documentId !== undefined && { documentId }),
});

/** `GET /api/:pluralApiId` */
export const find = (call: ContentCall): Promise<Answer> =>
  readAnswer(call, questionOf(call), (credential) => {
    refuse(credential, call, 'find');
    const params = parseQueryParams(call.query(), 'list', call.settings);
    return answering(call, credential, (reader) => planList(params, call.type, reader), listOfDocuments);
  });

/** `GET /api/:pluralApiId/:documentId` and `GET /api/:singularApiId` */
export const findOne = (call: ContentCall): Promise<Answer> =>
  readAnswer(call, questionOf(call), (credential) => {
    refuse(credential, call, call.type.kind === 'singleType' ? 'find' : 'findOne');
    const params = parseQueryParams(call.query(), 'one', call.settings);
    const whichever = call.documentId === undefined ? undefined : ANY_DOCUMENT;
    return answering(call, credential, (reader) => planOne(params, call.type, whichever, reader), oneDocument);
  });

const writeParams = (call: ContentCall): QueryParams => parseQueryParams(call.query(), 'write', call.settings);

function writeRequest(call: WriteCall, asked: 'create' | 'update', params: QueryParams, { grants }: Credential) {
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
    status: statusOf(type, params.status),
    operation: type.kind === 'singleType' ? 'update' : asked,
    data,
  };
  return request;
}

/** What the answer shows; filters and sort have no effect there. */
function readBack(call: WriteCall, params: QueryParams, credential: Credential) {
  const documentId = call.type.kind === 'singleType' ? undefined : (call.documentId ?? call.newDocumentId);
  const { filters: _, search: __, publicationFilter: ___, ...rest } = params;
  const reader = { ...readerOf(call, credential), isWriter: true };
  refuseUnknownKeys(params, call.type, reader);
  return planOne({ ...rest, sort: [] }, call.type, documentId, reader);
}

function explained(failure: unknown, request: WriteRequest): unknown {
  if (failure instanceof AssertionFailed) return uniqueViolation(failure.code, request) ?? failure;
  return failure instanceof DuplicateValue ? duplicateValue(failure.index, request) : failure;
}

/** @throws Unsure in place of whatever `work` throws, while something is assumed. */
function sure<T>(isUnsure: boolean, work: () => T): T {
  if (!isUnsure) return work();
  try {
    return work();
  } catch (cause) {
    throw new Unsure('planned on an assumption', { cause });
  }
}

/** Everything that can be refused without the database is refused before it is asked; that values are unique is assumed. */
const writing = (call: WriteCall, operation: 'create' | 'update'): Write<Body> => ({
  leaves: operation === 'create' ? 'same' : 'changed',
  ask(credential, assuming) {
    refuse(credential, call, operation);
    const params = writeParams(call);
    const result = oneDocument(readBack(call, params, credential), call.format);
    const request = writeRequest(call, operation, params, credential);
    const all = planQuestions(request);
    const isUnsure = assuming && all.unique.length + all.placed.length > 0;
    const questions = isUnsure ? { ...all, unique: [], placed: [] } : all;
    return mapped(compileQuestions(questions), (answers) => (_, means) => {
      const plan = sure(isUnsure, () => planWrite(request, readCurrent(questions, answers), means));
      return {
        statements: [...answers.unchanged, ...compileWrite(plan)],
        result,
        touched: touchedBy(plan),
        explain: (failure) =>
          isUnsure && failure instanceof AssertionFailed ? new Unsure() : explained(failure, request),
      };
    });
  },
});

/** `POST /api/:pluralApiId`, and `PUT` of a document. */
export const write = (call: WriteCall, operation: 'create' | 'update'): Promise<Body> =>
  commitOne(call, writing(call, operation));

const EVERY_ROW: Compiled<Partial<Chosen>> = known({});

const removing = (call: ContentCall): Write<undefined> => ({
  ask(credential) {
    refuse(credential, call, 'delete');
    const { rows, chosen } = doomedRows(writeParams(call), call.type, call.documentId, readerOf(call, credential));
    return mapped(chosen ? compileChosen(chosen) : EVERY_ROW, ({ ids, unchanged = [] }: Partial<Chosen>) => () => {
      const plan = planDelete({ ...rows, ...(ids && { ids }) }, call.registry);
      return { statements: [...unchanged, ...compileWrite(plan)], result: known(undefined), touched: touchedBy(plan) };
    });
  },
});

/** `DELETE` of a document: its rows in one locale, or in all with `locale=*`. Deleting nothing is no error. */
export const remove = (call: ContentCall): Promise<void> => commitOne(call, removing(call));

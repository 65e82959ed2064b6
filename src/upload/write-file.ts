/**
 * @module Rows of files, written like any document: planned, checked, one batch.
 */
import { type Credential, doubted } from '../auth/credential.ts';
import { performRead, performWrite } from '../auth/perform.ts';
import { defaultLocale } from '../config.ts';
import type { Document } from '../document/assemble.ts';
import { ApiError } from '../errors.ts';
import { meansAt } from '../means.ts';
import { planOne } from '../plan/plan-read.ts';
import { planWrite } from '../plan/plan-write.ts';
import type { ReadPlan } from '../plan/read-plan.ts';
import { NO_LOCALE } from '../plan/versions.ts';
import type { Current, WriteRequest } from '../plan/write-request.ts';
import type { InputData } from '../request/body.ts';
import { NO_PARAMS } from '../request/plain-params.ts';
import { AssertionFailed, CONFLICT, type Row } from '../sql/batch.ts';
import { compileWrite } from '../sql/mutate.ts';
import { compileUnchangedRow } from '../sql/questions.ts';
import { compileRead } from '../sql/select.ts';
import type { Statement } from '../sql/statement.ts';
import { fileType, readerOf, refuse, type StoredFile, shown, type UploadCall } from './call.ts';

export interface NewFile {
  readonly documentId: string;
  readonly data: InputData;
}

function requestOf(
  call: UploadCall,
  documentId: string,
  operation: 'create' | 'update',
  data: InputData,
): WriteRequest {
  const { registry, settings } = call;
  return {
    registry,
    strictRelations: settings.api.documents.strictRelations,
    type: fileType(call),
    documentId,
    locale: NO_LOCALE,
    defaultLocale: defaultLocale(settings),
    status: 'published',
    operation,
    data,
  };
}

const NOTHING: Current = { taken: new Set(), targets: new Map(), links: new Map() };

const planOf = (call: UploadCall, credential: Credential, documentId: string): ReadPlan =>
  planOne(NO_PARAMS, fileType(call), documentId, readerOf(call, credential));

const ATTEMPTS = 5;

/**
 * Runs a write of files. A credential that has changed since is read again: who may upload no longer is told so.
 * @throws ApiError 401 or 403 for a caller who lost the right meanwhile, 503 when that does not end.
 */
async function insistently(
  call: UploadCall,
  credential: Credential,
  statements: readonly Statement[],
): Promise<readonly (readonly Row[])[]> {
  let current = credential;
  for (let tries = 0; tries < ATTEMPTS; tries += 1) {
    const rows = await performWrite(call, current, statements);
    if (rows) return rows;
    const read = await performRead(call, doubted(current), ({ grants }) => {
      refuse(grants, 'upload');
      return { statements: [], finish: () => undefined };
    });
    current = read.credential;
  }
  throw new ApiError({ kind: 'overloaded', retryAfter: 1 });
}

/** Which of these documents are there, as far as the database says. */
async function present(call: UploadCall, plans: readonly ReadPlan[]): Promise<readonly (readonly Row[])[]> {
  const rows = await call.database.run(plans.flatMap(compileRead), 'write');
  return rows.every(([row]) => row) ? rows : [];
}

/**
 * Writes new files and what comes with them.
 * @throws what the database says, unless the rows are there all the same: a write may be done though its answer is lost.
 */
export async function insertFiles(
  call: UploadCall,
  credential: Credential,
  files: readonly NewFile[],
  extra: readonly Statement[],
): Promise<readonly Document[]> {
  const plans = files.map(({ documentId }) => planOf(call, credential, documentId));
  const writes = files.flatMap(({ documentId, data }) =>
    compileWrite(planWrite(requestOf(call, documentId, 'create', data), NOTHING, meansAt(call))),
  );
  const documents = (rows: readonly (readonly Row[])[]) =>
    plans.flatMap((plan, index) => (rows[index] ?? []).map((row) => shown(row, plan)));
  try {
    const rows = await insistently(call, credential, [...writes, ...extra, ...plans.flatMap(compileRead)]);
    return documents(rows.slice(-plans.length));
  } catch (error) {
    const rows = await present(call, plans).catch(() => []);
    if (rows.length === 0) throw error;
    return documents(rows);
  }
}

/** Aborts a batch when the file was written or deleted since it was read. */
export const assertUnchanged = (call: UploadCall, { id, updatedAt }: StoredFile): Statement =>
  compileUnchangedRow(fileType(call), id, updatedAt);

/**
 * Does its work once more when the file was written meanwhile.
 * @param work is told whether it is done again, and has to read the file then.
 * @throws ApiError 503 when that does not end.
 */
export async function againWhenMet<T>(work: (again: boolean) => Promise<T>): Promise<T> {
  for (let tries = 0; tries < ATTEMPTS; tries += 1) {
    try {
      return await work(tries > 0);
    } catch (error) {
      if (!(error instanceof AssertionFailed) || error.code !== CONFLICT) throw error;
    }
  }
  throw new ApiError({ kind: 'overloaded', retryAfter: 1 });
}

/** @throws AssertionFailed `CONFLICT` when the file was written or deleted since it was read. */
export async function updateFile(
  call: UploadCall,
  credential: Credential,
  file: StoredFile,
  data: InputData,
): Promise<Document> {
  const { documentId, updatedAt } = file;
  const request = requestOf(call, documentId, 'update', data);
  const row = { documentId, locale: NO_LOCALE, status: 'published', values: new Map(), updatedAt } as const;
  const plan = planOf(call, credential, documentId);
  const writes = compileWrite(planWrite(request, { ...NOTHING, row }, meansAt(call)));
  const rows = await insistently(call, credential, [assertUnchanged(call, file), ...writes, ...compileRead(plan)]);
  const [written] = rows.at(-1) ?? [];
  if (!written) throw new Error('a file that was written is not there');
  return shown(written, plan);
}

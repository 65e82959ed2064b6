/**
 * @module Changes of rows of files: planned like documents, and read back in the same batch.
 */

import { notFound } from '../../common/errors.ts';
import type { Document } from '../../content/document/document.ts';
import { systemCurrent, systemWrite, type Target } from '../../content/operations/system-rows.ts';
import type { WritePlan } from '../../content/plan/model/write-plan.ts';
import { planOne } from '../../content/plan/read/plan-read.ts';
import { planWrite } from '../../content/plan/write/plan-write.ts';
import type { InputData } from '../../content/request/body.ts';
import { NO_PARAMS } from '../../content/request/plain-params.ts';
import { readerOf } from '../../content/runtime/call.ts';
import type { AtomicChange, Caller } from '../../content/runtime/caller.ts';
import { type Compiled, mapped, together } from '../../content/sql/compiled.ts';
import { compileRead } from '../../content/sql/read/select.ts';
import type { Statement } from '../../content/sql/statement.ts';
import { compileWrite } from '../../content/sql/write/mutate.ts';
import { assertUnchangedRow } from '../../content/sql/write/preconditions.ts';
import { namedDocument } from '../../schema/document-ref.ts';
import { fileType, shown, type UploadCall } from './call.ts';
import type { StoredFile } from './sql/files.ts';

export interface NewFile {
  readonly documentId: string;
  readonly data: InputData;
}

/** A change of the files with these documentIds. */
export interface FileChange<T> extends AtomicChange<T> {
  readonly documentIds: readonly string[];
  /** The file before it, if its pictures on request show what is no longer so. */
  readonly stale?: StoredFile | undefined;
}

function planFile(call: UploadCall, target: Target, data: InputData, caller: Caller): WritePlan {
  return planWrite(systemWrite(call, fileType(call), target, data), systemCurrent(target), caller.writeContext);
}

/** Its decoding throws ApiError 404 for a file that does not exist. */
export function readFileBack(call: UploadCall, caller: Caller, documentId: string): Compiled<Document> {
  const plan = planOne(NO_PARAMS, fileType(call), namedDocument(documentId), readerOf(call, caller));
  return mapped(compileRead(plan), ({ rows }) => {
    const [file] = shown(call)(rows, plan);
    if (!file) throw notFound('Entity not found');
    return file;
  });
}

/** Aborts the batch if the file was changed or deleted since it was read. */
export const assertUnchangedFile = (call: UploadCall, { id, updatedAt }: StoredFile): Statement =>
  assertUnchangedRow(fileType(call), id, updatedAt);

export function insertFiles(
  call: UploadCall,
  caller: Caller,
  files: readonly NewFile[],
): FileChange<readonly Document[]> {
  const plan = files.flatMap(({ documentId, data }) => planFile(call, { documentId }, data, caller));
  const documentIds = files.map(({ documentId }) => documentId);
  return {
    documentIds,
    statements: compileWrite(plan),
    result: together(documentIds.map((documentId) => readFileBack(call, caller, documentId))),
    effectsOf: plan,
    canRecoverOutcome: true,
  };
}

/** @throws Error if the file has other bytes. */
const withHash = (hash: unknown, file: Compiled<Document>): Compiled<Document> =>
  mapped(file, (document) => {
    if (document.hash !== hash) throw new Error('the file has the bytes of another request');
    return document;
  });

/** Bytes under a new hash prove a commit. */
export function updateFile(call: UploadCall, caller: Caller, file: StoredFile, data: InputData): FileChange<Document> {
  const plan = planFile(call, file, data, caller);
  const result = readFileBack(call, caller, file.documentId);
  const isProvable = data.hash !== undefined && data.hash !== file.hash;
  return {
    documentIds: [file.documentId],
    statements: [assertUnchangedFile(call, file), ...compileWrite(plan)],
    result: isProvable ? withHash(data.hash, result) : result,
    effectsOf: plan,
    canRecoverOutcome: isProvable,
  };
}

/**
 * @module `POST /api/upload`: new files, other bytes for a file, or other words about one.
 */
import type { Document } from '../document/document.ts';
import { invalid, notFound } from '../errors.ts';
import type { Caller, Change } from '../execute/caller.ts';
import { stampsOfTypes } from '../plan/write/invalidation.ts';
import { parseObject } from '../request/body.ts';
import { rowId } from '../request/plain-params.ts';
import { type Compiled, constant, mapped } from '../sql/compiled.ts';
import { fileByDocumentId, fileById, type StoredFile } from '../sql/files.ts';
import { attach, attachmentOf, explained } from './attach.ts';
import { type UploadCall, withUploadGrant } from './call.ts';
import { drain } from './chunks.ts';
import { changedInfo, manyInfos, oneInfo } from './file-info.ts';
import { type Form, receiveForm } from './form.ts';
import { dropReplaced, keepsUrl, type Replacing, replaceFile, undoReplacing } from './replace-file.ts';
import { type Deposit, openDeposit, storeReceived } from './storage.ts';
import { insertFiles, type NewFile, updateFile } from './write-file.ts';

/** What an upload answers with: a list for new files, one file for one that was there. */
export interface Uploaded {
  readonly status: 200 | 201;
  readonly body: Document | readonly Document[];
}

type Planning = (target: StoredFile | undefined, caller: Caller) => Promise<Change<Document | readonly Document[]>>;

/** Any multipart type, as in Strapi. */
const MULTIPART = /^multipart\/[\w-]+\s*;/i;

/** `?id=`; an empty one counts as absent. */
function askedId(call: UploadCall): string | undefined {
  const { id } = call.query();
  if (id === undefined || id === null || id === '') return undefined;
  if (typeof id === 'string') return id;
  throw invalid('File id is required and must be a single value');
}

/** The file of `?id=`; undefined without one. @throws ApiError 404 when it is that of no file. */
function targetOf(call: UploadCall): Compiled<StoredFile | undefined> {
  const id = askedId(call);
  if (id === undefined) return constant(undefined);
  const found = /^\d+$/.test(id) ? fileById(rowId(id)) : fileByDocumentId(id);
  return mapped(found, (file) => {
    if (!file) throw notFound('Entity not found');
    return file;
  });
}

/** The caller is confirmed, and the target found, before a byte of the body is read. */
const uploadBy = (call: UploadCall, plan: Planning): Promise<Document | readonly Document[]> =>
  withUploadGrant(call, 'upload', { source: 'primary' }, async (caller) => {
    const target = await caller.read(targetOf(call));
    await caller.confirm();
    return caller.write(await plan(target, caller));
  });

/** A form on its way. What is received and stored stays so, however often the write is planned. */
interface Progress extends Replacing {
  form?: Form;
  stored?: readonly NewFile[];
  /** Has reading of the body begun? Before that, the caller is not confirmed to be allowed to send one. */
  begun?: boolean;
}

async function storeAll({ files, fields }: Form, call: UploadCall, deposit: Deposit): Promise<readonly NewFile[]> {
  const infos = manyInfos(fields.get('fileInfo') ?? [], files.length, call.settings.api.rest.limits);
  const stored: NewFile[] = [];
  for (const [index, file] of files.entries()) {
    const data = await storeReceived(file, infos[index] ?? {}, call, deposit);
    // Strapi tells of a file without formats that it has none, unless it took the place of another one.
    const formats = Object.keys(data.formats).length > 0 ? data.formats : null;
    stored.push({ documentId: call.newDocumentId(), data: { ...data, formats } });
  }
  return stored;
}

async function create(call: UploadCall, form: Form, progress: Progress, caller: Caller) {
  const attachment = attachmentOf(form.fields, call, caller.grants);
  progress.stored ??= await storeAll(form, call, progress.deposit);
  const change = insertFiles(call, caller, progress.stored);
  if (!attachment) return change;
  const ids = progress.stored.map(({ documentId }) => documentId);
  return {
    ...change,
    statements: [...change.statements, ...attach(attachment, ids)],
    explain: (failure: unknown) => explained(failure, attachment),
    stamps: [...change.stamps, ...stampsOfTypes([attachment.table.source])],
  };
}

/** What is not said stays as it is. */
function changeInfo(call: UploadCall, info: readonly unknown[], target: StoredFile | undefined, caller: Caller) {
  if (!target) throw invalid('Files are empty');
  return updateFile(call, caller, target, { ...changedInfo(info, call.settings.api.rest.limits) });
}

async function settle(
  call: UploadCall,
  form: Form,
  progress: Progress,
  target: StoredFile | undefined,
  caller: Caller,
): Promise<Change<Document | readonly Document[]>> {
  const info = form.fields.get('fileInfo') ?? [];
  const [file, another] = form.files;
  if (!file) return changeInfo(call, info, target, caller);
  if (!target) return create(call, form, progress, caller);
  if (another) throw invalid('Cannot replace a file with multiple ones');
  const data = await replaceFile(call, target, file, oneInfo(info, call.settings.api.rest.limits), progress);
  return updateFile(call, caller, target, data);
}

async function uploadForm(call: UploadCall, body: ReadableStream<Uint8Array>): Promise<Uploaded> {
  const { bucket, contentType, settings } = call;
  const deposit = openDeposit(bucket, settings.upload);
  const progress: Progress = { deposit };
  const plan: Planning = async (target, caller) => {
    if (target) progress.replaced = target;
    const fixed = target && keepsUrl(call) && { hash: target.hash, extension: target.ext };
    progress.begun = true;
    progress.form ??= await receiveForm(body, contentType, { deposit, settings, ...(fixed && { fixed }) });
    return settle(call, progress.form, progress, target, caller);
  };
  try {
    const documents = await uploadBy(call, plan);
    await dropReplaced(call, progress);
    return { status: Array.isArray(documents) ? 201 : 200, body: documents };
  } catch (error) {
    await undoReplacing(call, progress, error);
    if (progress.begun) await drain(body);
    throw error;
  }
}

async function uploadText(call: UploadCall): Promise<Uploaded> {
  const plan: Planning = async (target, caller) => {
    const { fileInfo } = parseObject(await call.text(), call.contentType, call.settings.api.rest.limits);
    return changeInfo(call, fileInfo === undefined ? [] : [fileInfo], target, caller);
  };
  return { status: 200, body: await uploadBy(call, plan) };
}

/**
 * Either all of the files of a request are stored, bytes and rows, or none of them.
 * @throws ApiError 403, 404 for an `?id=` of no file, 400 or 413 for what is not taken.
 */
export const upload = (call: UploadCall): Promise<Uploaded> =>
  call.body && MULTIPART.test(call.contentType) ? uploadForm(call, call.body) : uploadText(call);

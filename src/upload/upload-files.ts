/**
 * @module `POST /api/upload`: creates files, or changes the bytes or metadata of one.
 */
import type { Document } from '../document/document.ts';
import { invalid, notFound } from '../errors.ts';
import type { Caller, Change } from '../execute/caller.ts';
import { stampsOf } from '../plan/model/versions.ts';
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

/** A list for new files, one file for a changed one. */
type UploadBody = Document | readonly Document[];

interface Uploaded {
  readonly status: 200 | 201;
  readonly body: UploadBody;
}

type PlanUpload = (target: StoredFile | undefined, caller: Caller) => Promise<Change<UploadBody>>;

/** Any multipart type, as in Strapi. */
const MULTIPART = /^multipart\/[\w-]+\s*;/i;

/** Returns the `id` of the query; undefined for an empty one. */
function queryId(call: UploadCall): string | undefined {
  const { id } = call.query();
  if (id === undefined || id === null || id === '') return undefined;
  if (typeof id === 'string') return id;
  throw invalid('File id is required and must be a single value');
}

/** Reads the file of `?id=`; undefined without `id`. @throws ApiError 404 */
function targetOf(call: UploadCall): Compiled<StoredFile | undefined> {
  const id = queryId(call);
  if (id === undefined) return constant(undefined);
  const found = /^\d+$/.test(id) ? fileById(rowId(id)) : fileByDocumentId(id);
  return mapped(found, (file) => {
    if (!file) throw notFound('Entity not found');
    return file;
  });
}

/** Confirms the caller and finds the target before the body is read. */
const uploadBy = (call: UploadCall, plan: PlanUpload): Promise<UploadBody> =>
  withUploadGrant(call, 'upload', { source: 'primary' }, async (caller) => {
    const target = await caller.read(targetOf(call));
    await caller.confirm();
    return caller.write(await plan(target, caller));
  });

/** What a replanned write reuses. */
interface Progress extends Replacing {
  form?: Form;
  stored?: readonly NewFile[];
  /** Has reading of the body begun? The caller is confirmed only then. */
  begun?: boolean;
}

async function storeAll({ files, fields }: Form, call: UploadCall, deposit: Deposit): Promise<readonly NewFile[]> {
  const infos = manyInfos(fields.get('fileInfo') ?? [], files.length, call.settings.api.rest.limits);
  const stored: NewFile[] = [];
  for (const [index, file] of files.entries()) {
    const data = await storeReceived(file, infos[index] ?? {}, call, deposit);
    // Strapi shows null for new files without formats.
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
    stamps: [...change.stamps, ...stampsOf([attachment.table.source])],
  };
}

function changeInfo(call: UploadCall, info: readonly unknown[], target: StoredFile | undefined, caller: Caller) {
  if (!target) throw invalid('Files are empty');
  return updateFile(call, caller, target, { ...changedInfo(info, call.settings.api.rest.limits) });
}

async function planForm(
  call: UploadCall,
  form: Form,
  progress: Progress,
  target: StoredFile | undefined,
  caller: Caller,
): Promise<Change<UploadBody>> {
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
  const plan: PlanUpload = async (target, caller) => {
    if (target) progress.replaced = target;
    const fixed = target && keepsUrl(call) && { hash: target.hash, extension: target.ext };
    progress.begun = true;
    progress.form ??= await receiveForm(body, contentType, { deposit, settings, ...(fixed && { fixed }) });
    return planForm(call, progress.form, progress, target, caller);
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
  const plan: PlanUpload = async (target, caller) => {
    const { fileInfo } = parseObject(await call.text(), call.contentType, call.settings.api.rest.limits);
    return changeInfo(call, fileInfo === undefined ? [] : [fileInfo], target, caller);
  };
  return { status: 200, body: await uploadBy(call, plan) };
}

/** Stores all files of a request, bytes and rows, or none. @throws ApiError 400, 403, 413, 404 for an unknown `id` */
export const upload = (call: UploadCall): Promise<Uploaded> =>
  call.body && MULTIPART.test(call.contentType) ? uploadForm(call, call.body) : uploadText(call);

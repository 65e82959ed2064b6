/**
 * @module `POST /api/upload`: creates files, or changes the bytes or metadata of one.
 */

import { UPLOAD_ACTION } from '../../access/actions.ts';
import { isDraftsOnly } from '../../access/grants.ts';
import { forbidden, invalid, notFound } from '../../common/errors.ts';
import type { Document } from '../../content/document/document.ts';
import { type InputData, parseObject } from '../../content/request/body.ts';
import { rowId } from '../../content/request/plain-params.ts';
import { isSigned } from '../../content/runtime/call.ts';
import type { Caller } from '../../content/runtime/caller.ts';
import { keyedRequest } from '../../content/runtime/idempotency.ts';
import { type Compiled, constant, deferred, mapped, together } from '../../content/sql/compiled.ts';
import type { StoredRequest } from '../../content/sql/requests.ts';
import type { Statement } from '../../content/sql/statement.ts';
import { otherThanAddressed } from './addressed-file.ts';
import { attachmentOf, withAttachment } from './attach.ts';
import { isKnown, keysOf, type UploadCall, withUploadGrant } from './call.ts';
import { drain } from './chunks.ts';
import { changedInfo, type FileInfo, manyInfos, oneInfo } from './file-info.ts';
import { placeInFolders } from './folders/files.ts';
import { type Form, receiveForm } from './form.ts';
import { dropPictures } from './pictures/drop-pictures.ts';
import { moveBetweenBuckets, suffixOf } from './private/uploads.ts';
import type { Received } from './received.ts';
import { dropReplaced, keepsUrl, noteReplaced, type Replacing, replaceFile, undoReplacing } from './replace-file.ts';
import { fileByDocumentId, fileById, type StoredFile } from './sql/files.ts';
import { deleteObjects, openTransaction, type UploadTransaction } from './storage.ts';
import { type StoredFileValues, storeReceived } from './store-file.ts';
import { type FileChange, insertFiles, type NewFile, readFileBack, updateFile } from './write-file.ts';

/** A list for new files, one file for a changed one. */
type UploadBody = Document | readonly Document[];

interface Uploaded {
  readonly status: 200 | 201;
  readonly body: UploadBody;
  /** Was it written by an earlier request with the same `Idempotency-Key`? */
  readonly replayed: boolean;
}

/** What was sent. */
interface Sent {
  /** All that the response depends on, if the request has a key. */
  readonly parts: readonly unknown[];
  plan(caller: Caller): Promise<FileChange<UploadBody>>;
}

type Receive = (target: StoredFile | undefined) => Promise<Sent>;

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
function targetOf(call: UploadCall, caller: Caller): Compiled<StoredFile | undefined> {
  const id = queryId(call);
  if (id === undefined) return constant(undefined);
  const found = /^\d+$/.test(id) ? fileById(rowId(id)) : fileByDocumentId(id);
  return mapped(found, (file) => {
    if (!file || !isKnown(file, call, caller)) throw notFound('Entity not found');
    return file;
  });
}

/** Returns the stored response, or else the files as they are. @throws ApiError 404 if one was deleted */
async function replayed(call: UploadCall, caller: Caller, { response, documentId }: StoredRequest) {
  // Signed addresses end: the files are read again.
  if (response !== null && !isSigned(response)) return JSON.parse(response) as UploadBody;
  const files = await caller.read(together(documentId.split(' ').map((id) => readFileBack(call, caller, id))));
  return queryId(call) === undefined ? files : (files[0] as Document);
}

const uploadedOf = (body: UploadBody, isReplayed: boolean): Uploaded => ({
  status: Array.isArray(body) ? 201 : 200,
  body,
  replayed: isReplayed,
});

/** Confirms the caller and finds the target before the body is read. */
const uploadBy = (call: UploadCall, receive: Receive): Promise<Uploaded> =>
  withUploadGrant(call, 'upload', { source: 'primary' }, async (caller) => {
    if (queryId(call) !== undefined && isDraftsOnly(caller.grants, UPLOAD_ACTION))
      throw forbidden('This caller may only add files');
    let parts: readonly unknown[] = [];
    const keyed = keyedRequest(call, call.idempotencyKey, () => [call.pathname, call.search, ...parts]);
    const [target, earlierOf] = await caller.read(together([targetOf(call, caller), deferred(keyed.earlier)]));
    await caller.confirm();
    const sent = await receive(target);
    parts = sent.parts;
    const earlier = earlierOf();
    if (earlier) return uploadedOf(await replayed(call, caller, earlier), true);
    const change = await sent.plan(caller);
    const statements = [...change.statements, ...keyed.store(change.documentIds.join(' '))];
    const body = await caller.write({ ...change, statements });
    if (change.stale) await dropPictures(call, [change.stale]);
    call.waitUntil(keyed.keep(body));
    return uploadedOf(body, false);
  });

/** A new file whose bytes are stored. */
interface StoredNew extends NewFile {
  readonly info: FileInfo;
  readonly objects: StoredFileValues;
}

/** What a replanned write reuses. */
interface Progress extends Replacing {
  form?: Form;
  stored?: readonly StoredNew[];
  guards?: readonly Statement[];
  /** Has reading of the body begun? The caller is confirmed only then. */
  begun?: boolean;
}

/** Returns infos with the paths of their folders, which the write then asserts. */
async function placedInfos(
  infos: readonly FileInfo[],
  call: UploadCall,
  caller: Caller,
  isNew: boolean,
  progress: Progress,
): Promise<readonly FileInfo[]> {
  const placed = await placeInFolders(infos, call, caller, isNew);
  progress.guards = placed.guards;
  return placed.infos;
}

/** Values that were stored for an earlier attempt may have another place. */
const placeOf = ({ folderPath }: FileInfo): InputData => (folderPath === undefined ? {} : { folderPath });

/** @param earlier what a former attempt stored. Its folder may have been moved since, or be private now */
async function storeNew(
  file: Received,
  info: FileInfo,
  call: UploadCall,
  transaction: UploadTransaction,
  earlier: StoredNew | undefined,
): Promise<StoredNew> {
  if (earlier && earlier.info.private === info.private)
    return { ...earlier, data: { ...earlier.data, ...placeOf(info) } };
  const objects = await storeReceived(
    { ...file, ...(earlier && { hash: earlier.objects.hash }) },
    info,
    call,
    transaction,
  );
  // Those of the former privacy.
  if (earlier && earlier.objects.hash !== objects.hash) await deleteObjects(call.bucket, keysOf(earlier.objects));
  // Strapi shows null for new files without formats.
  const formats = Object.keys(objects.formats).length > 0 ? objects.formats : null;
  return { documentId: call.newDocumentId(), data: { ...objects, formats }, info, objects };
}

async function create(call: UploadCall, { files, fields }: Form, progress: Progress, caller: Caller) {
  if (files.length === 0) throw invalid('Files are empty');
  const sent = manyInfos(fields.get('fileInfo') ?? [], files.length, call.settings.api.rest.limits);
  const infos = await placedInfos(sent, call, caller, true, progress);
  const stored: StoredNew[] = [];
  for (const [index, file] of files.entries())
    stored.push(await storeNew(file, infos[index] ?? {}, call, progress.transaction, progress.stored?.[index]));
  progress.stored = stored;
  return insertFiles(call, caller, stored);
}

/** Changes the info of a file, and moves its bytes if that changes who may read them. */
async function changeInfo(
  call: UploadCall,
  target: StoredFile,
  info: FileInfo,
  progress: Progress,
): Promise<InputData> {
  const { private: _, folder: __, ...changed } = info;
  return { ...changed, ...(await moveBetweenBuckets(target, info, call, progress)) };
}

/** Replaces the bytes of a file, or only its info. */
async function changeFile(call: UploadCall, form: Form, progress: Progress, target: StoredFile, caller: Caller) {
  const { limits } = call.settings.api.rest;
  const infos = form.fields.get('fileInfo') ?? [];
  const [[file, another], [ignored]] = [form.files, form.ignored];
  if (ignored !== undefined) {
    const name = ignored.slice(0, 100);
    throw invalid(`Unknown file '${name}'. Send the bytes as 'files'`, { key: name, source: 'body' });
  }
  if (another) throw invalid('Cannot replace a file with multiple ones');
  const sent = file ? oneInfo(infos, limits) : changedInfo(infos, limits);
  const [placed = sent] = await placedInfos([sent], call, caller, false, progress);
  const data = file
    ? await replaceFile(call, target, file, placed, progress)
    : await changeInfo(call, target, placed, progress);
  const isMoved = data.focalPoint && JSON.stringify(data.focalPoint) !== target.row.focal_point;
  const stale = isMoved || data.hash !== undefined ? target : undefined;
  return { ...updateFile(call, caller, target, { ...data, ...placeOf(placed) }), stale };
}

async function planForm(
  call: UploadCall,
  form: Form,
  progress: Progress,
  target: StoredFile | undefined,
  caller: Caller,
): Promise<FileChange<UploadBody>> {
  const attachment = await caller.read(attachmentOf(form.fields, call, caller));
  const change: FileChange<UploadBody> = target
    ? await changeFile(call, form, progress, target, caller)
    : await create(call, form, progress, caller);
  const files = { ...change, statements: [...(progress.guards ?? []), ...change.statements] };
  return attachment ? withAttachment(files, attachment) : files;
}

/** Deletes what a request leaves behind: the objects of the replaced file, or its own if it fails. */
async function tidied(
  call: UploadCall,
  progress: Progress,
  receive: Receive,
  body?: ReadableStream<Uint8Array>,
): Promise<Uploaded> {
  try {
    const uploaded = await uploadBy(call, receive);
    await (uploaded.replayed ? undoReplacing(call, progress) : dropReplaced(call, progress));
    return uploaded;
  } catch (error) {
    await undoReplacing(call, progress, error);
    if (body && progress.begun) await drain(body);
    throw error;
  }
}

function uploadForm(call: UploadCall, body: ReadableStream<Uint8Array>): Promise<Uploaded> {
  const { bucket, contentType, settings } = call;
  const transaction = openTransaction(bucket, settings.upload);
  const progress: Progress = { transaction };
  const receive: Receive = async (target) => {
    noteReplaced(progress, target);
    const fixed = target && keepsUrl(call) && { hash: target.hash, extension: target.ext };
    const hashed = call.idempotencyKey !== undefined;
    progress.begun = true;
    const suffix = (fields: Form['fields'], count: number) => suffixOf(fields, count, call, target);
    const context = { transaction, settings, hashed, suffix, addressed: call.addressed, ...(fixed && { fixed }) };
    progress.form ??= await receiveForm(body, contentType, context);
    const { form } = progress;
    return { parts: form.digests, plan: (caller) => planForm(call, form, progress, target, caller) };
  };
  return tidied(call, progress, receive, body);
}

function uploadText(call: UploadCall): Promise<Uploaded> {
  if (call.addressed) throw otherThanAddressed('files');
  const progress: Progress = { transaction: openTransaction(call.bucket, call.settings.upload) };
  return tidied(call, progress, async (target) => {
    noteReplaced(progress, target);
    const text = await call.text();
    const body = parseObject(text, call.contentType, call.settings.api.rest.limits);
    const fields = new Map(Object.entries(body).map(([name, value]) => [name, [value]]));
    const form: Form = { files: [], fields, ignored: [], digests: [] };
    return { parts: [text], plan: (caller) => planForm(call, form, progress, target, caller) };
  });
}

/** Stores all files of a request, bytes and rows, or none. @throws ApiError 400, 403, 413, 404 for an unknown `id` */
export const upload = (call: UploadCall): Promise<Uploaded> =>
  call.body && MULTIPART.test(call.contentType) ? uploadForm(call, call.body) : uploadText(call);

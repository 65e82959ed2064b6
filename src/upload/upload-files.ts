/**
 * @module `POST /api/upload`: new files, other bytes for a file, or other words about one.
 */
import type { Credential } from '../auth/credential.ts';
import type { Document } from '../document/assemble.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import { type Change, commitOne, type Write } from '../execute/commit.ts';
import type { RequestMeans } from '../execute/means.ts';
import { type InputData, parseObject } from '../request/body.ts';
import { rowId } from '../request/plain-params.ts';
import { type Compiled, known, mapped } from '../sql/compiled.ts';
import { fileById, type StoredFile } from '../sql/files.ts';
import { attach, attachmentOf } from './attach.ts';
import { keysOf, refuse, type UploadCall } from './call.ts';
import { drain } from './chunks.ts';
import { type FileInfo, manyInfos, oneInfo } from './file-info.ts';
import { type Form, receiveForm } from './form.ts';
import { type Deposit, openDeposit, type Received, storeReceived } from './storage.ts';
import { insertFiles, type NewFile, updateFile } from './write-file.ts';

/** What an upload answers with: a list for new files, one file for one that was there. */
export interface Uploaded {
  readonly status: 200 | 201;
  readonly body: Document | readonly Document[];
}

type Planning = (
  target: StoredFile | undefined,
  caller: Credential,
  means: RequestMeans,
) => Promise<Change<Document | readonly Document[]>>;

const MULTIPART = /^multipart\/form-data\s*;/i;
const filesAreEmpty = () => invalid('Files are empty');

/** `?id=`; an empty one is none. */
function askedId(call: UploadCall): string | undefined {
  const { id } = call.query();
  if (id === undefined || id === null || id === '') return undefined;
  if (typeof id === 'string') return id;
  throw invalid('File id is required and must be a single value', { source: 'query', param: 'id' });
}

/** The file of `?id=`; undefined without one. @throws ApiError 404 when it is that of no file. */
function targetOf(call: UploadCall): Compiled<StoredFile | undefined> {
  const id = askedId(call);
  if (id === undefined) return known(undefined);
  return mapped(fileById(rowId(id)), (file) => {
    if (!file) throw notFound('Entity not found');
    return file;
  });
}

/** The caller is confirmed, and the target found, before a byte of the body is read. */
const uploading = (call: UploadCall, plan: Planning): Write<Document | readonly Document[]> => ({
  confirmsFirst: true,
  ask({ grants }) {
    refuse(grants, 'upload');
    return mapped(targetOf(call), (target) => (caller, means) => plan(target, caller, means));
  },
});

/** A form on its way. What is received and stored stays so, however often the write is planned. */
interface Progress {
  readonly deposit: Deposit;
  form?: Form;
  stored?: readonly NewFile[];
  /** Values of a file under a new key. */
  replacement?: InputData;
  /** The file as it was before. */
  replaced?: StoredFile;
}

async function storeAll({ files, fields }: Form, call: UploadCall, deposit: Deposit): Promise<readonly NewFile[]> {
  const infos = manyInfos(fields.get('fileInfo') ?? [], files.length, call.settings.api.rest.limits);
  const stored: NewFile[] = [];
  for (const [index, file] of files.entries()) {
    const data = await storeReceived(file, infos[index] ?? {}, call, deposit);
    // The reference tells of a file without formats that it has none, unless it took the place of another one.
    const formats = Object.keys(data.formats as object).length > 0 ? data.formats : null;
    stored.push({ documentId: call.newDocumentId(), data: { ...data, formats } });
  }
  return stored;
}

async function create(call: UploadCall, form: Form, progress: Progress, caller: Credential, means: RequestMeans) {
  const attachment = attachmentOf(form.fields, call.registry, caller.grants);
  progress.stored ??= await storeAll(form, call, progress.deposit);
  const change = insertFiles(call, caller, means, progress.stored);
  if (!attachment) return change;
  const ids = progress.stored.map(({ documentId }) => documentId);
  return {
    ...change,
    statements: [...change.statements, ...attach(attachment, ids)],
    touched: [...change.touched, { uid: attachment.table.source.uid, operation: 'link' as const }],
  };
}

const keepsUrl = ({ settings }: UploadCall): boolean => settings.upload.replace === 'same-url';

/**
 * The new bytes take the old key. Formats that the new file has no more go before the row is written, so that a
 * request that failed can be sent again until nothing is left of the old file. Whoever finds the row changed puts its
 * bytes there again, so that row and bytes are of one request, unless the bytes came in parts.
 */
async function inPlace(call: UploadCall, file: StoredFile, received: Received, info: FileInfo, deposit: Deposit) {
  const { url: _, ...data } = await storeReceived(received, info, call, deposit, file.hash);
  const kept = new Set(keysOf({ ...file, formats: data.formats as StoredFile['formats'] }));
  const stale = keysOf(file).filter((key) => !kept.has(key));
  if (stale.length > 0) await call.bucket.delete(stale);
  return data;
}

/** The values of a file that gets other bytes: under a key of their own, unless the settings say otherwise. */
async function replacement(call: UploadCall, file: StoredFile, received: Received, info: FileInfo, progress: Progress) {
  if (keepsUrl(call)) return inPlace(call, file, received, info, progress.deposit);
  progress.replacement ??= await storeReceived(received, info, call, progress.deposit);
  return progress.replacement;
}

/** The bytes of a file that has others now. What cannot be deleted is found by `npm run media`. */
async function dropReplaced(call: UploadCall, file: StoredFile): Promise<void> {
  await call.bucket.delete([...keysOf(file)]);
}

/** What is not said stays as it is. */
function saying(call: UploadCall, info: readonly unknown[]): Planning {
  return async (target, caller, means) => {
    if (!target || info.length === 0) throw filesAreEmpty();
    return updateFile(call, caller, means, target, { ...oneInfo(info, call.settings.api.rest.limits) });
  };
}

async function settle(
  call: UploadCall,
  form: Form,
  progress: Progress,
  target: StoredFile | undefined,
  caller: Credential,
  means: RequestMeans,
): Promise<Change<Document | readonly Document[]>> {
  const info = form.fields.get('fileInfo') ?? [];
  const [file, another] = form.files;
  if (!file) return saying(call, info)(target, caller, means);
  if (!target) return create(call, form, progress, caller, means);
  if (another) throw invalid('Cannot replace a file with multiple ones');
  const data = await replacement(call, target, file, oneInfo(info, call.settings.api.rest.limits), progress);
  return updateFile(call, caller, means, target, data);
}

/** Was the file that the bytes are for deleted meanwhile? Nothing else is not found once it is allowed. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.problem.kind === 'not-found';

/** Keys that were there before, and still belong to a file. */
const keptKeys = (call: UploadCall, { replaced }: Progress, error: unknown): ReadonlySet<string> =>
  new Set(replaced && keepsUrl(call) && !isGone(error) ? keysOf(replaced) : []);

async function uploadForm(call: UploadCall, body: ReadableStream<Uint8Array>): Promise<Uploaded> {
  const { bucket, contentType, settings } = call;
  const deposit = openDeposit(bucket, settings.upload.cacheSeconds);
  const progress: Progress = { deposit };
  const plan: Planning = async (target, caller, means) => {
    if (target) progress.replaced = target;
    const fixed = target && keepsUrl(call) && { hash: target.hash, extension: target.ext };
    progress.form ??= await receiveForm(body, contentType, { deposit, settings, ...(fixed && { fixed }) });
    return settle(call, progress.form, progress, target, caller, means);
  };
  try {
    const documents = await commitOne(call, uploading(call, plan));
    if (progress.replacement && progress.replaced) call.waitUntil(dropReplaced(call, progress.replaced));
    return { status: Array.isArray(documents) ? 201 : 200, body: documents };
  } catch (error) {
    await deposit.undo(keptKeys(call, progress, error));
    await drain(body);
    throw error;
  }
}

async function uploadText(call: UploadCall): Promise<Uploaded> {
  const plan: Planning = async (target, caller, means) => {
    const { fileInfo } = parseObject(await text(), call.contentType, call.settings.api.rest.limits);
    return saying(call, fileInfo === undefined ? [] : [fileInfo])(target, caller, means);
  };
  let read: Promise<string> | undefined;
  const text = () => {
    read ??= call.text();
    return read;
  };
  return { status: 200, body: await commitOne(call, uploading(call, plan)) };
}

/**
 * Either all of the files of a request are stored, bytes and rows, or none of them.
 * @throws ApiError 403, 404 for an `?id=` of no file, 400 or 413 for what is not taken.
 */
export const upload = (call: UploadCall): Promise<Uploaded> =>
  call.body && MULTIPART.test(call.contentType) ? uploadForm(call, call.body) : uploadText(call);

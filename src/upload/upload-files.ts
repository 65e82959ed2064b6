/**
 * @module `POST /api/upload`: new files, other bytes for a file, or other words about one.
 */
import type { Credential } from '../auth/credential.ts';
import { performRead, type Work } from '../auth/perform.ts';
import type { Document } from '../document/assemble.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import { parseObject } from '../request/body.ts';
import { rowId } from '../request/plain-params.ts';
import { attach, attachmentOf } from './attach.ts';
import { fileById, keysOf, refuse, type StoredFile, storedFile, type UploadCall } from './call.ts';
import { drain } from './chunks.ts';
import { manyInfos, oneInfo } from './file-info.ts';
import { type Form, receiveForm } from './form.ts';
import { replaceBytes, replaceInfo } from './replace-file.ts';
import { type Deposit, openDeposit, storeReceived } from './storage.ts';
import { insertFiles } from './write-file.ts';

/** What an upload answers with: a list for new files, one file for one that was there. */
export interface Uploaded {
  readonly status: 200 | 201;
  readonly body: Document | readonly Document[];
}

interface Allowed {
  readonly credential: Credential;
  /** The file of `?id=`. */
  readonly target?: StoredFile;
}

const MULTIPART = /^multipart\/form-data\s*;/i;
const filesAreEmpty = () => invalid('Files are empty');

/** `?id=`; an empty one is none. */
function askedId(call: UploadCall): string | undefined {
  const { id } = call.query();
  if (id === undefined || id === null || id === '') return undefined;
  if (typeof id === 'string') return id;
  throw invalid('File id is required and must be a single value', { source: 'query', param: 'id' });
}

/** Decided before a byte of the body is read. */
async function allow(call: UploadCall): Promise<Allowed> {
  const { value, credential } = await performRead(call, call.credential, ({ grants }): Work<StoredFile | undefined> => {
    refuse(grants, 'upload');
    const id = askedId(call);
    if (id === undefined) return { statements: [], finish: () => undefined };
    const finish: Work<StoredFile>['finish'] = ([rows = []]) => {
      const file = storedFile(rows[0]);
      if (!file) throw notFound('Entity not found');
      return file;
    };
    return { statements: [fileById(rowId(id))], finish };
  });
  return { credential, ...(value && { target: value }) };
}

async function create(form: Form, call: UploadCall, credential: Credential, deposit: Deposit): Promise<Uploaded> {
  const attachment = attachmentOf(form.fields, call.registry, credential.grants);
  const infos = manyInfos(form.fields.get('fileInfo') ?? [], form.files.length, call.settings.api.rest.limits);
  const files = [];
  for (const [index, file] of form.files.entries()) {
    const data = await storeReceived(file, infos[index] ?? {}, call, deposit);
    // The reference tells of a file without formats that it has none, unless it took the place of another one.
    const formats = Object.keys(data.formats as object).length > 0 ? data.formats : null;
    files.push({ documentId: call.newDocumentId(), data: { ...data, formats } });
  }
  const ids = files.map(({ documentId }) => documentId);
  const extra = attachment ? attach(attachment, ids) : [];
  return { status: 201, body: await insertFiles(call, credential, files, extra) };
}

async function settle(form: Form, call: UploadCall, allowed: Allowed, deposit: Deposit): Promise<Uploaded> {
  const { credential, target } = allowed;
  const { limits } = call.settings.api.rest;
  const info = form.fields.get('fileInfo') ?? [];
  const [file, another] = form.files;
  if (!file) {
    if (!target || info.length === 0) throw filesAreEmpty();
    return { status: 200, body: await replaceInfo(call, credential, target, oneInfo(info, limits)) };
  }
  if (!target) return create(form, call, credential, deposit);
  if (another) throw invalid('Cannot replace a file with multiple ones');
  return { status: 200, body: await replaceBytes(call, credential, target, file, oneInfo(info, limits), deposit) };
}

/** Was the file that the bytes are for deleted meanwhile? Nothing else is not found once it is allowed. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.problem.kind === 'not-found';

async function uploadForm(call: UploadCall, allowed: Allowed, body: ReadableStream<Uint8Array>): Promise<Uploaded> {
  const { settings, bucket, contentType } = call;
  const { target } = allowed;
  const deposit = openDeposit(bucket, settings.upload.cacheSeconds);
  const fixed = target && { hash: target.hash, extension: target.ext };
  const place = { deposit, settings, ...(fixed && { fixed }) };
  try {
    return await settle(await receiveForm(body, contentType, place), call, allowed, deposit);
  } catch (error) {
    await deposit.undo(target && !isGone(error) ? new Set(keysOf(target)) : undefined);
    await drain(body);
    throw error;
  }
}

async function uploadText(call: UploadCall, { credential, target }: Allowed): Promise<Uploaded> {
  const { limits } = call.settings.api.rest;
  const { fileInfo } = parseObject(await call.text(), call.contentType, limits);
  if (!target || fileInfo === undefined) throw filesAreEmpty();
  return { status: 200, body: await replaceInfo(call, credential, target, oneInfo([fileInfo], limits)) };
}

/**
 * Either all of the files of a request are stored, bytes and rows, or none of them.
 * @throws ApiError 403, 404 for an `?id=` of no file, 400 or 413 for what is not taken.
 */
export async function upload(call: UploadCall): Promise<Uploaded> {
  const allowed = await allow(call);
  return call.body && MULTIPART.test(call.contentType)
    ? uploadForm(call, allowed, call.body)
    : uploadText(call, allowed);
}

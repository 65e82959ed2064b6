/**
 * @module Changes of files, after which lists are read again.
 */
import { useQueryClient } from '@tanstack/react-query';
import { type ResponseBody, request } from '../api/request.ts';
import { personCheck } from '../api/session.ts';
import { type FileEntry, type FileInfo, PAGE_PATH, UPLOAD_PATH } from '../model/file-entry.ts';
import { addUploads } from '../shell/uploads.ts';
import { text } from '../texts/text.ts';

/** @param info `private` and the id of a folder as well */
export const changeFile = (id: number, info: object) =>
  request<FileEntry>(UPLOAD_PATH, { method: 'POST', query: { id }, body: { fileInfo: info } });

/** Reads a file as it is now. @throws Error where it is gone */
export async function readFile(id: number): Promise<FileEntry> {
  const { body } = await request<ResponseBody<readonly FileEntry[]>>(PAGE_PATH, { query: { filters: { id } } });
  const [file] = body.data;
  if (!file) throw new Error(text('This file was deleted'));
  return file;
}

/** Tells a picture apart from another one in its place: a private one has another address, but the same points. */
export const sizeOf = ({ size, width, height }: FileEntry): string => `${size} ${width} ${height}`;

/** Tells the bytes of a file apart from those before: they have another address, unless `upload.replace` is `same-url`. */
export const bytesOf = (file: FileEntry): string => `${file.url.replace(/\?.*/, '')} ${sizeOf(file)}`;

/** Tells the focal point of a file apart from those before. */
export const pointOf = ({ focalPoint }: FileEntry): string => JSON.stringify(focalPoint ?? null);

/** @throws Error where the bytes of a file, or `withPoint` its focal point, are others than those that are shown */
export async function checkBytes(file: FileEntry, withPoint = false): Promise<void> {
  const now = await readFile(file.id);
  const isPointOther = withPoint && pointOf(now) !== pointOf(file);
  if (isPointOther || bytesOf(now) !== bytesOf(file)) throw new Error(text('It was changed meanwhile. Read it again.'));
}

/** Uploads other bytes for a file. @throws Error where those that are shown, or with `info` the focal point, were changed meanwhile */
export async function replaceBytes(file: FileEntry, bytes: File, info?: FileInfo): Promise<void> {
  const isSamePerson = personCheck();
  const check = () => checkBytes(file, info !== undefined);
  await check();
  if (isSamePerson()) addUploads([bytes], { id: file.id, check, ...(info && { info }) });
}

/** Returns what reads files and folders again. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(UPLOAD_PATH) });
}

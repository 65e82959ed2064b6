/**
 * @module Changes of files, after which lists are read again.
 */
import { useQueryClient } from '@tanstack/react-query';
import { type ResponseBody, request } from '../api/request.ts';
import { type FileEntry, PAGE_PATH, UPLOAD_PATH } from '../model/file-entry.ts';

/** @param info `private` and the id of a folder as well */
export const changeFile = (id: number, info: object) =>
  request<FileEntry>(UPLOAD_PATH, { method: 'POST', query: { id }, body: { fileInfo: info } });

/** Reads a file as it is now; undefined where it is gone. */
export async function readFile(id: number): Promise<FileEntry | undefined> {
  const { body } = await request<ResponseBody<readonly FileEntry[]>>(PAGE_PATH, { query: { filters: { id } } });
  return body.data[0];
}

/** Returns what reads files and folders again. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(UPLOAD_PATH) });
}

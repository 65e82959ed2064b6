/**
 * @module Changes of files, after which lists are read again.
 */
import { useQueryClient } from '@tanstack/react-query';
import { request } from '../api/request.ts';
import { type FileEntry, UPLOAD_PATH } from '../model/file-entry.ts';

/** @param info `private` and the id of a folder as well */
export const changeFile = (id: number, info: object) =>
  request<FileEntry>(UPLOAD_PATH, { method: 'POST', query: { id }, body: { fileInfo: info } });

/** Returns what reads files and folders again. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(UPLOAD_PATH) });
}

/**
 * @module Sends the bytes of files, with their progress: `fetch` reports none.
 */
import { addExchange } from '../api/exchanges.ts';
import { address, type Query } from '../api/query-string.ts';
import { ApiError, renewed } from '../api/request.ts';
import { session, setSession } from '../api/session.ts';
import { type FileEntry, UPLOAD_PATH } from './file-entry.ts';

/** @param share from 0 to 1 */
type OnProgress = (share: number) => void;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(url: string, file: File, onProgress: OnProgress): Promise<XMLHttpRequest> {
  const call = new XMLHttpRequest();
  const started = performance.now();
  const form = new FormData();
  form.append('files', file);
  call.open('POST', url);
  const token = session()?.token;
  if (token) call.setRequestHeader('authorization', `Bearer ${token}`);
  call.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
  return new Promise((resolve) => {
    call.onloadend = () => {
      const milliseconds = Math.round(performance.now() - started);
      const cost = call.getResponseHeader('server-timing');
      addExchange({ method: 'POST', address: url, status: call.status, milliseconds, cost, body: undefined });
      resolve(call);
    };
    call.send(form);
  });
}

/**
 * Uploads a file, or replaces the bytes of the file with this `id`.
 * @throws ApiError for every status that is no success
 */
export async function uploadFile(file: File, onProgress: OnProgress, id?: number): Promise<FileEntry> {
  const query: Query = id === undefined ? {} : { id };
  const url = address(UPLOAD_PATH, query);
  let call = await send(url, file, onProgress);
  if (call.status === 401 && session()) {
    if (await renewed()) call = await send(url, file, onProgress);
    if (call.status === 401) setSession(null);
  }
  const { status } = call;
  const body = parsed(call.responseText) as { readonly error?: { readonly message: string } } | undefined;
  if (status >= 200 && status < 300) return (Array.isArray(body) ? body[0] : body) as FileEntry;
  const fallback = status === 0 ? 'The server cannot be reached.' : `The server answered ${status}.`;
  throw new ApiError(status, body?.error?.message ?? fallback);
}

/**
 * @module Sends the bytes of files, with their progress: `fetch` reports none.
 */
import { addExchange } from '../api/exchanges.ts';
import { address } from '../api/query-string.ts';
import { ApiError, renewed } from '../api/request.ts';
import { session, setSession } from '../api/session.ts';
import { type FileEntry, UPLOAD_PATH } from './file-entry.ts';

/** @param share from 0 to 1 */
type OnProgress = (share: number) => void;

function send(url: string, file: File, onProgress: OnProgress): Promise<XMLHttpRequest> {
  const call = new XMLHttpRequest();
  const started = performance.now();
  const form = new FormData();
  form.append('files', file);
  call.open('POST', url);
  call.responseType = 'json';
  const token = session()?.token;
  if (token) call.setRequestHeader('authorization', `Bearer ${token}`);
  call.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(total, 1));
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
  const url = address(UPLOAD_PATH, { id });
  let call = await send(url, file, onProgress);
  if (call.status === 401 && session()) {
    if (await renewed()) call = await send(url, file, onProgress);
    if (call.status === 401) setSession(null);
  }
  const { status, response } = call;
  if (status >= 200 && status < 300) return [response].flat()[0];
  const fallback = status === 0 ? 'The server cannot be reached.' : `The server answered ${status}.`;
  throw new ApiError(status, response?.error?.message ?? fallback);
}

/**
 * @module Uploads as a client makes them, and what is in the bucket afterwards.
 */

import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { expect } from 'vitest';
import { findMismatches, type Mismatches } from '../../cli/media/find-mismatches.ts';
import type { Send } from './app.ts';
import type { ErrorAnswer } from './client.ts';
import { bytesOf, png } from './pictures.ts';
import { bearer } from './recorded.ts';

export interface FileAnswer {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly url: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  readonly formats: Readonly<
    Record<string, { readonly url: string; readonly width: number; readonly height: number }>
  > | null;
  readonly [attribute: string]: unknown;
}

export interface Sent {
  readonly bytes: Uint8Array<ArrayBuffer> | string;
  readonly name: string;
  readonly type?: string;
}

export const TEXT: Sent = { bytes: 'a text', name: 'note.txt', type: 'text/plain' };
export const picture = async (width = 600): Promise<Sent> => ({ bytes: await png(width, 400), name: 'photo.png' });

export function formOf(files: readonly Sent[], fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const { bytes, name, type = '' } of files)
    form.append('files', new Blob([typeof bytes === 'string' ? bytesOf(bytes) : bytes], { type }), name);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

export const postForm = (send: Send, form: BodyInit, query = '', token = 'full', type?: string): Promise<Response> =>
  send(`/api/upload${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(type && { 'content-type': type }) },
    body: form,
  });

/** @throws Error with the answer when it is no success. */
export async function uploaded(response: Promise<Response>): Promise<readonly FileAnswer[]> {
  const { status, ...answer } = await response.then(async (got) => ({ status: got.status, body: await got.json() }));
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${JSON.stringify(answer.body)}`);
  return (Array.isArray(answer.body) ? answer.body : [answer.body]) as readonly FileAnswer[];
}

export async function uploadOne(
  send: Send,
  file: Sent,
  fields?: Readonly<Record<string, string>>,
): Promise<FileAnswer> {
  const [first] = await uploaded(postForm(send, formOf([file], fields)));
  if (!first) throw new Error('no file was answered');
  return first;
}

export const listedFiles = async (send: Send, query: string): Promise<readonly FileAnswer[]> =>
  (await send(`/api/upload/files${query}`, bearer('full'))).json();

export const bytesAt = async (send: Send, url: string): Promise<Uint8Array> =>
  new Uint8Array(await (await send(url)).arrayBuffer());

/** `400 ValidationError: Files are empty` */
export async function refusal(response: Promise<Response>): Promise<string> {
  const { error } = (await (await response).json()) as { error?: ErrorAnswer };
  return error ? `${error.status} ${error.name}: ${error.message}` : 'no error';
}

export const objectKeys = async (): Promise<readonly string[]> =>
  (await env.MEDIA.list()).objects.map(({ key }) => key).toSorted();

export const mismatches = (): Promise<Mismatches> => findMismatches({ db: env.DB, bucket: env.MEDIA }, () => {});

/** The file at a URL has exactly these bytes, of which `toEqual` would take seconds to compare many. */
export async function expectBytesAt(send: Send, url: string, bytes: Uint8Array): Promise<void> {
  expect(Buffer.compare(await bytesAt(send, url), bytes)).toBe(0);
}

/** Every object belongs to one of so many files. */
export async function expectTidy(files: number): Promise<void> {
  const { orphans, strange, incomplete, ...found } = await mismatches();
  const wrong = { orphans, strange, incomplete };
  expect({ ...wrong, files: found.files }).toEqual({ orphans: [], strange: [], incomplete: [], files });
}

/** Empties bucket and table. */
export async function clearMedia(): Promise<void> {
  await env.DB.prepare('delete from files').run();
  await env.DB.prepare("delete from edgewise_counters where type = 'plugin::upload.file'").run();
  const keys = await objectKeys();
  if (keys.length > 0) await env.MEDIA.delete([...keys]);
}

/** A multipart body as it is on the wire. */
export const BOUNDARY = 'a-boundary';
export const MULTIPART: string = `multipart/form-data; boundary=${BOUNDARY}`;
export const rawPart = (headers: string, content: string): string =>
  `--${BOUNDARY}\r\n${headers}\r\n\r\n${content}\r\n`;
export const END: string = `--${BOUNDARY}--\r\n`;

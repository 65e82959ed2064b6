/**
 * @module A Response → status, headers and a body that can be compared.
 */
import type { Json } from './recording.ts';

export interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  readonly headers: Headers;
  readonly body: Json;
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;
const TEXT_TYPE = /^text\/|charset=/i;

/** Of pictures only that one came: encoders differ. Of other bytes their number and SHA-256. */
async function binary(bytes: ArrayBuffer, contentType: string): Promise<Json> {
  if (/^image\//i.test(contentType)) return { $binary: 'image' };
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { $binary: { length: bytes.byteLength, sha256 } };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { $unparsable: text };
  }
}

/** Reads a response to its end; no bytes are null, JSON is parsed, text stays text. */
export async function readAnswer(response: Response): Promise<Answer> {
  const contentType = response.headers.get('content-type');
  const bytes = await response.arrayBuffer();
  const text = () => new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes);
  let body: Json = null;
  if (bytes.byteLength > 0) {
    if (contentType !== null && JSON_TYPE.test(contentType)) body = parsed(text());
    else if (contentType === null || TEXT_TYPE.test(contentType)) body = text();
    else body = await binary(bytes, contentType);
  }
  return { status: response.status, contentType, headers: response.headers, body };
}

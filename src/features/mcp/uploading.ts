/**
 * @module Uploads: small files in the call, others to an address that works once. No address in a request is ever fetched.
 */
import { Buffer } from 'node:buffer';
import type { JsonObject } from '../../common/json.ts';
import type { Claims } from '../../content/credentials/jwt.ts';
import { seal, unseal } from '../../content/credentials/seal.ts';
import { send, type ToolCall } from './call.ts';
import { ToolError } from './errors.ts';

const USE = 'upload';
const MAX_BYTES = 262_144;
/** Milliseconds. */
const VALID = 600_000;

/** Each group ends at a character that it cannot have: it never goes back over a long text. */
const DATA_URL = /^data:([^,;]*)(?:;[^,;]*)*?;base64,/i;

/** Decodes both alphabets of base64. @throws ToolError */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const tooLarge = `Expected at most ${MAX_BYTES} bytes: without base64, the call returns an address for them`;
  const text = base64.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/');
  if (text.length > Math.ceil(MAX_BYTES / 3) * 4) throw new ToolError(tooLarge, 'base64');
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    throw new ToolError('Invalid base64. Expected bytes in base64, or as data:image/png;base64,…', 'base64');
  }
}

/** Bytes of what an address has in it: of a URL, servers take 8 KB everywhere. */
const MAX_DETAILS = 4_096;

/** @throws ToolError that names the longest */
function rejectLongDetails(details: JsonObject, { claims }: ToolCall['credential']): void {
  const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(details)));
  // An address has the claims of a client, too.
  const most = MAX_DETAILS - (claims ? JSON.stringify(claims).length : 0);
  if (bytes <= most) return;
  const [[path] = ['name']] = Object.entries(details).toSorted(([, a], [, b]) => String(b).length - String(a).length);
  const expected = `Expected at most ${most} without base64: send them with base64, or shorten them`;
  throw new ToolError(`The details have ${bytes} bytes. ${expected}`, path);
}

/** One argument of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export async function upload(call: ToolCall, args: JsonObject): Promise<JsonObject> {
  const { mimeType, base64, ...info } = args;
  const fileInfo = JSON.stringify(info);
  const { caller, credential, secret, now, uploads } = call;
  if (base64 === undefined) {
    if (secret === undefined || caller === '')
      throw new ToolError('Missing base64: addresses need a credential, and a deployment with JWT_SECRET', 'base64');
    rejectLongDetails({ ...info, mimeType }, credential);
    const claims = { ...credential, key: crypto.randomUUID(), fileInfo, mimeType };
    const address = `${uploads}/${await seal(claims, USE, secret, now + VALID)}`;
    return { address, send: `curl --form-string ${quoted(`fileInfo=${fileInfo}`)} -F 'files=@FILE' '${address}'` };
  }
  const form = new FormData();
  const text = String(base64).trim();
  const [start = '', ofUrl] = DATA_URL.exec(text) ?? [];
  const type = String(mimeType ?? (ofUrl || 'application/octet-stream'));
  form.append('files', new File([bytesOf(text.slice(start.length))], String(info.name), { type }));
  form.append('fileInfo', fileInfo);
  const { body } = await send(call, { method: 'POST', path: '/api/upload', body: form }, 'base64');
  return { data: body[0] };
}

/** The request that a one-time address stands for; undefined for any other address. */
export async function addressedUpload(sealed: string, secret: string | undefined, now: number) {
  const claims = secret === undefined ? undefined : await unseal(sealed, USE, secret, now);
  if (!claims) return undefined;
  const { authorization, claims: ofClient, key, fileInfo, mimeType } = claims;
  return {
    headers: { ...(typeof authorization === 'string' && { authorization }), 'idempotency-key': String(key) },
    claims: ofClient as Claims | undefined,
    file: { fileInfo: String(fileInfo), type: typeof mimeType === 'string' ? mimeType.toLowerCase() : undefined },
  };
}

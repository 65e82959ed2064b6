/**
 * @module Confirmations: texts that stand for one request of one caller about both versions of a document as they are. Only
 * a deployment with a secret makes texts that a client cannot. A confirmation works once.
 */
import { Buffer } from 'node:buffer';
import { sha256 } from '../common/digest.ts';
import type { ToolCall } from './call.ts';

/** Milliseconds that a person has. */
const PATIENCE = 900_000;
const FORM = /^(([0-9a-z]+)-[0-9a-f]{8}\.([0-9a-f]{32}))\.([^.]+)$/;

/** What is confirmed: method, path, locale and body of a request. */
type Confirmable = readonly unknown[];

interface Confirmation {
  /** To be used once. */
  readonly id: string;
  /** The tag of the versions. */
  readonly versions: string;
}

const signatureOf = (call: ToolCall, nonce: string, request: Confirmable, versions: string): string =>
  sha256(JSON.stringify(['confirm', call.secret ?? '', call.authorization, nonce, request, versions])).slice(0, 32);

/** Returns a confirmation, which ends in the tag of the versions: it can be sent in place of that. */
export function makeConfirmation(call: ToolCall, request: Confirmable, versions: string): string {
  const random = crypto.getRandomValues(Buffer.alloc(4)).toString('hex');
  const nonce = `${(call.now + PATIENCE).toString(36)}-${random}`;
  return `${nonce}.${signatureOf(call, nonce, request, versions)}.${versions}`;
}

/** Returns undefined for what is no confirmation of this request, or one that is too old. */
export function readConfirmation(call: ToolCall, text: unknown, request: Confirmable): Confirmation | undefined {
  const [, id = '', until = '', signature, versions = ''] = FORM.exec(typeof text === 'string' ? text : '') ?? [];
  const [nonce = ''] = id.split('.');
  if (signature !== signatureOf(call, nonce, request, versions)) return undefined;
  return Number.parseInt(until, 36) > call.now ? { id, versions } : undefined;
}

/**
 * @module Confirmations: texts that stand for one request of one caller about both versions of a document as they are. Only
 * a deployment with a secret makes texts that a client cannot. A confirmation works once.
 */
import { Buffer } from 'node:buffer';
import { isSignatureOf, signatureOf } from '../../content/credentials/secrets.ts';
import type { ToolCall } from './call.ts';

/** Milliseconds that a person has. */
const PATIENCE = 900_000;
/** A signature has one form, so that a confirmation has one id. */
const FORM = /^((([0-9a-z]+)-[0-9a-f]{8})\.([0-9a-f]{64}))\.([^.]+)$/;
const PURPOSE = 'edgewise confirmation of a tool, form 1';

/** What is confirmed: method, path, locale and body of a request. */
type Confirmable = readonly unknown[];

interface Confirmation {
  /** To be used once. */
  readonly id: string;
  /** The tag of the versions. */
  readonly versions: string;
}

/** Without a secret of the deployment, confirmations guard against mistakes of a client, not against the client. */
const NO_SECRET = 'no secret';

/** What is signed, and with what. */
const signedParts = (call: ToolCall, nonce: string, request: Confirmable, versions: string) =>
  [PURPOSE, JSON.stringify([call.caller, nonce, request, versions]), call.secret || NO_SECRET] as const;

/** Returns a confirmation, which ends in the tag of the versions: it can be sent in place of that. */
export function makeConfirmation(call: ToolCall, request: Confirmable, versions: string): string {
  const random = crypto.getRandomValues(Buffer.alloc(4)).toString('hex');
  const nonce = `${(call.now + PATIENCE).toString(36)}-${random}`;
  const signature = signatureOf(...signedParts(call, nonce, request, versions)).toString('hex');
  return `${nonce}.${signature}.${versions}`;
}

/** Returns undefined for what is no confirmation of this request, or one that is too old. */
export function readConfirmation(call: ToolCall, text: unknown, request: Confirmable): Confirmation | undefined {
  const [, id = '', nonce = '', until = '', signature = '', versions = ''] =
    FORM.exec(typeof text === 'string' ? text : '') ?? [];
  const parts = signedParts(call, nonce, request, versions);
  if (!isSignatureOf(Buffer.from(signature, 'hex'), ...parts)) return undefined;
  return Number.parseInt(until, 36) > call.now ? { id, versions } : undefined;
}

/**
 * @module Checks messages of webhooks with Web Crypto: what sites import as `edgewise-client/webhooks`.
 */

/** Seconds between the clocks of sender and receiver, as the libraries of Standard Webhooks have it. */
const TOLERANCE = 300;

/** Content types as `ContentTypes` of `types/content-types.d.ts` has them; without it any attribute is `unknown`. */
interface AnyTypes {
  readonly any: {
    readonly uid: string;
    readonly document: Readonly<Record<string, unknown>>;
    readonly draft: Readonly<Record<string, unknown>>;
  };
}

/** A version that is gone or too large has these alone. */
interface Identity {
  readonly documentId: string;
  readonly locale?: string | null;
}

interface Message<Event extends string> {
  readonly event: Event;
  /** ISO 8601. */
  readonly createdAt: string;
}

interface Entry<Event extends string, Uid, Document> extends Message<Event> {
  /** Singular name of the content type. */
  readonly model: string;
  readonly uid: Uid;
  readonly entry: Identity & Partial<Document>;
}

type EntryOf<Type> = Type extends {
  readonly uid: infer Uid;
  readonly document: infer Document;
  readonly draft: infer Draft;
}
  ?
      | Entry<'entry.create' | 'entry.update' | 'entry.draft-discard', Uid, Draft>
      | Entry<'entry.publish' | 'entry.unpublish', Uid, Document>
      | Entry<'entry.delete', Uid, Document | Draft>
  : never;

/** A change of a document. */
export type EntryMessage<Types = AnyTypes> = EntryOf<Types[keyof Types]>;

/** A change of a file. */
export interface MediaMessage extends Message<'media.create' | 'media.update' | 'media.delete'> {
  readonly media: Identity & {
    readonly name?: string;
    readonly url?: string;
    readonly mime?: string;
    /** Its `url` is not signed. */
    readonly private?: true;
    readonly [attribute: string]: unknown;
  };
}

/** What a webhook sends; `trigger-test` is that of `npx edgewise webhook test`. */
export type WebhookMessage<Types = AnyTypes> = EntryMessage<Types> | MediaMessage | Message<'trigger-test'>;

/** A message that is not signed with the secret, or is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** @param secret `whsec_` and base64, or any other text. @throws TypeError for one without a key */
function keyBytes(secret: string | undefined): Uint8Array<ArrayBuffer> {
  if (!secret) throw new TypeError('The secret of the webhook is not set');
  if (!secret.startsWith('whsec_')) return new Uint8Array(new TextEncoder().encode(secret));
  const bytes = decodeBase64(secret.slice('whsec_'.length));
  if (bytes && bytes.length > 0) return bytes;
  throw new TypeError('The secret of the webhook is not base64 after "whsec_"');
}

/** In either alphabet, as the sender decodes secrets. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    return undefined;
  }
}

function checkTime(timestamp: string): void {
  const age = Math.floor(Date.now() / 1_000) - Number(timestamp);
  if (!(Math.abs(age) <= TOLERANCE)) throw new WebhookError('The message is older than 5 minutes, or from the future');
}

/**
 * Reads the message of a webhook, once its signature has been checked.
 * @param request whose body has not been read
 * @param secret that which `secret` of the webhook in the settings names
 * @throws WebhookError for a message that is forged, altered or old; TypeError for a secret that is not set
 */
export async function verifyWebhook<Types = AnyTypes>(
  request: Request,
  secret: string | undefined,
): Promise<WebhookMessage<Types>> {
  const key = await crypto.subtle.importKey('raw', keyBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => {
    const value = request.headers.get(`webhook-${name}`);
    if (value === null) throw new WebhookError(`The header webhook-${name} is missing`);
    return value;
  }) as [string, string, string];
  checkTime(timestamp);
  const body = await request.text();
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const each of signatures.split(' ')) {
    const bytes = each.startsWith('v1,') ? decodeBase64(each.slice('v1,'.length)) : undefined;
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content))) return JSON.parse(body);
  }
  throw new WebhookError('The signature does not match: the message was altered, or signed with another secret');
}

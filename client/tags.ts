/**
 * @module Tags of cached reads, and those that a message of a webhook makes stale.
 */
import type { WebhookMessage } from './webhooks.ts';

/** Every message makes it stale. */
export const ALL = 'edgewise';

/** The singular name of a content type, or `file`. */
export type ModelName<Uid> = (Uid extends `${string}.${infer Name}` ? Name : string) | 'file';

export type UidOf<Type> = Type extends { readonly uid: infer Uid } ? Uid : never;

/** Singular names of the types that reads of a path show. */
export type TagsByType<Types> = { readonly [Name in keyof Types]?: readonly ModelName<UidOf<Types[keyof Types]>>[] };

/** Returns the tags of a read: those of its path, or that of all content. */
export function tagsOfRead(url: URL, types: object): readonly string[] {
  const named = Object.entries(types).find(([name]) => url.pathname.split('/').includes(name));
  return named?.[1] ?? [ALL];
}

/** Returns the tags that a message makes stale; none for a draft, which no cached read shows. */
export function messageTags(message: WebhookMessage): readonly string[] {
  if (message.event === 'trigger-test' || message.event === 'entry.draft-discard') return [];
  if ('media' in message) return [ALL, 'file', `file:${message.media.documentId}`];
  const { model, entry } = message;
  return entry.publishedAt === null ? [] : [ALL, model, `${model}:${entry.documentId}`];
}

/**
 * @module Who makes a write, as it is stored: never anything of a credential.
 */
import { type SQL, type SQLChunk, sql } from 'drizzle-orm';
import { apiTokens, users } from '../system-tables.ts';

/** Who makes a write, or made its schedule. */
export type Actor =
  /** `client` acts for the user. */
  | { readonly kind: 'user'; readonly id: number; readonly client?: { readonly host: string } | undefined }
  | { readonly kind: 'token'; readonly key: string }
  | { readonly kind: 'public' | 'code' }
  /** `madeBy` is that of `makerOf`. */
  | { readonly kind: 'schedule'; readonly madeBy: string | null };

const ofToken = (column: SQLChunk, isOf: SQL): SQL => sql`(select ${column} from ${apiTokens} where ${isOf})`;

const ofKey = (column: SQLChunk, key: string): SQL => ofToken(column, sql`${apiTokens.accessKey} = ${key}`);

/** `Ann`, or `Ann by claude.ai` @param host that of a client */
const userName = (id: number, host: string | undefined): SQL => {
  const name = host === undefined ? sql`${users.username}` : sql`${users.username} || ${` by ${host}`}`;
  return sql`(select ${name} from ${users} where ${users.id} = ${id})`;
};

const userId = (id: number): SQL => sql`cast(cast(${id} as integer) as text)`;

/** Kind and id of a user or token as one text, and the host of a client, to be kept with a schedule; null for others. */
export function makerOf(actor: Actor): SQL {
  if (actor.kind === 'user')
    return sql`'user ' || ${userId(actor.id)} || ${actor.client ? ` ${actor.client.host}` : ''}`;
  return actor.kind === 'token' ? sql`'token ' || ${ofKey(apiTokens.documentId, actor.key)}` : sql`null`;
}

interface StoredActor {
  /** `user`, `schedule of user` */
  readonly kind: string;
  readonly id: SQL;
  readonly name: SQL;
}

/** The kind, id and name to store. Of an API token, the id is its documentId. */
export function storedActor(actor: Actor): StoredActor {
  const unnamed = { kind: actor.kind, id: sql`null`, name: sql`null` };
  if (actor.kind === 'user')
    return { kind: 'user', id: userId(actor.id), name: userName(actor.id, actor.client?.host) };
  if (actor.kind === 'token')
    return { kind: 'token', id: ofKey(apiTokens.documentId, actor.key), name: ofKey(apiTokens.name, actor.key) };
  const [maker, id, host] = actor.kind === 'schedule' ? (actor.madeBy?.split(' ') ?? []) : [];
  if (id === undefined) return unnamed;
  const named = sql`${apiTokens.documentId} = ${id} and ${apiTokens.publishedAt} is not null`;
  const name = maker === 'user' ? userName(Number(id), host) : ofToken(apiTokens.name, named);
  return { kind: `schedule of ${maker}`, id: sql`${id}`, name };
}

/**
 * @module The makers of previews, as tokens name them.
 */
import { sql } from 'drizzle-orm';
import { type Compiled, query } from '../../sql/compiled.ts';
import { prepared } from '../../sql/prepared.ts';
import { apiTokens, users } from '../../sql/system-tables.ts';

export interface PreviewMaker {
  /** The numeric id of a user, or the documentId of an API token. */
  readonly maker: number | string;
  /** Previews from before this time are rejected; milliseconds since 1970. */
  readonly changedAt: number;
}

const selectId = prepared(
  () => sql`
    select ${apiTokens.documentId} from ${apiTokens} where ${apiTokens.accessKey} = ${sql.placeholder('key')} limit 1`,
);

/** @param key SHA-256 of the token */
export const tokenAsMaker = (key: string): Compiled<PreviewMaker> =>
  query(selectId({ key }), ([row]) => ({ maker: String(row?.document_id ?? ''), changedAt: 0 }));

const selectTimes = prepared(
  () => sql`
    select ${users.createdAt}, ${users.passwordChangedAt} from ${users} where ${users.id} = ${sql.placeholder('id')}`,
);

/** A password changes at the next whole second, and the machine that created the user may have had a clock that was ahead. */
export const userAsMaker = (id: number): Compiled<PreviewMaker> =>
  query(selectTimes({ id }), ([row]) => ({
    maker: id,
    changedAt: Math.max(Number(row?.password_changed_at ?? 0), Number(row?.created_at ?? 0)),
  }));

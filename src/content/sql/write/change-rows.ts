/**
 * @module The only ways to delete and update rows of content and of links, which a condition always names.
 */
import { type SQL, sql } from 'drizzle-orm';

export const deleteRows = (table: string, where: SQL): SQL => sql`delete from ${sql.identifier(table)} where ${where}`;

/** @param from what `set` and `where` read beside the table */
export const updateRows = (table: string, set: SQL, where: SQL, from?: SQL): SQL => sql`
  update ${sql.identifier(table)}
  set ${set}
  ${from ? sql`from ${from}` : sql``}
  where ${where}`;

/**
 * @module What `edgewise oauth` does: it lists the clients that users have connected, and ends what they let them do.
 */
import { readList } from '../../src/common/json.ts';
import type { Row } from '../../src/content/sql/statement.ts';
import { endGrant } from '../../src/features/oauth/sql/grants.ts';
import { OAUTH_GRANT_TABLE } from '../../src/schema/names.ts';
import { identifier, inlined, isoTime } from '../core/sql/sql-text.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { printJson, printRows, progress, UserError } from '../core/terminal.ts';
import { databaseName, type Target } from '../core/wrangler/wrangler.ts';

/** Grants that can still be used, those of a user together. */
const listSql = (now: number): string =>
  `SELECT g."id", u."email", g."client_id" AS "clientId", g."host", g."name", g."level", g."types",
  ${isoTime('g."created_at"')} AS "createdAt", ${isoTime('g."last_used_at"')} AS "lastUsedAt",
  ${isoTime('g."expires_at"')} AS "expiresAt"
  FROM ${identifier(OAUTH_GRANT_TABLE)} g LEFT JOIN "up_users" u ON u."document_id" = g."user"
  WHERE g."expires_at" > ${now} ORDER BY u."email", g."created_at", g."id"`;

const shownGrant = (row: Row): Row & { readonly types: readonly string[] | null } => ({
  ...row,
  types: row.types === null ? null : readList(row.types).map(String),
});

export async function listGrants({ json, ...target }: Target & { readonly json?: true }): Promise<void> {
  const [rows = []] = await executeSql([listSql(Date.now())], target);
  const grants = rows.map(shownGrant);
  if (json) return printJson(grants);
  if (grants.length === 0) return progress(`no client is connected to the ${databaseName(target)}`);
  const lines = grants.map(({ id, email, host, level, types, lastUsedAt }) => {
    const used = lastUsedAt === null ? 'never' : String(lastUsedAt).slice(0, 16);
    return [
      String(id),
      String(email ?? 'no user'),
      String(host),
      String(level),
      `last used ${used}`,
      types?.join(' ') ?? 'all types',
    ];
  });
  printRows(lines);
}

/** @throws UserError for an id that no grant has */
export async function revokeGrant(id: string, target: Target): Promise<void> {
  const { statements, decode } = endGrant({ grant: id, clientId: null });
  if (!decode(await executeSql(statements.map(inlined), target)))
    throw new UserError(`there is no grant "${id}" in the ${databaseName(target)}: npx edgewise oauth list`);
  progress(`revoked ${id}; its tokens are rejected from now on`);
}

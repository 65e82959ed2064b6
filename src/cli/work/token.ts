/**
 * @module What `edgewise token` does: it creates, lists and revokes API tokens.
 */
import { isPattern } from '../../auth/actions.ts';
import { readList } from '../../json.ts';
import type { Row } from '../../sql/statement.ts';
import {
  createTokenSql,
  LIST_TOKENS_SQL,
  newToken,
  REACH,
  revokeTokenSql,
  type TokenType,
} from '../core/sql/tokens.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { print, printJson, progress, UserError } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { namedActions } from '../project/actions.ts';
import { readSchemaFiles, registryOf } from '../project/project.ts';
import { untilSettled } from '../project/project-lock.ts';

export interface CreateFlags extends Target {
  readonly name: string;
  readonly type: TokenType;
  readonly permission?: readonly string[];
  readonly days?: number;
  readonly json?: true;
}

export interface ListFlags extends Target {
  readonly json?: true;
}

const DAY = 86_400_000;

/** Says what a token is good for. */
function reportReach(type: TokenType, wanted: readonly string[], permissions: readonly string[]): void {
  progress(REACH[type]);
  for (const permission of permissions) progress(`  ${permission}`);
  if (wanted.some(isPattern)) progress('Content types that are added later are not included.');
}

export async function createToken(
  root: string,
  { name, type, permission = [], days, json, ...target }: CreateFlags,
): Promise<void> {
  if (!target.remote) await untilSettled(root, 'npm run token');
  const permissions = namedActions(registryOf(await readSchemaFiles(root)), permission);
  const now = Date.now();
  const token = newToken();
  const wanted = {
    name,
    type,
    ...(type === 'custom' && { permissions }),
    ...(days !== undefined && { expiresAt: now + days * DAY }),
  };
  const [rows] = await executeSql([createTokenSql(wanted, token, now)], target);
  if (rows?.length !== 1)
    throw new UserError(
      `--name: there is a token "${name}" already; if it was never shown, since the command was stopped: npm run token -- revoke`,
    );
  if (json) return printJson({ ...shownToken({ ...wanted, createdAt: now }), token });
  reportReach(type, permission, permissions);
  progress(`${type} token "${name}"; this is the only time it is shown:`);
  print(token);
}

interface StoredToken {
  readonly name: string;
  readonly type: string;
  readonly permissions?: readonly string[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly lastUsedAt?: number;
}

const isoTime = (time: number | undefined): string | null => (time === undefined ? null : new Date(time).toISOString());

/** A token as JSON shows it: times in ISO 8601, null for never. */
const shownToken = ({ name, type, permissions, createdAt, expiresAt, lastUsedAt }: StoredToken) => ({
  name,
  type,
  permissions: permissions ?? null,
  createdAt: isoTime(createdAt),
  expiresAt: isoTime(expiresAt),
  lastUsedAt: isoTime(lastUsedAt),
});

const storedToken = (row: Row): StoredToken => ({
  name: String(row.name),
  type: String(row.type),
  createdAt: Number(row.created_at),
  ...(row.permissions !== null && { permissions: readList(row.permissions).map(String) }),
  ...(row.expires_at !== null && { expiresAt: Number(row.expires_at) }),
  ...(row.last_used_at !== null && { lastUsedAt: Number(row.last_used_at) }),
});

const dateOf = (time: number | undefined): string =>
  time === undefined ? 'never' : new Date(time).toISOString().slice(0, 16);

export async function listTokens({ json, ...target }: ListFlags): Promise<void> {
  const [rows = []] = await executeSql([LIST_TOKENS_SQL], target);
  const tokens = rows.map(storedToken);
  if (json) return printJson(tokens.map(shownToken));
  if (tokens.length === 0) return progress('no tokens');
  const lines = tokens.map(({ name, type, expiresAt, lastUsedAt, permissions = [] }) => [
    name,
    type,
    `expires ${dateOf(expiresAt)}`,
    `last used ${dateOf(lastUsedAt)}`,
    permissions.join(' '),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines)
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

export async function revokeToken(name: string, target: Target): Promise<void> {
  const [rows = []] = await executeSql([revokeTokenSql(name)], target);
  if (rows.length === 0) throw new UserError(`there is no token "${name}"`);
  progress(`revoked "${name}"`);
}

/**
 * @module What `edgewise token` does: it creates, lists and revokes API tokens.
 */
import { isPattern } from '../../auth/actions.ts';
import {
  createTokenSql,
  LIST_TOKENS_SQL,
  newToken,
  REACH,
  revokeTokenSql,
  type TokenType,
} from '../core/sql/tokens.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { print, progress, UserError } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { namedActions } from '../project/actions.ts';
import { readSchemaFiles, registryOf } from '../project/project.ts';
import { untilSettled } from '../project/project-lock.ts';

export interface CreateFlags extends Target {
  readonly name: string;
  readonly type: TokenType;
  readonly permission?: readonly string[];
  readonly days?: number;
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
  { name, type, permission = [], days, ...target }: CreateFlags,
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
  reportReach(type, permission, permissions);
  progress(`${type} token "${name}"; this is the only time it is shown:`);
  print(token);
}

const dateOf = (value: unknown): string =>
  value === null ? 'never' : new Date(Number(value)).toISOString().slice(0, 16);

export async function listTokens(target: Target): Promise<void> {
  const [rows = []] = await executeSql([LIST_TOKENS_SQL], target);
  if (rows.length === 0) return progress('no tokens');
  const lines = rows.map((row) => [
    String(row.name),
    String(row.type),
    `expires ${dateOf(row.expires_at)}`,
    `last used ${dateOf(row.last_used_at)}`,
    row.permissions === null ? '' : (JSON.parse(String(row.permissions)) as string[]).join(' '),
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

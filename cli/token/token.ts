/**
 * @module What `edgewise token` does: it creates, lists and revokes API tokens.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isPattern, withNames } from '../../src/access/actions.ts';
import { actionsOf } from '../../src/access/rule.ts';
import { readList } from '../../src/common/json.ts';
import type { Row } from '../../src/content/sql/statement.ts';
import type { Registry } from '../../src/schema/model.ts';
import { readGrants } from '../../src/schema/settings/grant-setting.ts';
import {
  createTokenSql,
  LIST_TOKENS_SQL,
  newToken,
  REACH,
  revokeTokenSql,
  type TokenType,
} from '../core/sql/tokens.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { print, printJson, printRows, progress, UserError } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { grantProblems, namedActions } from '../project/grants.ts';
import { readSchemaFiles, registryOf } from '../project/project.ts';
import { loadSettings } from '../project/settings.ts';

interface CreateFlags extends Target {
  readonly name: string;
  readonly type: TokenType;
  readonly permission?: readonly string[];
  /** A JSON file. */
  readonly grants?: string;
  readonly days?: number;
  readonly json?: true;
}

type ListFlags = Target & { readonly json?: true };

const DAY = 86_400_000;

const grantText = (grant: unknown): string => (typeof grant === 'string' ? grant : JSON.stringify(grant));

/** Adds the grants of a JSON file. @throws UserError for a file without grants, and for conditions that cannot be */
async function withGrants(root: string, file: string, actions: readonly string[], registry: Registry) {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(resolve(root, file), 'utf8'));
  } catch (error) {
    throw new UserError(`--grants: ${file}: ${error instanceof Error ? error.message : error}`);
  }
  const grants = readGrants(json);
  if (!grants) throw new UserError(`--grants: ${file}: expected a list of grants, as in the settings of a role`);
  namedActions(registry, grants.flatMap(actionsOf));
  const all = withNames([...actions, ...grants], registry);
  const problems = grantProblems(all, registry, await loadSettings(root));
  if (problems.length > 0) throw new UserError(`--grants: ${file}:`, ...problems.map((line) => `  ${line}`));
  return all;
}

export async function createToken(
  root: string,
  { name, type, permission = [], grants, days, json, ...target }: CreateFlags,
): Promise<void> {
  const registry = registryOf(await readSchemaFiles(root));
  const actions = namedActions(registry, permission);
  const permissions = grants === undefined ? actions : await withGrants(root, grants, actions, registry);
  const now = Date.now();
  const token = newToken();
  const [granted, expiresAt] = [
    permissions.length > 0 ? permissions : null,
    days === undefined ? null : now + days * DAY,
  ];
  const create = createTokenSql({ name, type, permissions: granted, expiresAt }, token, now);
  const [[row] = []] = await executeSql([create], target);
  if (!row)
    throw new UserError(
      `--name: there is a token "${name}" already; if it was never shown, since the command was stopped: npx edgewise token revoke '${name}'`,
    );
  if (json) return printJson({ ...shownToken(row), token });
  progress(REACH[type]);
  for (const grant of permissions) progress(`  ${grantText(grant)}`);
  if (permission.some(isPattern)) progress('Content types that are added later are not included.');
  progress(`${type} token "${name}"; this is the only time it is shown:`);
  print(token);
}

const shownToken = (row: Row): Row & { readonly permissions: readonly string[] | null } => ({
  ...row,
  permissions: row.permissions === null ? null : readList(row.permissions).map(grantText),
});

export async function listTokens({ json, ...target }: ListFlags): Promise<void> {
  const [rows = []] = await executeSql([LIST_TOKENS_SQL], target);
  const tokens = rows.map(shownToken);
  if (json) return printJson(tokens);
  if (tokens.length === 0) return progress('no tokens');
  const dateOf = (time: unknown): string => (time === null ? 'never' : String(time).slice(0, 16));
  const lines = tokens.map(({ name, type, expiresAt, lastUsedAt, permissions }) => {
    const times = [`expires ${dateOf(expiresAt)}`, `last used ${dateOf(lastUsedAt)}`];
    return [String(name), String(type), ...times, permissions?.join(' ') ?? ''];
  });
  printRows(lines);
}

export async function revokeToken(name: string, target: Target): Promise<void> {
  const [rows = []] = await executeSql([revokeTokenSql(name)], target);
  if (rows.length === 0) throw new UserError(`there is no token "${name}"`);
  progress(`revoked "${name}"`);
}

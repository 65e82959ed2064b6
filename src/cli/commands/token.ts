/**
 * @module `npm run token`: creates, lists and revokes API tokens.
 */
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { isPattern } from '../../auth/actions.ts';
import { executeSql } from '../platform/execute-sql.ts';
import { withTarget } from '../platform/target-options.ts';
import {
  createTokenSql,
  LIST_TOKENS_SQL,
  newToken,
  REACH,
  revokeTokenSql,
  TOKEN_TYPES,
  type TokenType,
} from '../platform/tokens.ts';
import type { Target } from '../platform/wrangler.ts';
import { namedActions } from '../project/actions.ts';
import { readSchemaFiles, registryOf } from '../project/project.ts';
import { untilSettled } from '../project/project-lock.ts';
import { print, progress, run, UserError } from '../terminal.ts';

interface CreateFlags extends Target {
  readonly name: string;
  readonly type: TokenType;
  readonly permission?: readonly string[];
  readonly days?: number;
}

const DAY = 86_400_000;

/** The actions of a custom token, with patterns spelt out. */
async function permissionsOf(type: TokenType, wanted: readonly string[]): Promise<readonly string[]> {
  if (type !== 'custom' && wanted.length > 0)
    throw new UserError(`--permission: only custom tokens have permissions; this one is ${type}`);
  if (type === 'custom' && wanted.length === 0)
    throw new UserError('--permission: a custom token needs at least one, such as api::article.article.find');
  return namedActions(registryOf(await readSchemaFiles(process.cwd())), wanted);
}

/** Says what a token is good for. */
function reportReach(type: TokenType, wanted: readonly string[], permissions: readonly string[]): void {
  progress(REACH[type]);
  for (const permission of permissions) progress(`  ${permission}`);
  if (wanted.some(isPattern)) progress('Content types that are added later are not included.');
}

async function create({ name, type, permission = [], days, ...target }: CreateFlags): Promise<void> {
  if (!target.remote) await untilSettled(process.cwd(), 'npm run token');
  const permissions = await permissionsOf(type, permission);
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

async function list(target: Target): Promise<void> {
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

async function revoke(name: string, target: Target): Promise<void> {
  const [rows = []] = await executeSql([revokeTokenSql(name)], target);
  if (rows.length === 0) throw new UserError(`there is no token "${name}"`);
  progress(`revoked "${name}"`);
}

function positive(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('expected a whole number of days, 1 to 99999.');
  return Number(text);
}

function named(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('expected a name.');
  return text;
}

function subcommand(program: Command, name: string, description: string): Command {
  return withTarget(program.command(name).description(description));
}

function program(): Command {
  const command = new Command('npm run token --').description('API tokens of this deployment.');
  subcommand(command, 'create', 'Creates a token and prints it, once, as the last line.')
    .requiredOption('--name <name>', 'what to call it; names are unique', named)
    .addOption(new Option('--type <type>', 'what it may do').choices(TOKEN_TYPES).makeOptionMandatory())
    .option(
      '--permission <uid...>',
      'actions of a custom token, such as api::article.article.find; * stands for any characters',
    )
    .option('--days <n>', 'expires after n days', positive)
    .action((flags: CreateFlags) => run(() => create(flags)));
  subcommand(command, 'list', 'Lists the tokens; the tokens themselves are not stored.').action((flags: Target) =>
    run(() => list(flags)),
  );
  subcommand(command, 'revoke', 'Deletes a token; it is refused at once.')
    .addArgument(new Argument('<name>', 'name of the token'))
    .action((name: string, flags: Target) => run(() => revoke(name, flags)));
  return command;
}

if (import.meta.main) await program().parseAsync();

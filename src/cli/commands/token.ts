/**
 * @module `edgewise token`: creates, lists and revokes API tokens.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { TOKEN_TYPES } from '../core/sql/tokens.ts';
import { UsageError } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import type { CreateFlags, ListFlags } from '../work/token.ts';
import { numberIn, withJson, withTarget } from './options.ts';

const days = numberIn(1, 99_999, 'a whole number of days, 1 to 99999');

function named(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Expected a name.');
  return text;
}

/** @throws UsageError for permissions that the type of token does not take. */
function assertPermissions({ type, permission = [], grants }: CreateFlags): void {
  if (type !== 'custom' && (permission.length > 0 || grants !== undefined))
    throw new UsageError(`--permission: only custom tokens have permissions; this one is ${type}`);
  if (type === 'custom' && permission.length === 0 && grants === undefined)
    throw new UsageError('--permission: a custom token needs at least one, such as api::article.article.find');
}

const create = (): Command =>
  withJson(
    withTarget(
      new Command('create')
        .description('Creates a token and prints it, once, as the last line.')
        .requiredOption('--name <name>', 'what to call it; names are unique', named)
        .addOption(new Option('--type <type>', 'what it may do').choices(TOKEN_TYPES).makeOptionMandatory())
        .option(
          '--permission <uid...>',
          'actions of a custom token, such as api::article.article.find; * stands for any characters',
        )
        .option(
          '--grants <file>',
          'JSON list of grants of a custom token, with conditions as in the settings of a role',
        )
        .option('--days <n>', 'expires after n days', days),
    ),
  ).action(async (flags: CreateFlags) => {
    assertPermissions(flags);
    await (await import('../work/token.ts')).createToken(process.cwd(), flags);
  });

const list = (): Command =>
  withJson(
    withTarget(new Command('list').description('Lists the tokens; the tokens themselves are not stored.')),
  ).action(async (flags: ListFlags) => (await import('../work/token.ts')).listTokens(flags));

const revoke = (): Command =>
  withTarget(
    new Command('revoke')
      .description('Deletes a token; it is refused at once.')
      .argument('<name>', 'name of the token'),
  ).action(async (name: string, target: Target) => (await import('../work/token.ts')).revokeToken(name, target));

export const token = (): Command =>
  new Command('token')
    .description('API tokens of this deployment.')
    .addCommand(create())
    .addCommand(list())
    .addCommand(revoke());

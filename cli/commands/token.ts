/**
 * @module `edgewise token`: creates, lists and revokes API tokens.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { TOKEN_TYPES } from '../core/sql/tokens.ts';
import { UsageError } from '../core/terminal.ts';
import { locked } from './locked.ts';
import { numberIn, withJson, withTarget } from './options.ts';

const days = numberIn(1, 99_999, 'a whole number of days, 1 to 99999');

function named(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Expected a name.');
  return text;
}

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('API tokens of this deployment.');

  withJson(
    withTarget(
      token
        .command('create')
        .description('Creates a token and prints it, once, as the last line.')
        .requiredOption('--name <name>', 'what to call it; names are unique', named)
        .addOption(
          new Option('--type <type>', 'what it may do; an agent reads all content and writes drafts only')
            .choices(TOKEN_TYPES)
            .makeOptionMandatory(),
        )
        .option(
          '--permission <uid...>',
          'actions of a custom token, such as api::article.article.find; * stands for any characters. Tokens of every type may name readPrivate',
        )
        .option(
          '--grants <file>',
          'JSON list of grants of a custom token, with conditions as in the settings of a role',
        )
        .option('--days <n>', 'expires after n days', days),
    ),
  ).action(async (flags, command) => {
    const hasPermissions = flags.permission !== undefined || flags.grants !== undefined;
    const others = flags.permission?.filter((name: string) => !name.endsWith('.readPrivate')) ?? [];
    if (flags.type !== 'custom' && (others.length > 0 || flags.grants !== undefined))
      throw new UsageError(
        `--permission: a token of the type ${flags.type} may name readPrivate of a content type alone; other permissions are for custom tokens`,
      );
    if (flags.type === 'custom' && !hasPermissions)
      throw new UsageError('--permission: a custom token needs at least one, such as api::article.article.find');
    await locked(command, async () => (await import('../token/token.ts')).createToken(process.cwd(), flags));
  });

  withJson(
    withTarget(token.command('list').description('Lists the tokens; the tokens themselves are not stored.')),
  ).action(async (flags) => (await import('../token/token.ts')).listTokens(flags));

  withTarget(
    token
      .command('revoke')
      .description('Deletes a token; it is rejected at once.')
      .argument('<name>', 'name of the token'),
  ).action((name, target, command) =>
    locked(command, async () => (await import('../token/token.ts')).revokeToken(name, target)),
  );
}

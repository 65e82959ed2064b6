/**
 * @module `edgewise user`: creates, lists and blocks users, and sets their passwords.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { locked } from './locked.ts';
import { withJson, withTarget } from './options.ts';

function filled(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected a text that is not empty.');
  return text;
}

const withPassword = (command: Command): Command =>
  command.addOption(
    new Option('--password <password>', 'without it, one is made and printed as the last line')
      .env('EDGEWISE_PASSWORD')
      .argParser(filled),
  );

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('Users of this deployment, who sign in by e-mail and password.');

  withPassword(
    withJson(
      withTarget(
        user
          .command('create')
          .description('Creates a confirmed user.')
          .requiredOption('--email <email>', 'address to sign in with', filled)
          .option('--role <type>', 'role of the settings, such as editor; otherwise users.defaultRole', filled)
          .option('--username <name>', 'otherwise the e-mail address', filled),
      ),
    ),
  ).action((flags, command) =>
    locked(command, async () => (await import('../user/user.ts')).createUser(process.cwd(), flags)),
  );

  withJson(withTarget(user.command('list').description('Lists the users with their roles.'))).action(async (flags) =>
    (await import('../user/user.ts')).listUsers(flags),
  );

  const named = (name: string, description: string): Command =>
    withTarget(user.command(name).description(description).argument('<email>', 'e-mail address of the user'));

  withPassword(named('set-password', 'Sets a password, and ends all sign-ins of the user.')).action(
    (email, flags, command) =>
      locked(command, async () => (await import('../user/user.ts')).setPassword(process.cwd(), email, flags)),
  );

  for (const [name, blocked, description] of [
    ['block', true, 'Blocks a user, and ends all sign-ins at once.'],
    ['unblock', false, 'Lets a blocked user sign in again.'],
  ] as const)
    named(name, description).action((email, target, command) =>
      locked(command, async () => (await import('../user/user.ts')).setBlocked(process.cwd(), email, blocked, target)),
    );
}

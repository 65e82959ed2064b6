/**
 * @module Options that several commands share, and kinds of values.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { GROUPS, type Group } from '../core/archive/groups.ts';

/** Reads a whole number. @throws InvalidArgumentError for anything else. */
export const numberIn =
  (least: number, most: number, expected = `${least} to ${most}`) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected ${expected}.`);
  };

export const wholeNumber = numberIn(0, 999_999_999, 'a whole number');

/** Reads some of the groups of an archive, with commas between them. @throws InvalidArgumentError for another name. */
export function groups(text: string): readonly Group[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.filter((name) => !GROUPS.some((group) => group === name));
  if (wrong.length > 0) throw new InvalidArgumentError(`Expected some of ${GROUPS.join(', ')}, with commas.`);
  return names as Group[];
}

/** `--env`, which wrangler takes from CLOUDFLARE_ENV too. It is compared with wrangler.toml before the command begins. */
export const withEnvironment = (command: Command): Command =>
  command
    .addOption(
      new Option('--env <name>', 'an environment of wrangler.toml, such as staging')
        .env('CLOUDFLARE_ENV')
        .argParser((name) => (name === '' ? undefined : name)),
    )
    .hook('preAction', async () => {
      const { env } = command.opts<{ readonly env?: string }>();
      if (env !== undefined) (await import('../core/wrangler/configuration.ts')).assertEnvironment(env);
    });

/** `--remote`, `--env` and `--persist-to`. */
export const withTarget = (command: Command): Command =>
  withEnvironment(command.option('--remote', 'the deployed database and bucket, not the local ones')).addOption(
    new Option('--persist-to <dir>', 'folder of the local database, in place of .wrangler/state').conflicts('remote'),
  );

/** `--json`. */
export const withJson = (command: Command): Command =>
  command.option('--json', 'prints the result as JSON, for scripts');

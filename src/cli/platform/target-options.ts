/**
 * @module The options by which commands are told which database and bucket they are about.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { experimental_readRawConfig } from 'wrangler';
import { failureText } from '../failure-text.ts';
import { CONFIG } from './wrangler.ts';

function rawConfig() {
  try {
    return experimental_readRawConfig({ config: CONFIG }).rawConfig;
  } catch (error) {
    throw new InvalidArgumentError(failureText(error) ?? (error as Error).message);
  }
}

/**
 * Without any environment in its file, wrangler would take a wrong name for what stands outside of all.
 * @throws InvalidArgumentError for a name that wrangler.toml does not have.
 */
function environment(name: string): string | undefined {
  if (name === '') return undefined;
  const { env = {} } = rawConfig();
  const names = Object.keys(env);
  if (names.includes(name)) return name;
  throw new InvalidArgumentError(
    `${CONFIG} has no [env.${name}]; it has ${names.length > 0 ? names.join(', ') : 'no environments'}.`,
  );
}

/** `--env`, which wrangler takes from CLOUDFLARE_ENV too. */
export const withEnvironment = (command: Command): Command =>
  command.addOption(
    new Option('--env <name>', 'an environment of wrangler.toml, such as staging')
      .env('CLOUDFLARE_ENV')
      .argParser(environment),
  );

/** `--remote`, `--env` and `--persist-to`. */
export const withTarget = (command: Command): Command =>
  withEnvironment(command.option('--remote', 'the deployed database and bucket, not the local ones')).option(
    '--persist-to <dir>',
    'folder of the local database, in place of .wrangler/state',
  );

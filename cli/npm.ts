/**
 * @module What npm does to a command line. `npm run import archive.tar --dry-run` gives the option to npm itself, which
 * drops it and sets `npm_config_dry_run`; only what follows `--` reaches the command.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';

type Env = Readonly<Record<string, string | undefined>>;

/** How this process was started, as the beginning of a command line; options may follow it. */
export function invocation(
  name: string,
  { npm_lifecycle_event: event, npm_lifecycle_script: script = '' }: Env,
): string {
  const isScript = event !== undefined && new RegExp(`\\bedgewise(\\.mjs)? ${name}\\b`).test(script);
  return isScript ? `npm run ${event} --` : `npx edgewise ${name}`;
}

/** Did npm read the options before this process got them? */
const isBehindNpm = (name: string, env: Env): boolean =>
  invocation(name, env).startsWith('npm') || /^'?edgewise'?$/.test(env.npm_lifecycle_script ?? '');

/** npm takes the beginning of a name of its own for the whole. */
const COMPLETED: Readonly<Record<string, string>> = { replace: 'replace_registry_host' };

/** What a user's `.npmrc` may have there, and no value of ours. */
const OWN_VALUES: Readonly<Record<string, readonly string[]>> = { replace: ['npmjs', 'never', 'always'] };

/** `key` and `key = "value"`, as in https://docs.npmjs.com/cli/configuring-npm/npmrc. */
function isInFile(path: string, key: string, value: string): boolean {
  if (!existsSync(path)) return false;
  const name = key.replaceAll('_', '[-_]');
  const lines = readFileSync(path, 'utf8').matchAll(new RegExp(`^\\s*${name}\\s*(?:=\\s*["']?(.*?)["']?\\s*)?$`, 'gm'));
  return [...lines].some(([, set = 'true']) => set === value);
}

/** Is a value of npm's configuration one of its files, and not one of the command line? */
const isConfigured = (key: string, value: string, env: Env): boolean =>
  [env.npm_config_userconfig, env.npm_config_globalconfig, join(env.npm_config_local_prefix ?? '.', '.npmrc')].some(
    (path) => path !== undefined && isInFile(path, key, value),
  );

/** The values of an option that npm kept; none: it kept nothing. A switch, and a value that npm let go, is `true`. */
function keptValues(option: Option, env: Env): readonly string[] {
  const name = option.name().replace(/^no-/, '');
  const key = COMPLETED[name] ?? name.replaceAll('-', '_');
  const value = env[`npm_config_${key}`];
  if (value === undefined || (value === '') !== option.negate) return [];
  return OWN_VALUES[name]?.includes(value) || isConfigured(key, value, env) ? [] : value.split('\n\n');
}

/** The command that the first words name, and the words behind them. */
function addressed(command: Command, args: readonly string[]): { leaf: Command; rest: readonly string[] } {
  const [word, ...rest] = args;
  const next = command.commands.find((each) => each.name() === word);
  return next ? addressed(next, rest) : { leaf: command, rest: args };
}

const declaredBy = (command: Command): readonly Option[] => [
  ...command.options,
  ...command.commands.flatMap((each) => declaredBy(each)),
];

interface Kept {
  readonly option: Option;
  readonly value: string;
}

/** npm lets go of the value of an option that it does not know: it is left over as a word. */
const isLost = ({ option, value }: Kept): boolean => option.required && value === 'true';

function textOf({ option, value }: Kept, spare: string | undefined): string {
  const { long, flags, required } = option;
  if (value !== 'true' && value !== '') return `${long} ${value}`;
  if (!required) return `${long}`;
  return spare === undefined ? flags : `${long} ${spare}`;
}

/**
 * What the user should have written, where npm has kept an option for itself; undefined: it has kept none.
 * @param args what has reached the command.
 */
export function rewritten(command: Command, args: readonly string[], env: Env): string | undefined {
  if (!isBehindNpm(command.name(), env)) return undefined;
  const { leaf, rest } = addressed(command, args);
  const options = new Map(declaredBy(leaf).map((option) => [option.long, option]));
  const kept = [...options.values()]
    .filter(({ long }) => !args.some((arg) => arg === long || arg.startsWith(`${long}=`)))
    .flatMap((option) => keptValues(option, env).map((value) => ({ option, value })))
    // A switch of npm's, which people have in their environment; ours has a number, which is left over then.
    .filter(({ option, value }) => option.long !== '--yes' || value !== 'true' || /^\d+$/.test(rest.join(' ')));
  if (kept.length === 0) return undefined;
  const lost = kept.filter(isLost);
  const takesWords = leaf.registeredArguments.length > 0 || lost.length === 0;
  const spare = !takesWords && lost.length === 1 && rest.length === 1 ? rest[0] : undefined;
  const words = takesWords ? args : args.slice(0, args.length - rest.length);
  return [invocation(command.name(), env), ...words, ...kept.map((each) => textOf(each, spare))].join(' ');
}

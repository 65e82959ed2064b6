/**
 * @module The one program of the command line: its commands, and what is checked before any of them begins.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { nearest } from '../src/common/near-words.ts';
import { addContentCommands } from './commands/content.ts';
import { addHistoryCommands } from './commands/history.ts';
import { addOAuthCommands } from './commands/oauth.ts';
import { addProjectCommands } from './commands/project.ts';
import { addTokenCommands } from './commands/token.ts';
import { addUserCommands } from './commands/user.ts';
import { addWebhookCommands } from './commands/webhook.ts';
import { endChildrenWithProcess } from './core/child.ts';
import { PACKAGE, readPackage } from './core/package.ts';
import { run, UsageError } from './core/terminal.ts';
import { WRANGLER_TOML } from './core/wrangler/wrangler.ts';
import { assertNoNewer } from './project/version-note.ts';

/** The beginning of a command line that runs this command. */
function start(command: Command): string {
  const { parent } = command;
  return `${parent ? start(parent) : 'npx'} ${command.name()}`;
}

/** What a word that the command does not take was meant to be: an option, or another command of the same group. */
function meant(word: string, command: Command): string | undefined {
  const options = command.options.map(({ long }) => long ?? '');
  const option = nearest(word, options);
  if (option !== undefined) return `${start(command)} ${option}`;
  if (!command.parent?.parent) return undefined;
  const siblings = command.parent.commands.map((each) => each.name());
  const sibling = nearest(word, siblings);
  return sibling && `${start(command.parent)} ${sibling}`;
}

/** @throws UsageError for a word that the command does not take. */
function assertTaken(command: Command): void {
  const { args, registeredArguments } = command;
  const word = args[registeredArguments.length];
  if (word === undefined || registeredArguments.at(-1)?.variadic) return;
  const line = meant(word, command);
  const advice = line === undefined ? `; see: ${start(command)} --help` : `. Did you mean: ${line}`;
  throw new UsageError(`Unexpected argument "${word}"${advice}`);
}

/**
 * Checks the folder, for all commands but the one that makes a project.
 * @throws UsageError in a folder that is no project, UserError in one that a newer version has generated
 */
function assertProject(command: Command): void {
  if (command.name() === 'new') return;
  if (!existsSync(WRANGLER_TOML)) {
    const own = PACKAGE.replace(/[\\/]node_modules[\\/]edgewise$/, '');
    const folder = existsSync(join(own, WRANGLER_TOML))
      ? `in ${own}, to which it belongs`
      : 'in the folder of a project';
    throw new UsageError(`There is no ${WRANGLER_TOML} in ${process.cwd()}: run the command ${folder}`);
  }
  assertNoNewer(process.cwd());
}

export function newProgram(): Command {
  const program = new Command('edgewise')
    .description("Strapi 5's REST Content API from one Cloudflare Worker.")
    .version(readPackage().version)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .configureHelp({ commandUsage: (command) => `${start(command)} ${command.usage()}` })
    .allowExcessArguments()
    .hook('preAction', (_, command) => {
      assertTaken(command);
      assertProject(command);
    });
  addProjectCommands(program);
  addTokenCommands(program);
  addUserCommands(program);
  addOAuthCommands(program);
  addWebhookCommands(program);
  addHistoryCommands(program);
  addContentCommands(program);
  return program;
}

/** `error: unknown option '--forse'\n(Did you mean --force?)` → one sentence. */
function sentence(message: string): string {
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Runs a command line. @throws UsageError for a wrong one, and what the command throws */
export async function runLine(args: readonly string[]): Promise<void> {
  try {
    await newProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // A command group without a command: its help is on the terminal already.
    if (error.code === 'commander.help') process.exitCode = 2;
    else if (error.exitCode !== 0) throw new UsageError(sentence(error.message));
  }
}

/** Is the process of a command line. */
export function main(args: readonly string[]): Promise<void> {
  // So a deployment that was stopped does not go on.
  endChildrenWithProcess();
  return run(() => runLine(args));
}

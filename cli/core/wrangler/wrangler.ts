/**
 * @module Runs the wrangler of this project. Its output is shown only when it fails.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { SYSTEM_TEMPORARY } from '../leftovers.ts';
import { UserError } from '../terminal.ts';
import { assertFolders } from './wrangler-folders.ts';

/** The local database of `wrangler dev`, or the deployed one. */
export interface Target {
  readonly remote?: boolean;
  /** Folder of the local database, in place of `.wrangler/state`. */
  readonly persistTo?: string;
  /** An environment of wrangler.toml; absent: what stands there outside of all. */
  readonly env?: string;
}

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What `deploy` and `migrate` need of wrangler; tests have their own. */
export type Wrangler = (args: readonly string[]) => Promise<Finished>;

export const WRANGLER_TOML = 'wrangler.toml';

const CLI = createRequire(import.meta.url).resolve('wrangler');

/**
 * Starts wrangler. Its entry file runs directly: the bin script would start another process, and not pass signals on.
 * @param silent pipes its output and lets it ask nothing.
 * @param variables more environment variables.
 * @throws UserError where wrangler cannot write its folders.
 */
export function spawnWrangler(
  args: readonly string[],
  silent: boolean,
  variables: Readonly<Record<string, string>> = {},
): ChildProcess {
  assertFolders();
  const child = spawn(process.execPath, ['--no-warnings', CLI, ...args], {
    stdio: silent ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    // At a lower level, which `withStorage` and users set, wrangler prints no results.
    env: {
      // Otherwise each reload requests the location of this machine, and offline says that it cannot.
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      ...process.env,
      ...SYSTEM_TEMPORARY,
      WRANGLER_SEND_METRICS: 'false',
      ...variables,
      ...(!process.stdout.isTTY && { NO_COLOR: '1', FORCE_COLOR: '0' }),
      ...(silent && { CI: 'true', NO_COLOR: '1', WRANGLER_LOG: 'log' }),
    },
  });
  return child;
}

export const wrangler: Wrangler = async (args) => {
  const child = spawnWrangler(args, true);
  const written = [child.stdout, child.stderr].map((stream) => stream && text(stream));
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), ...written]);
  return { code: code ?? 1, stdout: stdout ?? '', stderr: stderr ?? '' };
};

export const envArgs = ({ env }: Target): readonly string[] => (env === undefined ? [] : ['--env', env]);

/** Where wrangler is to look: `--remote`, or `--local` with its folder. */
export function targetArgs(target: Target): readonly string[] {
  if (target.remote) return ['--remote', ...envArgs(target)];
  const { persistTo } = target;
  return ['--local', ...(persistTo === undefined ? [] : ['--persist-to', persistTo]), ...envArgs(target)];
}

/** The same as options of a command of Edgewise, which takes the local database without one. */
export const targetOptions = (target: Target): readonly string[] =>
  targetArgs(target).filter((option) => option !== '--local');

/** How messages call it: `local database`, `deployed database (staging)`. */
export const databaseName = ({ remote, env }: Target): string =>
  `${remote ? 'deployed' : 'local'} database${env === undefined ? '' : ` (${env})`}`;

/** The JSON that wrangler wrote, among other words; undefined without any. */
export function parsed(stdout: string): unknown {
  const start = stdout.search(/^[[{]/m);
  try {
    return JSON.parse(stdout.slice(Math.max(start, 0)));
  } catch {
    return undefined;
  }
}

/** Part of the message of wrangler without a login. */
const NO_LOGIN = /it's necessary to set a CLOUDFLARE_API_TOKEN|You are not authenticated|not logged in/i;
export const LOGIN = 'Not logged in to Cloudflare: npx wrangler login\nIn a pipeline, set CLOUDFLARE_API_TOKEN.';

/** wrangler's own words about a failure, unless all it misses is a login: then `LOGIN`. */
export function wordsOf({ stdout, stderr }: Finished): string {
  const { error } = (parsed(stdout) ?? {}) as { readonly error?: { readonly text?: string } };
  const words = error?.text ?? `${stdout.trim()}\n${stderr.trim()}`.trim();
  return NO_LOGIN.test(words) ? LOGIN : words;
}

export function wranglerFailure(what: string, done: Finished): string {
  const words = wordsOf(done);
  return words === LOGIN ? LOGIN : `${what} failed:\n${words}`;
}

/** @throws UserError with wrangler's own words when it failed. */
export function assertDone(what: string, done: Finished): void {
  if (done.code !== 0) throw new UserError(wranglerFailure(what, done));
}

/** The JSON that wrangler wrote. @throws UserError with its words when it failed, or wrote none. */
export function jsonOf(what: string, done: Finished): unknown {
  assertDone(what, done);
  const json = parsed(done.stdout);
  if (json === undefined) throw new UserError(`${what}: wrangler returned no JSON:\n${done.stdout}`);
  return json;
}

/**
 * The point in time at which the deployed database is now (https://developers.cloudflare.com/d1/reference/time-travel/).
 * @throws UserError with wrangler's words.
 */
export async function timeTravelBookmark(target: Target, run: Wrangler): Promise<string> {
  const what = 'Taking a Time Travel bookmark';
  const done = await run(['d1', 'time-travel', 'info', 'DB', ...envArgs(target), '--json']);
  const { bookmark } = jsonOf(what, done) as { readonly bookmark?: string };
  if (!bookmark) throw new UserError(`${what}: wrangler returned none:\n${done.stdout}`);
  return bookmark;
}

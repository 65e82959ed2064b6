/**
 * @module A clean clone of this repository in a temporary folder, and `npm run` in it as a user would.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** What it has written so far. */
  output(): string;
  /** Waits until the output has it. */
  says(text: string | RegExp, milliseconds?: number): Promise<void>;
  ended: Promise<Ended>;
}

export interface Commands {
  start(command: string, ...args: readonly string[]): Running;
  /** Runs to the end. */
  run(command: string, ...args: readonly string[]): Promise<Ended>;
}

export interface Clone extends Commands {
  readonly root: string;
  /** Saves as some editors do: a new file takes the place of the old one. */
  save(path: string, text: string): void;
  remove(): void;
}

/** The Node that npm finds is the one of the machine, and not the one that this process was started with. */
const systemPath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp'))
  .join(delimiter);

export const newerPath = [dirname(process.execPath), systemPath].join(delimiter);

/** Without what npm and vitest tell their scripts. */
function cleanEnv(path: string): NodeJS.ProcessEnv {
  const told = Object.keys(process.env).filter((name) => /^(npm_|VITEST|NODE_ENV$|NODE_OPTIONS$|CI$)/i.test(name));
  return { ...process.env, ...Object.fromEntries(told.map((name) => [name, undefined])), PATH: path };
}

function running(child: ChildProcess): Running {
  let output = '';
  const take = (chunk: unknown) => {
    output += String(chunk);
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  return {
    child,
    ended,
    output: () => output,
    async says(text, milliseconds = 60_000) {
      for (const limit = Date.now() + milliseconds; Date.now() < limit; ) {
        if (typeof text === 'string' ? output.includes(text) : text.test(output)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`it did not say ${text}, but:\n${output}`);
    },
  };
}

/** Commands in a folder, with what a user's shell would have. */
export function commandsIn(root: string, path = systemPath): Commands {
  const env = cleanEnv(path);
  const start: Commands['start'] = (command, ...args) =>
    running(spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true }));
  return { start, run: (command, ...args) => start(command, ...args).ended };
}

/** Files that git knows or would take, as they are now; the packages are those of this folder. */
export function cleanClone(path = systemPath): Clone {
  const root = mkdtempSync(join(tmpdir(), 'edgewise-first-hour-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  const isFile = (path: string) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile() === true;
  for (const file of listed.toString().split('\0').filter(isFile)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    cpSync(join(ROOT, file), join(root, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return {
    root,
    ...commandsIn(root, path),
    save(file, text) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, `${file}.swp`), text);
      renameSync(join(root, `${file}.swp`), join(root, file));
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Runs a line whose words have no blanks. @returns its output. @throws Error with its output where it fails */
export async function done(commands: Commands, line: string): Promise<string> {
  const [command = '', ...args] = line.split(' ');
  const { code, output } = await commands.run(command, ...args);
  if (code !== 0) throw new Error(`${line}:\n${output}`);
  return output;
}

/** As Ctrl-C does on a terminal: to npm and all that it has started. */
export async function interrupt({ child, ended }: Running): Promise<Ended> {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT');
  return ended;
}

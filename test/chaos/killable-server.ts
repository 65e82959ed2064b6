/**
 * @module A Worker on the real runtime that is killed and started again, with its database on the disk.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { SchemaFiles } from '../../src/schema/build.ts';
import type { Settings } from '../../src/schema/settings/config.ts';

const SRC = join(import.meta.dirname, '../../src');
const CHILD = join(import.meta.dirname, 'child-server.ts');

interface Bundler {
  build(options: object): Promise<unknown>;
}

/** Bundles the Worker of these content types, as wrangler does. */
export async function bundleWorker(files: SchemaFiles, settings: Settings, outfile: string): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  const { build } = createRequire(resolve('wrangler'))('esbuild') as Bundler;
  const contents = `import { createWorker } from './worker.ts';
    export default createWorker(${JSON.stringify(files)}, ${JSON.stringify(settings)});`;
  await build({
    ...{ stdin: { contents, resolveDir: SRC }, outfile, bundle: true, minify: true, format: 'esm', target: 'esnext' },
    ...{ conditions: ['workerd', 'worker'], external: ['node:*', 'cloudflare:*'], logLevel: 'error' },
    alias: { 'side-channel': join(SRC, 'content/request/side-channel.cjs') },
  });
}

export class KillableServer {
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  /** Of the server that runs, or is about to. */
  origin: Promise<string> = Promise.reject(new Error('not started'));

  constructor(bundle: string, folder: string) {
    this.#args = ['--no-warnings', CHILD, bundle, folder];
    this.origin.catch(() => undefined);
  }

  async start(...more: readonly string[]): Promise<void> {
    // A process group of its own, with workerd in it.
    const child = spawn(process.execPath, [...this.#args, ...more], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const printed = once(child.stdout, 'data').then(String);
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the server did not start')));
    ended.catch(() => undefined);
    this.origin = Promise.race([printed, ended]);
    await this.origin;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
}

/**
 * @module A site of a guide, in a folder of its own, with `edgewise-client` as npm packs it.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';

const CLIENT = join(import.meta.dirname, '../../client');

/** @param more environment variables of its commands */
export function makeSite(
  name: string,
  files: Readonly<Record<string, string>>,
  packages: readonly string[],
  more: Readonly<Record<string, string>>,
) {
  const folder = mkdtempSync(join(tmpdir(), `edgewise-${name}-`));
  const env = { ...process.env, NODE_ENV: 'production' as const, ...more };
  let server: ChildProcess | undefined;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  /** @throws Error with what it has printed where the command fails */
  function run(command: string, ...args: readonly string[]): void {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
  const pack = ['pack', '--silent', '--pack-destination', folder];
  const packed = execFileSync('npm', pack, { cwd: CLIENT, encoding: 'utf8' }).trim().split('\n').at(-1);
  run('npm', 'install', '--no-audit', '--no-fund', '--include=dev', `./${packed}`, ...packages);
  return {
    folder,
    run,
    /** @returns once it responds at an address */
    async serve(address: string, command: string, ...args: readonly string[]): Promise<void> {
      server = spawn(command, args, { cwd: folder, env, stdio: 'ignore' });
      await vi.waitFor(() => fetch(address), { timeout: 60_000, interval: 200 });
    },
    remove(): void {
      server?.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type BuiltSite = ReturnType<typeof makeSite>;

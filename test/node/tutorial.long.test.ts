/**
 * @module `docs/tutorial.md` as its reader follows it: each block of commands runs in a project without content types, beside
 * the server that the page starts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { blocksIn } from '../support/pages.ts';
import { openShell, type Shell } from '../support/shell.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What a project has of the repository in the place of the package. */
const COPIED = ['src', 'cli', 'studio', 'package.json', 'package-lock.json', 'tsconfig.json', 'wrangler.toml'];
const EDGEWISE = 'cli/edgewise.mjs';

const blocks = blocksIn(ROOT, 'docs/tutorial.md');

let folder: string;
let shell: Shell;
let server: ChildProcess | undefined;
let port = 0;
let webhookPort = 0;

beforeAll(async () => {
  [port, webhookPort] = [await freePort(), await freePort()];
  folder = mkdtempSync(join(tmpdir(), 'edgewise-tutorial-'));
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'content-types'));
  writeFileSync(join(folder, 'edgewise.config.ts'), 'export default {};\n');
  shell = openShell(folder);
});

afterAll(async () => {
  await shell.end();
  if (server?.kill('SIGTERM')) await once(server, 'exit');
  rmSync(folder, { recursive: true });
});

/** @throws Error with all that the server has written when it ends before it serves */
async function serve(): Promise<void> {
  const child = spawn(process.execPath, [EDGEWISE, 'dev', '--port', String(port)], { cwd: folder });
  server = child;
  let written = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (written += text));
  const isServed = async () =>
    (await fetch(`http://127.0.0.1:${port}/openapi.json`).catch(() => undefined)) !== undefined;
  while (!(await isServed())) {
    if (child.exitCode !== null) throw new Error(written);
    await pause(200);
  }
}

const here = (text: string): string =>
  text
    .replaceAll('npx edgewise', `'${process.execPath}' ${EDGEWISE}`)
    .replaceAll('127.0.0.1:8787', `127.0.0.1:${port}`)
    .replaceAll('9797', String(webhookPort));

it.each(blocks.map((block) => [block.name, block] as const))('leads to a site: %s', async (_, { kind, text }) => {
  if (text.startsWith('npx edgewise dev')) return serve();
  if (kind === 'by hand') return;
  const { failed } = await shell.run(here(text));
  expect(failed).toEqual([]);
});

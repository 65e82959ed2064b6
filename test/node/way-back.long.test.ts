/**
 * @module The demo as an archive for `strapi import`, and back from it into an empty database: both are served, and compared by
 * the script of `docs/move.md`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { copyDemo } from '../support/demo.ts';
import { newerEnv } from '../support/shell.ts';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = ['src', 'cli', 'studio', 'package.json', 'package-lock.json', 'tsconfig.json', 'wrangler.toml'];
const ARCHIVE = 'way-back.tar.gz';
const TYPES = ['articles', 'authors', 'categories', 'homepage'];

/** What a page writes to `compare.mjs`. */
const [, script = ''] =
  /^cat > compare\.mjs <<'END'\n([\s\S]*?)^END$/m.exec(readFileSync(join(ROOT, 'docs/move.md'), 'utf8')) ?? [];

interface Served {
  readonly origin: string;
  readonly token: string;
}

let folder: string;
let old: Served;
let now: Served;
const servers: ChildProcess[] = [];

/** @throws Error with the output of a command that fails */
function edgewise(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/edgewise.mjs', ...args], {
    cwd: folder,
    env: newerEnv,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout;
}

/** Serves a local database; the first one gets the demo content. */
async function serve(state: string): Promise<Served> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const args = ['cli/edgewise.mjs', 'dev', '--port', String(port), '--persist-to', state];
  const child = spawn(process.execPath, args, { cwd: folder, env: newerEnv });
  servers.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const isServed = async () => (await fetch(`${origin}/api/homepage`).catch(() => undefined))?.ok === true;
  while (!(await isServed())) {
    if (child.exitCode !== null) throw new Error(output);
    await pause(200);
  }
  const { token } = JSON.parse(
    edgewise('token', 'create', '--name', 'compare', '--type', 'full-access', '--json', '--persist-to', state),
  );
  return { origin, token };
}

/** Lines of the script, each of a type and status. */
function compared(): readonly string[] {
  const env = { OLD: old.origin, OLD_TOKEN: old.token, NEW: now.origin, NEW_TOKEN: now.token };
  const options = { cwd: folder, env: { ...newerEnv, ...env }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['compare.mjs', ...TYPES], options);
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim().split('\n');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-way-back-'));
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  copyDemo(folder);
  writeFileSync(join(folder, 'compare.mjs'), script);
  old = await serve('old');
  edgewise('export', '--file', ARCHIVE, '--persist-to', 'old');
  edgewise('import', ARCHIVE, '--only', 'content,files', '--persist-to', 'new');
  now = await serve('new');
});

afterAll(async () => {
  for (const server of servers) if (server.kill('SIGTERM')) await once(server, 'exit');
  rmSync(folder, { recursive: true });
});

describe('the way back', () => {
  it('keeps every document of the demo, draft and published', () => {
    const lines = compared();
    expect(lines).toHaveLength(TYPES.length * 2);
    for (const line of lines) expect(line).toMatch(/^\w+, (published|draft): ([1-9]\d*) of \2 alike$/);
  });

  it('is seen to differ where a document has changed', async () => {
    const headers = { authorization: `Bearer ${now.token}`, 'content-type': 'application/json' };
    const { data } = (await (await fetch(`${now.origin}/api/authors`, { headers })).json()) as {
      data: readonly { documentId: string }[];
    };
    const id = data[0]?.documentId;
    const body = JSON.stringify({ data: { name: 'Another name' } });
    expect((await fetch(`${now.origin}/api/authors/${id}`, { method: 'PUT', headers, body })).status).toBe(200);
    expect(compared()).toContain(`authors, published: ${data.length - 1} of ${data.length} alike ${id}`);
  });
});

/**
 * @module Everything that the README and the pages of docs/ let their readers run, in the order of reading, with the demo
 * content: in a fresh copy of the project, and in a project that `edgewise new` writes.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { copyDemo } from '../support/demo.ts';
import { installPackage, NOTHING_RUN } from '../support/installed-package.ts';
import { type Block, runnableBlocks } from '../support/pages.ts';
import { newerEnv, openShell, type Shell } from '../support/shell.ts';
import { commandsIn, newerPath } from './first-hour/clone.ts';

const ROOT = join(import.meta.dirname, '../..');
const LEFT_OUT = /(^|\/)node_modules$|^(\.git|\.wrangler|\.dev\.vars|\.scratch|dist|bench\/results)$/;
const DOCUMENTED = '127.0.0.1:8787';
/** Whose requests are all refused. */
const REFUSED = 'docs/errors.md';

const blocks = runnableBlocks(ROOT);

/** The type of the examples of polymorphic relations, which the demo has none of. */
const MENU = {
  kind: 'collectionType',
  collectionName: 'menus',
  info: { singularName: 'menu', pluralName: 'menus', displayName: 'Menu' },
  attributes: { title: { type: 'string' }, items: { type: 'relation', relation: 'morphToMany' } },
};

const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'edgewise-pages-'));

function addMenu(folder: string): void {
  mkdirSync(join(folder, 'content-types/menu'));
  writeFileSync(join(folder, 'content-types/menu/schema.json'), JSON.stringify(MENU));
}

/** This repository. */
function clone(): string {
  const folder = temporaryFolder();
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !LEFT_OUT.test(relative(ROOT, path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  addMenu(folder);
  return folder;
}

/** A project of the package, with the demo in the place of its sample. */
async function project(): Promise<string> {
  const packages = temporaryFolder();
  await installPackage(packages);
  const folder = join(packages, 'my-api');
  const { code, output } = await commandsIn(packages, newerPath).run(
    'npx',
    'edgewise',
    'new',
    'my-api',
    ...NOTHING_RUN,
  );
  if (code !== 0) throw new Error(output);
  symlinkSync(join(packages, 'node_modules'), join(folder, 'node_modules'));
  // As `npm run check` does first.
  await commandsIn(folder, newerPath).run('npx', 'wrangler', 'types');
  copyDemo(folder);
  addMenu(folder);
  return folder;
}

/** The demo's last document: when it is there, everything is. */
const isPlanted = async (host: string): Promise<boolean> =>
  (await fetch(`http://${host}/api/homepage`).catch(() => undefined))?.ok === true;

/** Waits for `npm run dev`. @throws Error with all that it has said when it ends before. */
async function untilPlanted(child: ChildProcess, host: string): Promise<void> {
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (text) => {
      said += text;
    });
  while (!(await isPlanted(host))) {
    if (child.exitCode !== null) throw new Error(said);
    await pause(100);
  }
}

/** Matches the first key of some settings in a file of settings, with its value. */
function topLevelOf(settings: string): RegExp {
  const [, key = ''] = /^ {2}(\w+):/m.exec(settings) ?? [];
  return new RegExp(`^ {2}${key}: (\\{\\n[\\s\\S]*?^ {2}\\}|.*),\\n`, 'm');
}

describe.each([
  ['a clone', clone, 'tsconfig.build.json'],
  ['a project', project, 'tsconfig.json'],
] as const)('the pages in %s', (_, make, types) => {
  let folder: string;
  let server: ChildProcess;
  let shell: Shell;
  let host = '';

  beforeAll(async () => {
    const port = await freePort();
    host = `127.0.0.1:${port}`;
    folder = await make();
    const edgewise =
      [join(folder, 'node_modules/.bin/edgewise'), join(folder, 'cli/edgewise.mjs')].find(existsSync) ?? '';
    const command = (...args: readonly string[]) =>
      spawn(process.execPath, [edgewise, ...args], { cwd: folder, env: newerEnv });
    await once(command('generate'), 'exit');
    server = command('dev', '--port', String(port));
    shell = openShell(folder);
    await untilPlanted(server, host);
  });

  afterAll(async () => {
    await shell?.end();
    if (server?.kill('SIGTERM')) await once(server, 'exit');
    if (folder) rmSync(folder, { recursive: true });
  });

  /** The server follows what is saved; its description has another tag with other settings. */
  async function put(settings: string): Promise<void> {
    const path = join(folder, 'edgewise.config.ts');
    const tag = async () => (await fetch(`http://${host}/openapi.json`).catch(() => undefined))?.headers.get('etag');
    const before = await tag();
    const present = readFileSync(path, 'utf8').replace(topLevelOf(settings), '');
    writeFileSync(path, present.replace('defineConfig({', `defineConfig({\n${settings}`));
    for (let now = before; now === before || now === undefined; now = await tag()) await pause(200);
  }

  /** Its types hold. The server follows that, too: the first route of the code answers then. */
  async function putCode(code: string): Promise<void> {
    // The bundler never reads part of a file.
    writeFileSync(join(folder, 'index.new'), code);
    renameSync(join(folder, 'index.new'), join(folder, 'src/index.ts'));
    const tsc = ['node_modules/typescript/bin/tsc', '-p', types, '--noEmit', '--singleThreaded'];
    expect(spawnSync(process.execPath, tsc, { cwd: folder, encoding: 'utf8' }).stdout).toBe('');
    const [, path = ''] = /app\.get\('([^':]+)'/.exec(code) ?? [];
    const request = () => fetch(`http://${host}${path}`, { signal: AbortSignal.timeout(5_000) });
    while ((await request().catch(() => undefined))?.ok !== true) await pause(200);
  }

  async function run({ page, text }: Block): Promise<void> {
    const { failed, statuses } = await shell.run(text.replaceAll(DOCUMENTED, host));
    expect(failed).toEqual([]);
    expect(statuses.filter(({ status }) => status >= 400 !== (page === REFUSED))).toEqual([]);
  }

  it('have blocks of every kind', () => {
    expect(blocks.length).toBeGreaterThan(30);
    expect(new Set(blocks.map(({ kind }) => kind))).toEqual(new Set(['commands', 'settings', 'code']));
  });

  it.each(blocks.map((block) => [block.name, block] as const))('hold in %s', async (_name, block) => {
    if (block.kind === 'commands') await run(block);
    else await (block.kind === 'settings' ? put(block.text) : putCode(block.text));
  });
});

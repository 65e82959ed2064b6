import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NODE_RANGE } from '../../../cli/core/node-range.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const CLI = join(import.meta.dirname, '../../../cli');
/** What an old Node must be able to read. */
const PLAIN = ['check-node.mjs', 'node-limits.mjs', 'edgewise.mjs', 'resolve-drizzle.mjs'];

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  for (const name of PLAIN) project.write(`cli/${name}`, readFileSync(join(CLI, name), 'utf8'));
  project.write('cli/program.ts', 'export const main = () => {};');
  project.write('wrangler.toml', '');
  return () => project.remove('.');
});

const installCommander = () => project.write('node_modules/commander/index.js', '');

/** What `node:sqlite` has in an older Node: none before 22, and later databases without limits. */
const SQLITE = {
  absent: "Object.defineProperty(sqlite, 'DatabaseSync', { get() { throw new Error('no such module'); } });",
  'without limits': 'sqlite.DatabaseSync = class {};',
  'with limits': '',
};

type OtherNode = readonly [version: string, database: keyof typeof SQLITE];

/** Runs a file as another Node would. */
function runOn(
  [version, database]: OtherNode,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = project.root,
): string {
  const pretend = `const sqlite = process.getBuiltinModule('node:sqlite'); ${SQLITE[database]} Object.defineProperty(process, 'version', { value: 'v${version}' }); Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const done = spawnSync(process.execPath, ['--import', preload, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect(done.status).toBe(done.stderr === '' ? 0 : 1);
  return done.stderr;
}

const edgewiseOn = (...node: OtherNode): string => runOn(node, ['cli/edgewise.mjs']);
const NEW: OtherNode = [process.versions.node, 'with limits'];

describe('before each command', () => {
  it('a project without packages is told to get them', () => {
    expect(edgewiseOn(...NEW)).toBe('Nothing is installed here yet: npm ci\n');
  });

  it.each([
    ['20.11.0', 'absent'],
    ['24.14.1', 'without limits'],
    ['25.7.0', 'without limits'],
  ] as const)(
    'Node %s, with an SQLite that is %s, is told in one sentence where a newer one is',
    (version, database) => {
      installCommander();
      const needs = `This needs Node 24.15 or newer (25.8 of Node 25) and was started with v${version}; `;
      expect(edgewiseOn(version, database)).toBe(`${needs}install a newer one: https://nodejs.org/en/download\n`);
      project.write('node_modules/.bin/node', '');
      expect(edgewiseOn(version, database)).toBe(
        `${needs}use npm run or npx, which find the newer one in node_modules.\n`,
      );
    },
  );

  it('the message and the package ask for the same Node', () => {
    expect(NODE_RANGE).toBe('^24.15.0 || >=25.8.0');
  });

  it('names the folder of the project when it is started outside of it', () => {
    installCommander();
    project.write('node_modules/.bin/node', '');
    for (const name of PLAIN) project.write(`node_modules/edgewise/cli/${name}`, project.read(`cli/${name}`));
    for (const path of ['cli', 'node_modules/edgewise/cli'])
      expect(runOn(['22.0.0', 'without limits'], [join(project.root, path, 'edgewise.mjs')], {}, '/')).toContain(
        `; use npm run or npx in ${project.root}, which find the newer one in node_modules.`,
      );
  });

  it('a Node with limits is taken', () => {
    installCommander();
    expect(edgewiseOn(...NEW)).toBe('');
  });

  it.each([
    ['a command that loads wrangler', [join(CLI, 'edgewise.mjs'), 'renew']],
    ['a script that is no command', [join(CLI, 'check-node.mjs')]],
  ])('%s names folders that cannot be used, and what to set', (_, args) => {
    project.write('file', '');
    const missing = join(project.root, 'nowhere');
    expect(runOn(NEW, args, { TMPDIR: missing })).toBe(
      `The folder for temporary files, ${missing}, is not there; name another one: TMPDIR=<folder>\n`,
    );
    const home = join(project.root, 'file/home');
    expect(runOn(NEW, args, { HOME: home, XDG_CONFIG_HOME: '' })).toBe(
      `wrangler keeps its logs and its login in the home folder, ${home}, which this user cannot write; name another one: HOME=<folder>\n`,
    );
  });

  it('those that do not load wrangler need none of these folders', () => {
    const help = [join(CLI, 'edgewise.mjs'), 'import', '--help'];
    expect(runOn(NEW, help, { HOME: '/nowhere', TMPDIR: '/nowhere' })).toBe('');
  });

  it('every script that runs TypeScript checks first', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const first = /^(npm run check\b|node cli\/(edgewise|check-node)\.mjs\b)/;
    expect(Object.values(scripts).filter((script) => script.includes('node ') && !first.test(script))).toEqual([]);
  });

  it.each(PLAIN)('%s is plain JavaScript without anything new, so that an old Node can read it', (name) => {
    const text = readFileSync(join(CLI, name), 'utf8');
    expect(text.replace('#!/usr/bin/env node', '')).not.toMatch(/\?\.|\?\?|await |#!/);
    expect(execFileSync(process.execPath, ['--check', join(CLI, name)], { encoding: 'utf8' })).toBe('');
  });
});

it('files have the same line endings on every system', () => {
  expect(readFileSync('.gitattributes', 'utf8')).toContain('* text=auto eol=lf');
});

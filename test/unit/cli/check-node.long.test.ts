import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const CLI = join(import.meta.dirname, '../../../cli');
/** What an old Node must be able to read. */
const PLAIN = ['check-node.mjs', 'edgewise.mjs', 'resolve-drizzle.mjs'];

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  for (const name of PLAIN) project.write(`cli/${name}`, readFileSync(join(CLI, name), 'utf8'));
  project.write('cli/program.ts', 'export const main = () => {};');
  project.write('wrangler.toml', '');
  return () => project.remove('.');
});

const installCommander = () => project.write('node_modules/commander/index.js', '');

/** Runs a file as another Node would. */
function runOn(
  version: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = project.root,
): string {
  const pretend = `Object.defineProperty(process, 'version', { value: 'v${version}' }); Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const done = spawnSync(process.execPath, ['--import', preload, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect(done.status).toBe(done.stderr === '' ? 0 : 1);
  return done.stderr;
}

const edgewiseOn = (version: string): string => runOn(version, ['cli/edgewise.mjs']);

describe('before each command', () => {
  it('a project without packages is told to get them', () => {
    expect(edgewiseOn('24.21.0')).toBe('Nothing is installed here yet: npm ci\n');
  });

  it.each(['20.11.0', '22.19.0', '24.2.0'])('Node %s is told in one sentence where the newer one is', (version) => {
    installCommander();
    expect(edgewiseOn(version)).toMatch(
      /^This needs Node 24\.3 or newer and was started with v.*: npm rebuild node .*\n$/,
    );
    project.write('node_modules/.bin/node', '');
    expect(edgewiseOn(version)).toMatch(/^This needs Node 24\.3 .*; use npm run or npx, .*\n$/);
  });

  it('names the folder of the project when it is started outside of it', () => {
    installCommander();
    project.write('node_modules/.bin/node', '');
    for (const name of PLAIN) project.write(`node_modules/edgewise/cli/${name}`, project.read(`cli/${name}`));
    for (const path of ['cli', 'node_modules/edgewise/cli'])
      expect(runOn('22.0.0', [join(project.root, path, 'edgewise.mjs')], {}, '/')).toContain(
        `; use npm run or npx in ${project.root}, which find the newer one in node_modules.`,
      );
  });

  it.each(['24.3.0', '26.0.0'])('Node %s is taken', (version) => {
    installCommander();
    expect(edgewiseOn(version)).toBe('');
  });

  it.each([
    ['a command that loads wrangler', [join(CLI, 'edgewise.mjs'), 'renew']],
    ['a script that is no command', [join(CLI, 'check-node.mjs')]],
  ])('%s names folders that cannot be used, and what to set', (_, args) => {
    project.write('file', '');
    const missing = join(project.root, 'nowhere');
    expect(runOn(process.versions.node, args, { TMPDIR: missing })).toBe(
      `The folder for temporary files, ${missing}, is not there; name another one: TMPDIR=<folder>\n`,
    );
    const home = join(project.root, 'file/home');
    expect(runOn(process.versions.node, args, { HOME: home, XDG_CONFIG_HOME: '' })).toBe(
      `wrangler keeps its logs and its login in the home folder, ${home}, which this user cannot write; name another one: HOME=<folder>\n`,
    );
  });

  it('those that do not load wrangler need none of these folders', () => {
    const help = [join(CLI, 'edgewise.mjs'), 'import', '--help'];
    expect(runOn(process.versions.node, help, { HOME: '/nowhere', TMPDIR: '/nowhere' })).toBe('');
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

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const CHECK = join(import.meta.dirname, '../../../src/cli/check-node.mjs');

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

/** Runs the check as another Node would. */
function checkOn(version: string, env: Readonly<Record<string, string>> = {}): string {
  const pretend = `Object.defineProperty(process, 'version', { value: 'v${version}' }); Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const done = spawnSync(process.execPath, ['--import', preload, CHECK], {
    cwd: project.root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect(done.status).toBe(done.stderr === '' ? 0 : 1);
  return done.stderr;
}

describe('before each command', () => {
  it('a project without packages is told to get them', () => {
    expect(checkOn('24.21.0')).toBe('Nothing is installed here yet: npm ci\n');
  });

  it.each(['20.11.0', '22.19.0', '24.2.0'])('Node %s is told in one sentence where the newer one is', (version) => {
    project.write('node_modules/commander/package.json', '{}');
    expect(checkOn(version)).toMatch(
      /^This needs Node 24\.3 or newer and was started with v.*: npm rebuild node .*\n$/,
    );
    project.write('node_modules/.bin/node', '');
    expect(checkOn(version)).toMatch(/^This needs Node 24\.3 .*; use npm run, .*\n$/);
  });

  it.each(['24.3.0', '26.0.0'])('Node %s is taken', (version) => {
    project.write('node_modules/commander/package.json', '{}');
    expect(checkOn(version)).toBe('');
  });

  it('folders outside of the project that cannot be used are named, with what to set', () => {
    project.write('node_modules/commander/package.json', '{}');
    project.write('file', '');
    const missing = join(project.root, 'nowhere');
    expect(checkOn('24.21.0', { TMPDIR: missing })).toBe(
      `The folder for temporary files, ${missing}, is not there; name another one: TMPDIR=<folder>\n`,
    );
    const home = join(project.root, 'file/home');
    expect(checkOn('24.21.0', { HOME: home, XDG_CONFIG_HOME: '' })).toBe(
      `wrangler keeps its logs and its login in the home folder, ${home}, which this user cannot write; name another one: HOME=<folder>\n`,
    );
  });

  it('every command of this project is checked first', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const commands = Object.values(scripts).filter((script) => script.includes('.ts'));
    const first = 'node src/cli/check-node.mjs && ';
    expect(commands.filter((script) => script.includes('node ') && !script.startsWith(first))).toEqual([]);
  });

  it('is plain JavaScript without anything new, so that an old Node can read it', () => {
    const text = readFileSync(CHECK, 'utf8');
    expect(text).not.toMatch(/\?\.|\?\?|import\.meta|await |#!/);
    expect(execFileSync(process.execPath, ['--check', CHECK], { encoding: 'utf8' })).toBe('');
  });
});

it('files have the same line endings on every system', () => {
  expect(readFileSync('.gitattributes', 'utf8')).toContain('* text=auto eol=lf');
});

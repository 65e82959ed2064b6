/**
 * @module A new project as npm installs it: what it takes on the disk, and that its own lockfile is enough for a pipeline. It takes
 * the packages from the registry.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, commandsIn, done, newerPath } from './first-hour/clone.ts';

const ROOT = join(import.meta.dirname, '../..');

let folder: string;
let site: Commands;

/** The megabytes of its packages. */
const megabytes = (): number =>
  Number.parseInt(execFileSync('du', ['-sm', join(folder, 'my-api/node_modules')], { encoding: 'utf8' }), 10);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-fresh-'));
  site = commandsIn(join(folder, 'my-api'), newerPath);
  await done(commandsIn(ROOT), `npx edgewise new ${join(folder, 'my-api')} --no-install`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a new project', () => {
  it('installs 330 MB at most, and npm has nothing to warn of', async () => {
    expect(await done(site, 'npm install')).not.toMatch(/warn|deprecated/i);
    expect(megabytes()).toBeLessThanOrEqual(330);
  });

  it('is checked after an installation from its own lockfile', async () => {
    await done(site, 'npm ci');
    await done(site, 'npm run check');
    const openapi = join(folder, 'my-api/openapi.json');
    const text = readFileSync(openapi, 'utf8');
    writeFileSync(openapi, '{}');
    const { code, output } = await site.run('npm', 'run', 'check');
    expect(code).not.toBe(0);
    expect(output).toContain('openapi.json');
    writeFileSync(openapi, text);
  });

  it('installs 365 MB at most with its tests, which pass after an installation from the lockfile', async () => {
    await done(site, 'npx edgewise test --init');
    expect(megabytes()).toBeLessThanOrEqual(365);
    await done(site, 'npm ci');
    await done(site, 'npm run check');
    expect(await done(site, 'npm test')).toMatch(/Test Files .*2 passed/);
  });
});

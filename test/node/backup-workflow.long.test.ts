/**
 * @module The nightly workflow of a project: its commands, as they stand in the file, on a local database in place of the
 * deployed one.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withStorage } from '../../cli/core/storage/storage.ts';
import { archiveOf } from '../support/archive.ts';
import { MAGAZINE } from '../unit/cli/import/magazine.ts';
import { STORAGE_TOML } from '../unit/cli/memory-storage.ts';
import { scratchProject } from '../unit/cli/scratch-project.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORKFLOW = readFileSync(join(ROOT, 'template/.github/workflows/backup.yml'), 'utf8');
const KEY = 'a long key';

/** Name of a step → its commands. */
const steps = new Map(
  [...WORKFLOW.matchAll(/^ {6}- name: (.+)\n {8}run: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/gm)].map(
    ([, name = '', several, one = '']) => [name, several?.replaceAll(/^ {10}/gm, '') ?? one] as const,
  ),
);
const BACK_UP = 'Back up';
const RESTORE = 'Restore into a scratch database';
const FILES = 'Compare files with their bytes';
const COUNTS = 'Compare counts';
const ENCRYPT = 'Encrypt, since it has the hashes of passwords';

const project = scratchProject();
const at = (name: string) => join(project.root, name);

/** Runs commands as the runner does, with the `npx edgewise` of this repository. */
function run(commands: string, env: Readonly<Record<string, string>> = {}) {
  const path = [at('bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const options = { cwd: project.root, env: { ...process.env, PATH: path, ...env }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', commands], options);
  return { status, output: stdout + stderr };
}

/** Runs a step, on the local database. */
function step(name: string, env?: Readonly<Record<string, string>>) {
  const commands = steps.get(name);
  if (commands === undefined) throw new Error(`The workflow has no step "${name}"`);
  return run(commands.replaceAll(' --remote', ''), env);
}

beforeAll(async () => {
  project.write('wrangler.toml', STORAGE_TOML);
  symlinkSync(join(ROOT, 'node_modules'), at('node_modules'));
  mkdirSync(at('bin'));
  writeFileSync(at('bin/npx'), `#!/bin/sh\nshift\nexec node ${join(ROOT, 'cli/edgewise.mjs')} "$@"\n`);
  chmodSync(at('bin/npx'), 0o755);
  writeFileSync(at('archive.tar.gz'), await archiveOf(MAGAZINE));
  expect(run('npx edgewise import archive.tar.gz')).toMatchObject({ status: 0 });
  // No checkout has it.
  project.remove('.edgewise');
});
beforeEach(() => {
  const files = ['backup.tar.gz', 'backup.json', 'drill.tar.gz', 'drill.json', 'backup.tar.gz.enc', 'drill'];
  for (const file of files) if (existsSync(at(file))) project.remove(file);
});
afterAll(() => project.remove('.'));

describe('the nightly backup', () => {
  it('runs its steps in this order, on the deployed database first and never again', () => {
    expect([...steps.keys()]).toEqual([BACK_UP, RESTORE, FILES, COUNTS, ENCRYPT]);
    expect([...steps].filter(([, commands]) => commands.includes('--remote')).map(([name]) => name)).toEqual([BACK_UP]);
  });

  it('restores what it has backed up, and keeps it for those who have the key', () => {
    for (const name of [BACK_UP, RESTORE, FILES]) expect(step(name)).toMatchObject({ status: 0 });
    const compared = step(COUNTS);
    expect(compared).toMatchObject({ status: 0 });
    expect(compared.output).toMatch(
      /(\{"documents":[1-9]\d*,"versions":[1-9]\d*,"links":[1-9]\d*,"files":[1-9]\d*\}\n)\1/,
    );
    expect(step(ENCRYPT, { BACKUP_KEY: KEY })).toMatchObject({ status: 0 });
    const decrypt =
      'openssl enc -d -aes-256-cbc -pbkdf2 -pass env:BACKUP_KEY -in backup.tar.gz.enc | cmp - backup.tar.gz';
    expect(run(decrypt, { BACKUP_KEY: KEY })).toMatchObject({ status: 0 });
  });

  it('fails without a key', () => {
    step(BACK_UP);
    expect(step(ENCRYPT, { BACKUP_KEY: '' }).status).not.toBe(0);
    expect(existsSync(at('backup.tar.gz.enc'))).toBe(false);
  });

  it('fails for a backup that is cut', () => {
    step(BACK_UP);
    truncateSync(at('backup.tar.gz'), 1000);
    expect(step(RESTORE).status).not.toBe(0);
  });

  it('fails for counts that differ', () => {
    for (const name of [BACK_UP, RESTORE]) step(name);
    const { content } = JSON.parse(project.read('backup.json'));
    project.write('backup.json', JSON.stringify({ content: { ...content, versions: content.versions + 1 } }));
    expect(step(COUNTS).status).not.toBe(0);
  });

  it('fails for files whose bytes the bucket has lost', async () => {
    await withStorage(project.root, { persistTo: at('.wrangler/state') }, ({ bucket }) => bucket.delete('a_1.PNG'));
    for (const name of [BACK_UP, RESTORE]) expect(step(name)).toMatchObject({ status: 0 });
    const checked = step(FILES);
    expect(checked.status).toBe(1);
    expect(checked.output).toContain('file without its bytes: 1 a.png');
  });
});

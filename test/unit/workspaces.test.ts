/**
 * @module The packages of this repository: one lockfile, one release.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { NODE_RANGE } from '../../cli/core/node-range.ts';
import { filesOf, tarOf } from '../support/archive.ts';

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const { version, engines, workspaces } = readJson('package.json');

describe('a workspace', () => {
  it.each(workspaces as readonly string[])('%s has the version of Edgewise, and no dependencies', (folder) => {
    const workspace = readJson(`${folder}/package.json`);
    expect(workspace.version).toBe(version);
    expect(workspace.dependencies).toBeUndefined();
  });
});

describe('the repository', () => {
  it('works on Node 20, whatever its published package asks for', () => {
    expect(engines).toEqual({ node: '>=20' });
  });

  it('says in its packed file which Node that asks for, and changes nothing else there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-packed-'));
    const path = join(folder, `edgewise-${version}.tgz`);
    const [manifest, other] = ['package/package.json', 'package/template/package.json'];
    const text = JSON.stringify({ name: 'edgewise', engines, bin: { edgewise: 'cli/edgewise.mjs' } });
    const packedIn = async (env: Readonly<Record<string, string>>) => {
      writeFileSync(path, gzipSync(await tarOf([manifest, other].map((name) => [name, text] as const))));
      const options = { env: { ...process.env, npm_config_pack_destination: folder, ...env } };
      execFileSync(process.execPath, ['scripts/published-engines.mjs'], options);
      const files = await filesOf(gunzipSync(readFileSync(path)));
      return [manifest, other].map((name) => JSON.parse(String(files.get(name))));
    };
    const asking = { ...JSON.parse(text), engines: { node: NODE_RANGE } };
    expect(await packedIn({ npm_command: 'pack' })).toEqual([asking, JSON.parse(text)]);
    // Neither writes a file.
    const asBefore = [JSON.parse(text), JSON.parse(text)];
    expect(await packedIn({ npm_command: 'publish' })).toEqual(asBefore);
    expect(await packedIn({ npm_command: 'pack', npm_config_dry_run: 'true' })).toEqual(asBefore);
    rmSync(folder, { recursive: true });
  });
});

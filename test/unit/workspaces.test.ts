/**
 * @module The packages of this repository: one lockfile, one release.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

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
});

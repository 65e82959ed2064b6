/**
 * @module A project installs the versions that this repository was tested with, which are those of its lockfile.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPackage } from '../../../cli/core/package.ts';
import { packageText, withTesting } from '../../../cli/new/package-json.ts';

interface Locked {
  readonly version: string;
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);
const lockedAt = (name: string): Locked | undefined => lock.packages[`node_modules/${name}`];

const edgewise = readPackage();
const bare = packageText('site', '^1.0.0', edgewise);
const project = JSON.parse(withTesting(JSON.parse(bare), edgewise));
const direct: Readonly<Record<string, string>> = { ...edgewise.dependencies, ...project.devDependencies };

/** Everything that a project installs, without what another package has below itself. */
function installed(names: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const name of names.filter((each) => lockedAt(each) && !found.has(each)))
    installed(Object.keys(lockedAt(found.add(name) && name)?.dependencies ?? {}), found);
  return found;
}

describe('package.json of a project', () => {
  it.each(Object.entries(direct))('names %s as it is locked: %s', (name, version) => {
    const { version: locked = '', name: alias } = lockedAt(name) ?? {};
    expect(version).toBe(alias === undefined ? locked : `npm:${alias}@${locked}`);
  });

  it('leaves the version of no package open that another one needs beside itself', () => {
    const all = [...installed(Object.keys(direct))];
    expect(all).toContain('workerd');
    const peers = all.flatMap((name) => {
      const { peerDependencies = {}, peerDependenciesMeta = {} } = lockedAt(name) ?? {};
      return Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
    });
    expect(peers).toContain('vite');
    const exact = all.flatMap((name) => Object.entries(lockedAt(name)?.dependencies ?? {}));
    const pinned = new Set(
      [...Object.entries(direct), ...exact].flatMap(([name, range]) => (/^\d/.test(range) ? name : [])),
    );
    expect(peers.filter((peer) => !pinned.has(peer))).toEqual([]);
  });

  it('has the same esbuild for drizzle-kit as the repository', () => {
    expect(JSON.parse(bare).overrides['drizzle-kit']).toEqual(edgewise.overrides['drizzle-kit']);
    expect(Object.keys(lock.packages).filter((path) => path.endsWith('node_modules/esbuild'))).toEqual([
      'node_modules/esbuild',
    ]);
  });

  it('has no test runner before it is asked for', () => {
    expect(Object.keys(JSON.parse(bare).devDependencies)).toEqual(['@types/node', 'typescript']);
  });
});

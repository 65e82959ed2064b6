/**
 * @module Test files share one Worker, and each begins with helpers that remember nothing, empty caches, an empty database
 * and an empty bucket. Packages and `src/` are not evaluated again: they take as long as the tests themselves.
 */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { emptyCaches } from './emptied-caches.ts';

/** A module of vitest's, with what `resetModules` takes from it. */
interface ModuleNode {
  promise: unknown;
  exports: unknown;
  evaluated: boolean;
  importers: Set<string>;
}

const { evaluatedModules } = Reflect.get(globalThis, '__vitest_worker__') as {
  readonly evaluatedModules: { readonly idToModuleMap: ReadonlyMap<string, ModuleNode> };
};
/** What has no state but in caches. The recorded content types are the key of many. */
const STAYS = /\/node_modules\/|\.json$|\/src\/|\/test\/support\/(emptied-caches|recorded-registry|cheap-scrypt)\.ts$/;
const staying = [...evaluatedModules.idToModuleMap]
  .filter(([id]) => STAYS.test(id))
  .map(([, node]) => [node, { ...node, importers: new Set(node.importers) }] as const);
vi.resetModules();
for (const [node, kept] of staying) Object.assign(node, kept);
emptyCaches();

const ATTEMPTS = 50;

/** A table of the last file that is still there: its database may be in use for a moment. */
const leftTable = (): Promise<unknown> =>
  env.DB.prepare(`select name from sqlite_master where name not like '\\_cf\\_%' escape '\\' limit 1`).first('name');

/** An object of the last file that is still there, or was written by work that went on after its last response. */
const leftObject = async (): Promise<string | undefined> => (await env.MEDIA.list({ limit: 1 })).objects[0]?.key;

for (let attempt = 1; ; attempt++) {
  await reset();
  const left = (await leftTable()) ?? (await leftObject());
  if (left === undefined) break;
  if (attempt === ATTEMPTS) throw new Error(`The storage of the last test file still has ${left}`);
  await scheduler.wait(20);
}

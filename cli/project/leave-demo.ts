/**
 * @module What a fresh clone brings for its demo, and what is to become of it: `demo/`, its migrations, its local database.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sha256 } from '../../src/common/digest.ts';
import { stateFolder } from '../core/storage/state-folder.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { MIGRATIONS } from '../migrations/migration-files.ts';
import type { Change, Move } from './write-files.ts';

export const DEMO = 'demo';

/** A database of the demo gets a name that is free. */
function stateMoves(root: string, target: Target): readonly Move[] {
  const state = stateFolder(root, target);
  if (!existsSync(state)) return [];
  let number = 1;
  while (existsSync(`${state}.old-${number}`)) number += 1;
  const path = relative(root, state);
  return [{ path, to: `${path}.old-${number}` }];
}

/** Plans the removal of the demo. @param keepsMigrations a deployed database has them, so `drizzle/` keeps them */
export function planLeaving(root: string, target: Target, keepsMigrations: boolean) {
  const moves = keepsMigrations ? [] : stateMoves(root, target);
  const folder = join(root, MIGRATIONS);
  const isKept = keepsMigrations || !existsSync(folder);
  const entries = isKept ? [] : readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const migrations = files.map(({ parentPath, name }) => relative(root, join(parentPath, name)));
  const demo = existsSync(join(root, DEMO)) ? [DEMO] : [];
  const changes: readonly Change[] = [...moves, ...[...migrations, ...demo].map((path) => ({ path, text: null }))];
  return {
    changes,
    /** What is said of them when they are made. */
    lines: [
      ...(keepsMigrations ? [`${MIGRATIONS}/ keeps the migrations of the demo: the deployed database has them`] : []),
      ...moves.map(({ to }) => `the local database was put aside: ${to}`),
      ...(migrations.length > 0 ? ['removed the migrations of the demo'] : []),
      ...demo.map((path) => `removed ${path}/`),
    ],
  };
}

export type Leaving = ReturnType<typeof planLeaving>;

/** SHA-256 of the settings of a fresh clone that are about the demo, each as it stands in the file. */
const DEMO_SETTINGS: Readonly<Record<string, string>> = {
  i18n: 'aa44af6bf7276fbef5e8e6a6498b867e5663839e6c46330fc1deebbfa3aac6e3',
  roles: '4b509eb4148e7efa7e6da633b7de34174a755e279a6e7096b8312f1844c69ea2',
  indexes: 'd3e42bbf1eab915f230c9bc8b8c673208880a9601d5c078073b9818daf53c6d5',
  search: '2f1be1ade97710b58b0e3ab8fdad7516e5d91fea126073f7e7279a666209683f',
};

/** All lines of a setting, and its key. */
const SETTING = /^ {2}(\w+): (?:.*,|\{\n(?: {4}.*\n)* {2}\},)\n/gm;

/** Cuts the settings of the demo out of `edgewise.config.ts` where they stand as a fresh clone has them. */
export function withoutDemoSettings(source: string): { readonly text: string; readonly removed: readonly string[] } {
  const removed: string[] = [];
  const text = source.replace(SETTING, (setting, key: string) => {
    if (sha256(setting) !== DEMO_SETTINGS[key]) return setting;
    removed.push(key);
    return key === 'roles' ? '  roles: {},\n' : '';
  });
  return { text, removed };
}

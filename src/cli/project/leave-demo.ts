/**
 * @module What a fresh clone brings for its demo, and what is to become of it: `demo/`, its migrations, its local database.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stateFolder } from '../core/storage/state-folder.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { MIGRATIONS } from '../migrations/migration-files.ts';
import type { Change, Move } from './change-files.ts';

export const DEMO = 'demo';

/** Changes, and what is said of them when they are made. */
export interface Leaving {
  readonly changes: readonly Change[];
  readonly lines: readonly string[];
}

/** A database of the demo gets a name that is free. */
function stateMoves(root: string, target: Target): readonly Move[] {
  const state = stateFolder(root, target);
  if (!existsSync(state)) return [];
  let number = 1;
  while (existsSync(`${state}.old-${number}`)) number += 1;
  const path = relative(root, state);
  return [{ path, to: `${path}.old-${number}` }];
}

function migrationFiles(root: string): readonly string[] {
  const folder = join(root, MIGRATIONS);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
}

/**
 * Plans the removal of the demo. Its content types and settings are left to others.
 * @param keepsMigrations a deployed database has them, so `drizzle/` has to keep them, too.
 */
export function planLeaving(root: string, target: Target, keepsMigrations: boolean): Leaving {
  const moves = keepsMigrations ? [] : stateMoves(root, target);
  const migrations = keepsMigrations ? [] : migrationFiles(root);
  const isThere = existsSync(join(root, DEMO));
  return {
    changes: [...moves, ...[...migrations, ...(isThere ? [DEMO] : [])].map((path) => ({ path, text: null }))],
    lines: [
      ...(keepsMigrations ? [`${MIGRATIONS}/ keeps the migrations of the demo: the deployed database has them`] : []),
      ...moves.map(({ to }) => `the local database was put aside: ${to}`),
      ...(migrations.length > 0 ? ['removed the migrations of the demo'] : []),
      ...(isThere ? [`removed ${DEMO}/`] : []),
    ],
  };
}

/** What the settings of a fresh clone say of the demo, as it stands in the file. */
const DEMO_SETTINGS: readonly { readonly key: string; readonly text: string; readonly without: string }[] = [
  {
    key: 'i18n',
    text: `  i18n: {
    locales: [
      { code: 'en', name: 'English (en)', isDefault: true },
      { code: 'fr', name: 'French (fr)' },
    ],
  },
`,
    without: '',
  },
  {
    key: 'roles',
    text: `  roles: {
    public: [
      'api::article.article.find',
      'api::article.article.findOne',
      'api::author.author.find',
      'api::author.author.findOne',
      'api::category.category.find',
      'api::category.category.findOne',
      'api::homepage.homepage.find',
      'plugin::i18n.locales.listLocales',
    ],
  },
`,
    without: '  roles: {},\n',
  },
  {
    key: 'indexes',
    text: "  indexes: { 'api::article.article': [['rating:desc'], ['issueDate:desc']] },\n",
    without: '',
  },
  { key: 'search', text: "  search: ['api::article.article'],\n", without: '' },
];

/** Cuts the settings of the demo out of `edgewise.config.ts` where they stand as a fresh clone has them. */
export function withoutDemoSettings(source: string): { readonly text: string; readonly removed: readonly string[] } {
  const found = DEMO_SETTINGS.filter(({ text }) => source.includes(text));
  return {
    text: found.reduce((text, section) => text.replace(section.text, section.without), source),
    removed: found.map(({ key }) => key),
  };
}

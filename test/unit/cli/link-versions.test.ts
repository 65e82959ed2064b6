/**
 * @module Links of the first layout are moved to the one that gives them a version: readers see what they saw.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS, migrationNames } from '../../../src/cli/migrations/migration-files.ts';
import { DEMO } from '../../support/demo.ts';

const names = migrationNames(DEMO);
const AT = names.indexOf('0006_link_versions.sql');
const textOf = (name: string): string => readFileSync(join(DEMO, MIGRATIONS, name), 'utf8');

interface Table {
  readonly name: string;
  readonly source: string;
  readonly target: string;
  /** Has the source drafts, and the target? */
  readonly drafts: readonly [boolean, boolean];
}

const TABLES: readonly Table[] = [
  { name: 'articles_author_lnk', source: 'articles', target: 'authors', drafts: [true, false] },
  { name: 'articles_categories_lnk', source: 'articles', target: 'categories', drafts: [true, false] },
  { name: 'articles_related_lnk', source: 'articles', target: 'articles', drafts: [true, true] },
  { name: 'articles_cover_lnk', source: 'articles', target: 'files', drafts: [true, false] },
  { name: 'homepages_highlights_lnk', source: 'homepages', target: 'articles', drafts: [false, true] },
  { name: 'up_users_role_lnk', source: 'up_users', target: 'up_roles', drafts: [false, false] },
];

const STATUSES = ['draft', 'published'] as const;
type Status = (typeof STATUSES)[number];

const isVersion = (row: string, drafts: boolean, status: Status): string =>
  `${row}.published_at is ${drafts && status === 'draft' ? '' : 'not '}null`;

/** What the reader of a status is shown, from either end in the order of that end. */
function shown(database: DatabaseSync, { name, source, target, drafts }: Table, on: string, status: Status) {
  const read = (order: string) =>
    database
      .prepare(
        `select s.document_id as source, t.document_id as target, t.locale from ${name} as l join ${source} as s join ${target} as t on ${on} where ${isVersion('s', drafts[0], status)} and ${isVersion('t', drafts[1], status)} order by ${order}, s.id, t.id`,
      )
      .all();
  return { status, name, forth: read('s.document_id, l.position'), back: read('t.document_id, l.inverse_position') };
}

/** The links as the code before the migration read them. No source with locales is among the tables. */
const before = (database: DatabaseSync) =>
  TABLES.flatMap((table) =>
    STATUSES.map((status) =>
      shown(
        database,
        table,
        's.id = l.source_id and t.document_id = l.target_document_id and t.locale = l.target_locale',
        status,
      ),
    ),
  );

const ENDS = `s.document_id = l.source_document_id and s.locale = l.source_locale
  and t.document_id = l.target_document_id and t.locale = l.target_locale`;

const after = (database: DatabaseSync) =>
  TABLES.flatMap((table) =>
    STATUSES.map((status) => {
      const version = table.drafts.includes(true) ? status : 'published';
      return shown(database, table, `${ENDS} and l.status = '${version}'`, status);
    }),
  );

describe('links of the first layout', () => {
  const database = new DatabaseSync(':memory:');
  let seen: ReturnType<typeof before>;

  beforeAll(() => {
    for (const name of names.slice(0, AT)) database.exec(textOf(name));
    database.exec(readFileSync(join(import.meta.dirname, 'links-before.sql'), 'utf8'));
    seen = before(database);
    for (const name of names.slice(AT)) database.exec(textOf(name));
  });

  it('show readers what they showed them, from both ends, in the same order', () => {
    expect(seen.flatMap(({ forth }) => forth).length).toBeGreaterThan(20);
    expect(after(database)).toEqual(seen);
  });

  it('are those of two versions where the source has no drafts and the target has', () => {
    const links = database
      .prepare('select target_document_id as id, status from homepages_highlights_lnk order by status, position')
      .all();
    expect(links.map(({ id, status }) => `${status} ${id}`)).toEqual([
      'draft two',
      'draft three',
      'draft one',
      'published three',
      'published one',
    ]);
  });

  it('lead to published targets alone where they are published', () => {
    const links = database.prepare(`select * from articles_related_lnk where status = 'published'`).all();
    expect(links).toMatchObject([{ source_document_id: 'one', target_document_id: 'three' }]);
  });

  it('leave nothing of the old tables', () => {
    const left = database.prepare(`select name from sqlite_master where name like '%\\_before' escape '\\'`).all();
    expect(left).toEqual([]);
  });
});

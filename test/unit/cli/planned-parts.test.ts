/**
 * @module What a planned migration is called, when its parts run, and whether it moves stored values.
 */
import { describe, expect, it } from 'vitest';
import { ROTATE_STAMPS } from '../../../cli/core/sql/database.ts';
import { fencesOf } from '../../../cli/core/sql/fence.ts';
import { scheduleOf, whenOf } from '../../../cli/migrations/deploy-order.ts';
import { diffSchemas, EMPTY_STATE, type Part, stateOf } from '../../../cli/migrations/migration.ts';
import { nextMigrations } from '../../../cli/migrations/migration-files.ts';
import type { SchemaState } from '../../../cli/migrations/migration-work.ts';
import { parseRenames, resolveRenames } from '../../../cli/migrations/rename-options.ts';
import type { SchemaFile } from '../../../src/schema/build.ts';
import { HISTORY_TABLE, OAUTH_GRANT_TABLE, OUTBOX_TABLE, SCHEDULE_TABLE } from '../../../src/schema/names.ts';
import { type Attributes, component, contentType, type TypeOptions } from '../../support/schema-files.ts';
import { type Model, registryAfter } from './content-model.ts';

const STRING = { type: 'string' };
const types = (...names: readonly string[]): Model => ({ types: names.map((name) => contentType(name, {})) });

async function plan(before: Model, after: Model, change = (state: SchemaState) => state) {
  const state =
    before.types.length + (before.components ?? []).length > 0
      ? change(stateOf(registryAfter(EMPTY_STATE, before)))
      : EMPTY_STATE;
  const registry = registryAfter(state, after);
  const renames = resolveRenames(parseRenames([], []), state.layout, registry);
  return diffSchemas(state, stateOf(registry), { renames, defaultLocale: 'en' });
}

describe('a migration is called by what changes', () => {
  const altered = (...names: readonly string[]): Model => ({
    types: names.map((name) => contentType(name, { title: STRING })),
  });
  it.each<readonly [what: string, before: Model, after: Model]>([
    ['initial', types(), types('a')],
    ['add_bs', types('a'), types('a', 'b')],
    ['add_bs_and_cs_and_ds', types('a'), types('a', 'b', 'c', 'd')],
    ['add_4_types', types('a'), types('a', 'b', 'c', 'd', 'e')],
    ['drop_bs', types('a', 'b'), types('a')],
    ['replace_bs', types('a', 'b'), types('a', 'c')],
    ['alter_as', types('a'), altered('a')],
    ['alter_as', types('a', 'b'), { types: [...altered('a').types, contentType('c', {})] }],
    [
      'alter_two_words',
      { types: [contentType('a', {}, { table: 'two-words' })] },
      { types: [contentType('a', { title: STRING }, { table: 'two-words' })] },
    ],
    ['alter_tables', altered('a'), { ...altered('a'), indexes: { 'api::a.a': [['title']] } }],
  ])('%s', async (what, before, after) => {
    expect((await plan(before, after)).what).toBe(what);
  });
});

describe('a migration moves stored values', () => {
  const article = (attributes: Attributes, options: TypeOptions = {}): Model => ({
    types: [contentType('article', attributes, options), contentType('tag', {}), contentType('note', {})],
  });
  const to = (name: string) => ({ tags: { type: 'relation', relation: 'oneToMany', target: `api::${name}.${name}` } });
  const own = { pluginOptions: { i18n: { localized: true } } };
  it.each<readonly [what: string, before: Model, after: Model, moves: boolean, when: readonly string[]]>([
    ['not for a new attribute', article({}), article({ text: STRING }), false, ['before']],
    ['not for one that is removed', article({ text: STRING }), article({}), false, ['after']],
    [
      'for a value in another form',
      article({ text: { type: 'integer' } }),
      article({ text: STRING }),
      true,
      ['during'],
    ],
    [
      'for a column that is emptied',
      article({ text: STRING }),
      article({ text: { type: 'integer' } }),
      true,
      ['during'],
    ],
    ['for drafts that go', article({}, { drafts: true }), article({}), true, ['during', 'after']],
    [
      'for a value that locales share',
      article({ text: { ...STRING, ...own } }, { localized: true }),
      article({ text: STRING }, { localized: true }),
      true,
      ['during'],
    ],
    ['not for links that go', article(to('tag')), article(to('note')), false, ['during']],
    [
      'not for another uid',
      article({}),
      { types: [contentType('story', {}, { table: 'articles' }), ...article({}).types.slice(1)] },
      false,
      ['during'],
    ],
  ])('%s', async (_, before, after, moves, when) => {
    const { parts } = await plan(before, after);
    expect(parts.some((part) => part.moves === true)).toBe(moves);
    expect(parts.map((part) => part.when)).toEqual(when);
  });
});

it('a database without tables that came later is migrated without statements about them', async () => {
  const later = [HISTORY_TABLE, SCHEDULE_TABLE, OUTBOX_TABLE, OAUTH_GRANT_TABLE];
  const without = ({ snapshot, layout }: SchemaState): SchemaState => {
    const tables = Object.fromEntries(Object.entries(snapshot.tables).filter(([name]) => !later.includes(name)));
    return { layout, snapshot: { ...snapshot, tables } };
  };
  const both = { drafts: true, localized: true };
  const of = (...files: readonly SchemaFile[]): Model => ({ types: files });
  const before = of(
    contentType('a', {}),
    contentType('b', {}),
    contentType('c', {}, both),
    contentType('d', {}),
    contentType('e', {}),
  );
  const after = of(
    contentType('other', {}, { table: 'as' }),
    contentType('c', {}),
    contentType('d', {}, { single: true }),
    contentType('e', {}, both),
  );
  const { parts } = await plan(before, after, without);
  const statements = parts.flatMap((part) => part.statements);
  const isAbout = (sql: string) => later.some((name) => sql.includes(`"${name}"`));
  expect(statements.filter((sql) => /^(UPDATE|DELETE)/.test(sql) && isAbout(sql))).toEqual([]);
  expect(
    statements.filter((sql) => sql.startsWith('CREATE TABLE') && later.some((name) => sql.includes(name))),
  ).toHaveLength(4);
});

describe('the files of a migration', () => {
  const statementsIn = (text: string) => text.split('\n').filter((line) => !line.startsWith('--')).length;
  const partOf = (statements: readonly string[], more: Partial<Part> = {}): Part => ({
    ...{ when: 'before', statements, losses: [] },
    ...more,
  });
  const sized = (...sizes: readonly number[]) => sizes.map((size) => 'x'.repeat(size));
  it.each<readonly [what: string, files: number, statements: readonly string[]]>([
    ['90 statements', 1, Array.from({ length: 90 }, () => 'SELECT 1')],
    ['91 statements', 2, Array.from({ length: 91 }, () => 'SELECT 1')],
    ['79,999 characters', 1, sized(40_000, 39_999)],
    ['80,000 characters', 2, sized(40_000, 40_000)],
    ['characters that are counted anew for each', 2, sized(79_999, 10, 79_000)],
  ])('of %s are %i', (_, files, statements) => {
    const migrations = nextMigrations('change', [partOf(statements)]);
    expect(migrations).toHaveLength(files);
    expect(migrations.map(({ text }) => statementsIn(text) - 2).reduce((sum, each) => sum + each)).toBe(
      statements.length,
    );
  });

  it('go on with the next number; the first names the losses, and each its piece and when it runs', () => {
    const losses = [{ subject: 'article.lead', reason: 'removed', counts: [] }];
    const many = Array.from({ length: 91 }, () => 'SELECT 1');
    const parts = [partOf(many, { when: 'during', losses }), partOf(['SELECT 2', ROTATE_STAMPS], { when: 'after' })];
    const migrations = nextMigrations('change', parts, ['0001_initial.sql', '0007_more.sql']);
    expect(migrations.map(({ name }) => name)).toEqual([
      ...['0008_change.sql', '0009_change_2.sql', '0010_change_after.sql'],
    ]);
    const heads = migrations.map(({ text }) => text.split('\n').filter((line) => line.startsWith('--')));
    const piece = (at: number) => `-- piece ${at} of 2: if one fails, npx edgewise migrate continues with it`;
    expect(heads).toEqual([
      ['-- deploy: during', piece(1), '-- loses article.lead: removed'],
      ['-- deploy: during', piece(2)],
      ['-- deploy: after'],
    ]);
    const rotations = migrations.map(({ text }) => text.split(ROTATE_STAMPS).length - 1);
    expect(rotations).toEqual([1, 1, 1]);
  });

  it('begin with the fence of a part that moves values, which has the number of the first one', () => {
    const [first, second] = nextMigrations(
      'change',
      [partOf(sized(70_000, 20_000), { moves: true })],
      ['0007_more.sql'],
    );
    const fenceOf = (migration: { readonly text: string } | undefined) => fencesOf([migration ?? { text: '' }]);
    expect(fenceOf(first)).toEqual([expect.stringMatching(/^0008-[0-9a-f]{8}$/)]);
    expect(first?.text.indexOf('0008-')).toBeLessThan(first?.text.indexOf('xxx') ?? 0);
    expect([second?.name, fenceOf(second)]).toEqual(['0009_change_2.sql', []]);
    const [still] = nextMigrations('change', [partOf(['SELECT 1'])]);
    expect(fenceOf(still)).toEqual([]);
  });

  it.each([
    ['before before after', 2, 0],
    ['before during after after', 2, 1],
    ['after before after', 2, 1],
    ['after after', 0, 0],
    ['during', 1, 1],
    ['byHand after', 1, 1],
  ])('%s: %i are applied before the new version serves, of which %i may break the previous one', (all, early, felt) => {
    const pending = all.split(' ').map((when, at) => ({
      name: `000${at}_${when}.sql`,
      text: when === 'byHand' ? 'SELECT 1;\n' : `-- deploy: ${when}\nSELECT 1;\n`,
    }));
    const schedule = scheduleOf(pending);
    expect([schedule.early, schedule.late, schedule.felt.length]).toEqual([
      pending.slice(0, early),
      pending.slice(early),
      felt,
    ]);
    expect(whenOf(pending[0]?.text ?? '')).toBe(all.startsWith('byHand') ? 'during' : all.split(' ')[0]);
  });
});

it('a type that becomes a single type leaves links of other types alone', async () => {
  const tags = { tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' } };
  const model = (single: boolean): Model => ({
    types: [contentType('home', tags, { single, table: 'homes' }), contentType('page', tags), contentType('tag', {})],
  });
  const { parts } = await plan(model(false), model(true));
  const text = parts.flatMap(({ statements }) => statements).join();
  expect(text).toContain('DELETE FROM "homes_tags_lnk"');
  expect(text).not.toContain('pages_tags_lnk');
});

it('a component that is only renamed has a migration that notes it', async () => {
  const model = (uid: string): Model => ({ types: [], components: [component(uid, { text: STRING })] });
  const state = stateOf(registryAfter(EMPTY_STATE, model('kit.a')));
  const declared = parseRenames([], [], ['kit.a=kit.b']);
  const registry = registryAfter(state, model('kit.b'), declared);
  const options = { renames: resolveRenames(declared, state.layout, registry), defaultLocale: 'en' };
  expect((await diffSchemas(state, stateOf(registry), options)).parts).toHaveLength(1);
  expect((await plan(model('kit.a'), model('kit.a'))).parts).toEqual([]);
});

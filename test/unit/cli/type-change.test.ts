import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ScalarType } from '../../../src/schema/fields.ts';
import { FIELDS } from '../../../src/schema/fields.ts';
import { contentType } from '../../support/schema-files.ts';
import { openTestDatabase, type TestDatabase } from './content-model.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.reset());
afterAll(() => database.close());

type Stored = string | number | null;

const attribute = (type: string) => ({ type, ...(type === 'enumeration' && { enum: ['x'] }) });
const articles = (type: string, unique = false) => ({
  types: [contentType('article', { title: { type: 'string' }, value: { ...attribute(type), unique } })],
});
const sqlOf = (value: Stored) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value));

interface Case {
  readonly from: ScalarType;
  readonly to: ScalarType;
  readonly before: readonly Stored[];
  readonly after: readonly Stored[];
  readonly lossy: boolean;
}

const paragraph = (text: string) => JSON.stringify([{ type: 'paragraph', children: [{ type: 'text', text }] }]);

const CASES: readonly Case[] = [
  { from: 'string', to: 'text', before: ['a', null], after: ['a', null], lossy: false },
  { from: 'string', to: 'integer', before: ['12', 'abc', '', null], after: [null, null, null, null], lossy: true },
  { from: 'string', to: 'biginteger', before: ['9007199254740992'], after: [null], lossy: true },
  { from: 'string', to: 'decimal', before: ['1.25', 'x'], after: [null, null], lossy: true },
  { from: 'string', to: 'float', before: ['1.25', 'x'], after: [null, null], lossy: true },
  { from: 'string', to: 'boolean', before: ['true', '0'], after: [null, null], lossy: true },
  { from: 'string', to: 'date', before: ['2024-02-29', 'now'], after: [null, null], lossy: true },
  { from: 'string', to: 'time', before: ['10:20', 'ten'], after: [null, null], lossy: true },
  { from: 'string', to: 'datetime', before: ['2024-01-02T03:04:05.678Z'], after: [null], lossy: true },
  {
    from: 'string',
    to: 'json',
    before: ['plain "text"', '{"a":1}', '12'],
    after: ['"plain \\"text\\""', '{"a":1}', '12'],
    lossy: false,
  },
  { from: 'richtext', to: 'blocks', before: ["It's"], after: [paragraph("It's")], lossy: false },
  { from: 'integer', to: 'string', before: [0, -12, null], after: ['0', '-12', null], lossy: false },
  { from: 'integer', to: 'biginteger', before: [5], after: [5], lossy: false },
  { from: 'biginteger', to: 'decimal', before: [5], after: [null], lossy: true },
  { from: 'integer', to: 'decimal', before: [5], after: [5], lossy: false },
  { from: 'integer', to: 'boolean', before: [0, 1, 2], after: [null, null, null], lossy: true },
  { from: 'integer', to: 'datetime', before: [1704164645678, 9e15], after: [null, null], lossy: true },
  { from: 'integer', to: 'date', before: [5], after: [null], lossy: true },
  { from: 'float', to: 'string', before: [3, 1.5], after: ['3', '1.5'], lossy: false },
  { from: 'decimal', to: 'integer', before: [3, 1.9, -1.9], after: [null, null, null], lossy: true },
  { from: 'boolean', to: 'string', before: [1, 0, null], after: ['true', 'false', null], lossy: false },
  { from: 'datetime', to: 'date', before: [1704164645678], after: [null], lossy: true },
  { from: 'datetime', to: 'time', before: [1704164645678], after: [null], lossy: true },
  { from: 'datetime', to: 'string', before: [1704164645678], after: ['2024-01-02T03:04:05.678Z'], lossy: false },
  { from: 'date', to: 'datetime', before: ['2024-01-02'], after: [1704153600000], lossy: false },
  { from: 'json', to: 'string', before: ['"text"', '{"a":1}'], after: [null, null], lossy: true },
  { from: 'boolean', to: 'integer', before: [1, 0, null], after: [1, 0, null], lossy: false },
  { from: 'blocks', to: 'json', before: ['[]'], after: ['[]'], lossy: false },
  { from: 'json', to: 'blocks', before: ['[]', '{}'], after: [null, null], lossy: true },
  { from: 'boolean', to: 'json', before: [1, 0], after: [null, null], lossy: true },
  { from: 'string', to: 'password', before: ['secret'], after: [null], lossy: true },
  { from: 'password', to: 'string', before: ['hash'], after: [null], lossy: true },
];

/** One content type with an attribute for each case; all types change in one migration. */
const casesAs = (side: 'from' | 'to') => ({
  types: [contentType('article', Object.fromEntries(CASES.map((item, index) => [`v${index}`, attribute(item[side])])))],
});

/** The values of each case after the migration, and the cases that were announced to lose some. */
async function changeAll() {
  await database.evolve(casesAs('from'));
  for (const [index, { before }] of CASES.entries())
    for (const value of before)
      await database.run(`INSERT INTO articles (document_id, v${index}) VALUES ('${index}', ${sqlOf(value)})`);
  const { losses } = await database.evolve(casesAs('to'));
  const rows = await database.run('SELECT * FROM articles ORDER BY id');
  return {
    valuesOf: (index: number) => rows.filter((row) => row.document_id === `${index}`).map((row) => row[`v${index}`]),
    lossy: new Set(losses.map(({ subject }) => subject)),
  };
}

describe('a change of type', () => {
  let changed: Awaited<ReturnType<typeof changeAll>>;
  beforeAll(async () => {
    changed = await changeAll();
    await database.reset();
  });

  it.each(CASES.map((item, index) => ({ ...item, index })))(
    'from $from to $to keeps what converts, and says what it loses',
    ({ index, after, lossy }) => {
      expect(changed.valuesOf(index)).toEqual(after);
      expect(changed.lossy.has(`article.v${index}`)).toBe(lossy);
    },
  );

  it.each(CASES.map((item, index) => ({ ...item, index })))(
    'from $from to $to leaves nothing that the reader trips over',
    ({ index, to }) => {
      const read = FIELDS[to].read;
      for (const value of changed.valuesOf(index))
        if (value !== null) expect(() => JSON.stringify(read(value))).not.toThrow();
    },
  );

  it('keeps the index of a unique attribute', async () => {
    await database.evolve(articles('string', true));
    await database.evolve(articles('integer', true));
    const indexes = await database.run(`SELECT name FROM pragma_index_list('articles')`);
    expect(indexes.map(({ name }) => name)).toContain('articles_value');
  });

  it('does not give ids of deleted rows a second time', async () => {
    await database.evolve(articles('string'));
    await database.run(`INSERT INTO articles (document_id) VALUES ('a'), ('b')`);
    await database.run(`DELETE FROM articles WHERE document_id = 'b'`);
    await database.evolve(articles('integer'));
    expect(await database.run(`INSERT INTO articles (document_id) VALUES ('c') RETURNING id`)).toEqual([{ id: 3 }]);
  });

  it('to another kind of attribute starts empty, and says so', async () => {
    await database.evolve(articles('string'));
    await database.run(`INSERT INTO articles (document_id, title, value) VALUES ('a', 'kept', 'gone')`);
    const media = { title: { type: 'string' }, value: { type: 'media' } };
    const { losses } = await database.evolve({ types: [contentType('article', media)] });
    expect(losses.map(({ subject }) => subject)).toEqual(['article.value']);
    const back = await database.evolve(articles('string'));
    expect(back.losses).toHaveLength(1);
    expect(await database.run('SELECT title, value FROM articles')).toEqual([{ title: 'kept', value: null }]);
  });
});

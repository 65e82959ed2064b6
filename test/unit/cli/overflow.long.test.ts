import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EMPTY_LAYOUT, layoutOf, overflowOf } from '../../../cli/migrations/layout.ts';
import { buildRegistry } from '../../../src/schema/build.ts';
import { MAX_ATTRIBUTE_COLUMNS as MAX } from '../../../src/schema/names.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { type Attributes, component, contentType } from '../../support/schema-files.ts';
import { openTestDatabase, type TestDatabase } from './content-model.ts';

const UID = 'api::article.article';
const SEO = component('shared.seo', { title: { type: 'string' } });
const seo = { type: 'component', component: 'shared.seo' };

/** `a0`, `a1` … */
const many = (count: number, type = 'string'): Attributes =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, { type }]));

const model = (attributes: Attributes) => ({ types: [contentType('article', attributes)], components: [SEO] });
const registryOf = (attributes: Attributes, overflow: Readonly<Record<string, readonly string[]>> = {}) =>
  buildRegistry({ contentTypes: model(attributes).types, components: [SEO], overflow }, CHECKED);
/** The surplus of `attributes` after migrations have led to `previous`. */
const surplus = (attributes: Attributes, previous?: Attributes) => {
  const layout = previous
    ? layoutOf(registryOf(previous, overflowOf(registryOf(previous), EMPTY_LAYOUT)))
    : EMPTY_LAYOUT;
  return overflowOf(registryOf(attributes), layout)[UID] ?? [];
};

describe('the choice of overflow attributes', () => {
  it('refuses more components and zones than there are columns', () => {
    const components = Object.fromEntries(Array.from({ length: MAX + 1 }, (_, index) => [`c${index}`, seo]));
    expect(() => surplus(components)).toThrow(`${UID}: attributes: at most ${MAX} components`);
  });

  it('is none while all fit', () => expect(surplus(many(MAX))).toEqual([]));

  it('takes the last scalars of the file, never a component', () => {
    expect(surplus({ ...many(MAX), extra: { type: 'string' }, seo })).toEqual([`a${MAX - 1}`, 'extra']);
  });

  it('does not count relations and media, which have no column', () => {
    const media = { type: 'media' };
    expect(surplus({ ...many(MAX), cover: media, gallery: media })).toEqual([]);
  });

  it('leaves attributes where they are when one is put before them', () => {
    expect(surplus({ first: { type: 'string' }, ...many(MAX + 2) }, many(MAX + 2))).toEqual([
      'first',
      `a${MAX}`,
      `a${MAX + 1}`,
    ]);
  });

  it('gives a free column to a new attribute and not to one that is in overflow', () => {
    const { a0: _, ...rest } = many(MAX + 1);
    expect(surplus(rest, many(MAX + 1))).toEqual([`a${MAX}`]);
    expect(surplus({ ...rest, fresh: { type: 'string' } }, many(MAX + 1))).toEqual([`a${MAX}`]);
  });
});

describe('the overflow column on D1', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.reset());
  afterAll(() => database.close());

  const insert = (columns: Readonly<Record<string, unknown>>) => {
    const values = Object.values({ document_id: 'a', ...columns }).map((value) =>
      typeof value === 'object' ? `'${JSON.stringify(value)}'` : `'${value}'`,
    );
    return database.run(
      `INSERT INTO articles (${Object.keys({ document_id: 'a', ...columns }).join(', ')}) VALUES (${values.join(', ')})`,
    );
  };
  const overflow = async () => {
    const [row] = await database.run('SELECT overflow_attributes AS json FROM articles');
    return JSON.parse(String(row?.json));
  };
  const last = `a${MAX}`;

  it('fits into the 100 columns of D1', async () => {
    await database.evolve(model(many(MAX + 50)));
    const columns = await database.run(`SELECT name FROM pragma_table_info('articles')`);
    expect(columns.length).toBeLessThan(100);
  });

  it('leaves room for as many new attributes as are removed at once', async () => {
    await database.evolve(model(many(MAX)));
    const others = Object.entries(many(MAX)).map(([name, json]) => [`b${name}`, json]);
    await database.evolve(model(Object.fromEntries(others)));
    const columns = await database.run(`SELECT name FROM pragma_table_info('articles') WHERE name LIKE 'ba%'`);
    expect(columns).toHaveLength(MAX);
  });

  it('keeps the value of an attribute that is renamed there', async () => {
    await database.evolve(model(many(MAX + 2)));
    await insert({ overflow_attributes: { [last]: 'x', [`a${MAX + 1}`]: 'y' } });
    const { [last]: _, ...rest } = many(MAX + 2);
    const { losses } = await database.evolve(model({ ...rest, fresh: { type: 'string' } }), {
      rename: [`article.${last}=fresh`],
    });
    expect(losses).toEqual([]);
    expect(await overflow()).toEqual({ fresh: 'x', [`a${MAX + 1}`]: 'y' });
  });

  it('loses the value of a removed attribute, says so, and keeps the others', async () => {
    await database.evolve(model(many(MAX + 2)));
    await insert({ overflow_attributes: { [last]: 'x', [`a${MAX + 1}`]: 'y' } });
    const { [last]: _, ...rest } = many(MAX + 2);
    const { losses } = await database.evolve(model(rest));
    expect(losses.map(({ subject }) => subject)).toEqual([`article.${last}`]);
    expect(await overflow()).toEqual({ [`a${MAX + 1}`]: 'y' });
  });

  it('keeps what converts when the type of an attribute changes there', async () => {
    const types = { ...many(MAX + 2), [last]: { type: 'integer' } };
    await database.evolve(model(types));
    await insert({ overflow_attributes: { [last]: 12, [`a${MAX + 1}`]: '12' } });
    const changed = { [last]: { type: 'string' }, [`a${MAX + 1}`]: { type: 'integer' } };
    await database.evolve(model({ ...types, ...changed }));
    expect(await overflow()).toEqual({ [last]: '12' });
  });

  it('holds JSON and whole numbers of 64 bits as texts', async () => {
    const types = { ...many(MAX + 2), [last]: { type: 'integer' } };
    await database.evolve(model(types));
    await insert({ overflow_attributes: { [last]: 12, [`a${MAX + 1}`]: 'abc' } });
    const changed = { [last]: { type: 'biginteger' }, [`a${MAX + 1}`]: { type: 'json' } };
    await database.evolve(model({ ...types, ...changed }));
    expect(await overflow()).toEqual({ [last]: '12', [`a${MAX + 1}`]: '"abc"' });
  });

  it('gives a whole number of 64 bits as a number to an attribute that holds numbers', async () => {
    const types = { ...many(MAX + 1), [last]: { type: 'biginteger' } };
    await database.evolve(model(types));
    await insert({ overflow_attributes: { [last]: '12' } });
    await database.evolve(model({ ...types, [last]: { type: 'integer' } }));
    expect(await overflow()).toEqual({ [last]: 12 });
  });

  it('takes a column, with its values, when a component needs the room', async () => {
    const types = { ...many(MAX - 1), [`a${MAX - 1}`]: { type: 'biginteger' } };
    await database.evolve(model(types));
    await insert({ a0: 'kept', [`a${MAX - 1}`]: '9007199254740993' });
    const { losses } = await database.evolve(model({ ...types, seo }));
    expect(losses).toEqual([]);
    expect(await overflow()).toEqual({ [`a${MAX - 1}`]: '9007199254740993' });
    expect(await database.run('SELECT a0, seo FROM articles')).toEqual([{ a0: 'kept', seo: null }]);
    expect((await database.evolve(model({ ...types, seo }))).statements).toEqual([]);
  });
});

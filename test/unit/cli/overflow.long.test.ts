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
});

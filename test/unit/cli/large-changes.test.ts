/**
 * @module Migrations of large content models keep to the limits of D1: depth of expressions, arguments, length of statements.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { generate } from '../../../cli/project/generate.ts';
import { MAX_ATTRIBUTE_COLUMNS } from '../../../src/schema/names.ts';
import { type Attributes, component, contentType } from '../../support/schema-files.ts';
import { useTestDatabase } from './content-model.ts';
import { scratchProject } from './scratch-project.ts';

const database = await useTestDatabase();
afterEach(() => database.reset());

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const single = (uid: string) => ({ type: 'component', component: uid, repeatable: false });
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const attributes = <T>(count: number, value: (index: number) => T, prefix = 'value'): Record<string, T> =>
  Object.fromEntries(numbers(count).map((index) => [`${prefix}${index}`, value(index)]));

const insertZone = (entries: readonly unknown[]) =>
  database.run(`INSERT INTO pages (document_id, zone) VALUES ('a', '${JSON.stringify(entries)}')`);

async function storedIn(column: string): Promise<unknown> {
  const [row] = await database.run(`SELECT ${column} FROM pages`);
  return JSON.parse(String(row?.[column]));
}

describe('a migration of a large content model', () => {
  it('renames 110 components of a zone', async () => {
    const of = (category: string) => {
      const components = numbers(110).map((index) => component(`${category}.block-${index}`, { title: STRING }));
      const uids = numbers(110).map((index) => `${category}.block-${index}`);
      return { types: [contentType('page', { zone: { type: 'dynamiczone', components: uids } })], components };
    };
    const entries = (category: string) =>
      numbers(110).map((index) => ({ __component: `${category}.block-${index}`, id: index + 1, title: `${index}` }));
    await database.evolve(of('old'));
    await insertZone(entries('old'));
    await database.evolve(of('new'), { renameComponent: ['old=new'] });
    expect(await storedIn('zone')).toEqual(entries('new'));
  });

  it('changes 60 attributes of a component, renames 60, and removes 60', async () => {
    const of = (own: Attributes) => ({
      types: [contentType('page', { part: single('shared.part') })],
      components: [component('shared.part', own)],
    });
    await database.evolve(
      of({
        ...attributes(60, () => INTEGER),
        ...attributes(60, () => STRING, 'old'),
        ...attributes(60, () => STRING, 'gone'),
      }),
    );
    const part = {
      id: 1,
      ...attributes(60, (index) => index),
      ...attributes(60, String, 'old'),
      ...attributes(60, String, 'gone'),
    };
    await database.run(`INSERT INTO pages (document_id, part) VALUES ('a', '${JSON.stringify(part)}')`);
    const { held } = await database.evolve(
      of({ ...attributes(60, () => STRING), ...attributes(60, () => STRING, 'new') }),
      {
        rename: numbers(60).map((index) => `shared.part.old${index}=new${index}`),
      },
    );
    expect(Object.values(held)).toEqual(numbers(60).map(() => 1));
    expect(await storedIn('part')).toEqual({ id: 1, ...attributes(60, String), ...attributes(60, String, 'new') });
  });

  it('changes 110 components inside a component, and counts what they lose', async () => {
    const of = (own: Attributes) => ({
      types: [contentType('page', { part: single('shared.part') })],
      components: [
        component(
          'shared.part',
          attributes(110, (index) => single(`shared.inner-${index}`)),
        ),
        ...numbers(110).map((index) => component(`shared.inner-${index}`, own)),
      ],
    });
    await database.evolve(of({ count: INTEGER, gone: STRING }));
    const part = { id: 1, ...attributes(110, (id) => ({ id, count: 7, gone: 'x' })) };
    await database.run(`INSERT INTO pages (document_id, part) VALUES ('a', '${JSON.stringify(part)}')`);
    await database.evolve(of({ count: STRING, gone: STRING }));
    const { held } = await database.evolve(of({ count: STRING }));
    expect(Object.values(held)).toEqual(numbers(110).map(() => 1));
    expect(await storedIn('part')).toEqual({ id: 1, ...attributes(110, (id) => ({ id, count: '7' })) });
  });

  it('counts an attribute of one component below 110 others', async () => {
    const of = (own: Attributes) => ({
      types: [
        contentType('page', { zone: { type: 'dynamiczone', components: numbers(110).map((at) => `shared.b${at}`) } }),
      ],
      components: [
        component('shared.seo', own),
        ...numbers(110).map((index) => component(`shared.b${index}`, { title: STRING, seo: single('shared.seo') })),
      ],
    });
    await database.evolve(of({ title: STRING, gone: STRING }));
    await insertZone([{ __component: 'shared.b7', id: 1, title: null, seo: { id: 2, title: 'a', gone: 'b' } }]);
    const { held } = await database.evolve(of({ title: STRING }));
    expect(held).toEqual({ 'shared.seo.gone': 1 });
    expect(await storedIn('zone')).toEqual([
      { __component: 'shared.b7', id: 1, title: null, seo: { id: 2, title: 'a' } },
    ]);
  });

  it('splits a change of a zone that one statement has no room for', async () => {
    const of = (type: Attributes[string]) => {
      const components = numbers(40).map((index) =>
        component(
          `shared.b${index}`,
          attributes(20, () => type),
        ),
      );
      const zone = { type: 'dynamiczone', components: numbers(40).map((index) => `shared.b${index}`) };
      return { types: [contentType('page', { zone })], components };
    };
    const entries = (value: (index: number) => unknown) =>
      numbers(40).map((id) => ({ __component: `shared.b${id}`, id, ...attributes(20, value) }));
    await database.evolve(of(INTEGER));
    await insertZone(entries((index) => index));
    const { statements } = await database.evolve(of(STRING));
    expect(statements.filter((statement) => statement.startsWith('UPDATE "pages"')).length).toBeGreaterThan(1);
    expect(await storedIn('zone')).toEqual(entries(String));
  });

  it('leaves nothing for later where a table has no room for the columns of both versions', async () => {
    const kept = attributes(MAX_ATTRIBUTE_COLUMNS - 15, () => STRING);
    const of = (own: Attributes) => ({ types: [contentType('page', { ...kept, ...own })] });
    await database.evolve(of(attributes(16, () => STRING, 'old')));
    const { parts } = await database.evolve(of(attributes(15, () => STRING, 'fresh')));
    // The overflow column goes, too.
    expect(parts.map(({ when, losses }) => [when, losses.length])).toEqual([['during', 16]]);
  });

  it('keeps a search index over 400 attributes', async () => {
    const long = (count: number) =>
      attributes(count, (index) => (index % 9 === 0 ? INTEGER : STRING), 'anAttributeWithALongName');
    const searched = (count: number) => ({ types: [contentType('page', long(count))], search: ['api::page.page'] });
    await database.evolve(searched(400));
    const found = async (text: string) =>
      (await database.run(`SELECT rowid AS id FROM pages_search WHERE pages_search MATCH '"${text}"'`)).map(
        ({ id }) => id,
      );
    const first = { column: 'an_attribute_with_a_long_name1', overflow: { anAttributeWithALongName399: 'wombat' } };
    await database.run(
      `INSERT INTO pages (document_id, ${first.column}, overflow_attributes) VALUES ('a', 'zebra', '${JSON.stringify(first.overflow)}')`,
    );
    expect([await found('zeb'), await found('wom')]).toEqual([[1], [1]]);
    await database.run(
      `UPDATE pages SET overflow_attributes = json_set(overflow_attributes, '$.anAttributeWithALongName399', 'quokka')`,
    );
    expect([await found('zeb'), await found('wom'), await found('quo')]).toEqual([[1], [], [1]]);
    await database.run(`UPDATE pages SET ${first.column} = NULL`);
    expect([await found('zeb'), await found('quo')]).toEqual([[], [1]]);
  });
});

describe('generate', () => {
  it('writes no migration that D1 would reject', async () => {
    const project = scratchProject();
    project.schemas(
      contentType(
        'page',
        attributes(2_000, () => STRING),
      ),
    );
    project.write('edgewise.config.ts', `export default { search: ['api::page.page'] };`);
    await expect(generate(project.root)).rejects.toThrow('D1 would reject the migration: string or blob too big');
    expect(project.migrations()).toEqual([]);
    project.remove('.');
  });
});

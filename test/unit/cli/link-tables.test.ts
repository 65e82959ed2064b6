/**
 * @module The tables of links: one link of two documents and versions, and both orders without a sort.
 */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { createSchemaSql } from '../../support/schema-sql.ts';

const topics = relation('manyToMany', 'topic', { inversedBy: 'notes' });
const registry = registryOf([
  contentType('note', { topics, items: { type: 'relation', relation: 'morphToMany' } }),
  contentType('topic', { notes: relation('manyToMany', 'note', { mappedBy: 'topics' }) }),
]);
const database = new DatabaseSync(':memory:');
for (const statement of await createSchemaSql(registry)) database.exec(statement);

const SOURCE = { source_document_id: 'a', source_locale: '', status: 'published' };
const TARGET = { target_document_id: 'b', target_locale: '' };

const insert = (table: string, row: object): void =>
  void database
    .prepare(`insert into ${table} (${Object.keys(row)}) values (${Object.values(row).map((value) => `'${value}'`)})`)
    .run();

it.each([
  ['notes_topics_lnk', { ...SOURCE, ...TARGET }],
  ['notes_items_mph', { ...SOURCE, ...TARGET, target_type: 'api::topic.topic' }],
])('%s has a link once, and others that differ in any part of it', (table, link) => {
  const placed = { position: 1, inverse_position: 1 };
  insert(table, { ...link, ...placed });
  expect(() => insert(table, { ...link, position: 2, inverse_position: 2 })).toThrow('UNIQUE');
  for (const column of Object.keys(link)) insert(table, { ...link, [column]: 'other', ...placed });
});

it.each([
  ['notes_topics_lnk', 'position', SOURCE],
  ['notes_topics_lnk', 'inverse_position', { ...TARGET, status: 'published' }],
  ['notes_items_mph', 'position', { ...SOURCE, target_type: 'api::topic.topic' }],
  ['notes_items_mph', 'inverse_position', { ...TARGET, status: 'published' }],
])('%s has the links of one end in the order of %s', (table, position, end) => {
  const where = Object.keys(end).map((column) => `${column} = '1'`);
  const plan = database.prepare(
    `explain query plan select * from ${table} where ${where.join(' and ')} order by ${position}`,
  );
  const [step, ...more] = plan.all().map(({ detail }) => String(detail));
  expect(more).toEqual([]);
  for (const column of Object.keys(end)) expect(step).toContain(`${column}=?`);
});

/**
 * @module Renames to names that are taken already, of a local database that is ahead of the migrations: what has the name is
 * replaced, which is a loss.
 */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { overflowOf } from '../../../cli/migrations/layout.ts';
import { diffSchemas, EMPTY_STATE, openRenames, renamedLayout, stateOf } from '../../../cli/migrations/migration.ts';
import type { SchemaState } from '../../../cli/migrations/migration-work.ts';
import { NO_RENAMES, parseRenames, type Renames, resolveRenames } from '../../../cli/migrations/rename-options.ts';
import { buildRegistry } from '../../../src/schema/build.ts';
import { MAX_ATTRIBUTE_COLUMNS } from '../../../src/schema/names.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { type Attributes, component, contentType, relation } from '../../support/schema-files.ts';
import type { Model } from './content-model.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const CARD = { type: 'component', component: 'kit.b' };
const toTags = relation('manyToMany', 'tag');

async function plan(state: SchemaState, { types, components = [] }: Model, declared: Renames, isForced: boolean) {
  const files = { contentTypes: types, components };
  const overflow = overflowOf(
    buildRegistry(files, CHECKED),
    renamedLayout(state, buildRegistry(files, CHECKED), declared, isForced),
  );
  const registry = buildRegistry({ ...files, overflow }, CHECKED);
  const renames = resolveRenames(declared, state.layout, registry);
  const { parts } = await diffSchemas(state, stateOf(registry), { renames, defaultLocale: 'en', isForced });
  return {
    ...{ registry, renames, next: stateOf(registry) },
    sql: parts.flatMap(({ statements }) => statements),
    losses: parts.flatMap(({ losses }) => losses),
  };
}

interface Case {
  readonly what: string;
  readonly before: Model;
  readonly after: Model;
  readonly renames: Partial<Record<'attributes' | 'types' | 'components', readonly string[]>>;
  readonly fill: readonly string[];
  readonly lost: Readonly<Record<string, number>>;
  readonly query: string;
  readonly kept: readonly unknown[];
}

const articles = (attributes: Attributes, components: Model['components'] = []): Model => ({
  types: [contentType('article', attributes), contentType('tag', {})],
  components,
});
const many = Object.fromEntries(Array.from({ length: MAX_ATTRIBUTE_COLUMNS }, (_, at) => [`t${at}`, STRING]));
const link = (name: string, source: string, target: string) =>
  `INSERT INTO articles_${name}_lnk VALUES ('${source}', '', '${target}', '', 'published', 1, 1)`;
const A_TO_B = { attributes: ['article.a=b'] };

const CASES: readonly Case[] = [
  {
    what: 'an attribute with a column',
    before: articles({ a: INTEGER, b: STRING }),
    after: articles({ b: INTEGER }),
    renames: A_TO_B,
    fill: [`INSERT INTO articles (document_id, a, b) VALUES ('x', 1, 'lost'), ('y', 2, NULL)`],
    lost: { 'article.b': 1 },
    query: 'SELECT b AS value FROM articles ORDER BY id',
    kept: [1, 2],
  },
  {
    what: 'a relation',
    before: articles({ a: toTags, b: toTags }),
    after: articles({ b: toTags }),
    renames: A_TO_B,
    fill: [link('a', 'x', 'kept'), link('b', 'x', 'lost'), link('b', 'y', 'lost')],
    lost: { 'article.b': 2 },
    query: 'SELECT target_document_id AS value FROM articles_b_lnk',
    kept: ['kept'],
  },
  {
    what: 'an attribute without a column',
    before: articles({ ...many, a: STRING, b: STRING }),
    after: articles({ ...many, b: STRING }),
    renames: A_TO_B,
    fill: [
      `INSERT INTO articles (document_id, overflow_attributes) VALUES ('x', '{"a":"kept","b":"lost"}'), ('y', '{"b":"lost"}')`,
    ],
    lost: { 'article.b': 2 },
    query: 'SELECT overflow_attributes AS value FROM articles ORDER BY id',
    kept: ['{"b":"kept"}', '{}'],
  },
  {
    what: 'a content type, with its links',
    before: {
      types: [
        contentType('article', { name: STRING, tags: toTags }),
        contentType('post', { name: STRING, tags: toTags }),
        contentType('tag', {}),
      ],
    },
    after: { types: [contentType('post', { name: STRING, tags: toTags }), contentType('tag', {})] },
    renames: { types: ['article=post'] },
    fill: [
      `INSERT INTO articles (document_id, name) VALUES ('x', 'kept')`,
      `INSERT INTO posts (document_id, name) VALUES ('y', 'lost'), ('z', 'lost')`,
      link('tags', 'x', 'kept'),
      link('tags', 'y', 'lost').replace('articles', 'posts'),
    ],
    lost: { post: 2 },
    query: `SELECT name || ' ' || target_document_id AS value FROM posts JOIN posts_tags_lnk ON source_document_id = document_id`,
    kept: ['kept kept'],
  },
  {
    what: 'a component',
    before: articles({ a: { ...CARD, component: 'kit.a' }, b: CARD }, [
      component('kit.a', { x: STRING }),
      component('kit.b', { y: STRING, z: STRING }),
    ]),
    after: articles({ a: CARD }, [component('kit.b', { x: STRING })]),
    renames: { components: ['kit.a=kit.b'] },
    fill: [`INSERT INTO articles (document_id, a, b) VALUES ('x', '{"id":1,"x":"kept"}', '{"id":2,"y":"lost"}')`],
    lost: { 'kit.b': 1, 'article.b': 1 },
    query: 'SELECT a AS value FROM articles',
    kept: ['{"id":1,"x":"kept"}'],
  },
  {
    what: 'a component that nothing holds',
    before: articles({ a: { ...CARD, component: 'kit.a' } }, [
      component('kit.a', { x: STRING }),
      component('kit.b', { y: STRING }),
    ]),
    after: articles({ a: CARD }, [component('kit.b', { x: STRING })]),
    renames: { components: ['kit.a=kit.b'] },
    fill: [`INSERT INTO articles (document_id, a) VALUES ('x', '{"id":1,"x":"kept"}')`],
    lost: {},
    query: 'SELECT a AS value FROM articles',
    kept: ['{"id":1,"x":"kept"}'],
  },
];

describe('a forced rename', () => {
  it.each(CASES)('replaces $what', async ({ before, after, renames: declared, fill, lost, query, kept }) => {
    const renames = parseRenames(declared.attributes ?? [], declared.types ?? [], declared.components);
    const first = await plan(EMPTY_STATE, before, NO_RENAMES, false);
    await expect(plan(first.next, after, renames, false)).rejects.toThrow(/already/);
    const { sql, losses } = await plan(first.next, after, renames, true);
    const database = new DatabaseSync(':memory:');
    for (const statement of [...first.sql, ...fill]) database.exec(statement);
    const found = losses.map(({ subject, counts }) => [
      subject,
      counts.reduce((sum, count) => sum + Number(database.prepare(count).get()?.rows), 0),
    ]);
    expect(Object.fromEntries(found)).toEqual(lost);
    for (const statement of sql) database.exec(statement);
    expect(
      database
        .prepare(query)
        .all()
        .map(({ value }) => value),
    ).toEqual(kept);
  });
});

it('renames apply where the database has the former name alone, also of what other renames move', async () => {
  const { next } = await plan(EMPTY_STATE, articles({ a: STRING }), NO_RENAMES, false);
  const now = { types: [contentType('post', { b: STRING }), contentType('tag', {})], components: [] };
  const registry = buildRegistry({ contentTypes: now.types, components: [] }, CHECKED);
  const wanted: Renames = {
    tables: [
      { from: 'articles', to: 'posts' },
      { from: 'others', to: 'posts' },
    ],
    components: [{ from: 'kit.a', to: 'kit.b' }],
    attributes: [
      { type: 'api::post.post', from: 'a', to: 'b' },
      { type: 'api::post.post', from: 'c', to: 'b' },
    ],
  };
  expect(openRenames(next, registry, wanted)).toEqual({
    ...{ tables: wanted.tables.slice(0, 1), components: [] },
    attributes: wanted.attributes.slice(0, 1),
  });
});

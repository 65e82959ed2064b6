/**
 * @module The places of a migration that are completed by hand: each stands where the former values and the new column are.
 */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { diffSchemas, EMPTY_STATE, stateOf } from '../../../cli/migrations/migration.ts';
import type { SchemaState } from '../../../cli/migrations/migration-work.ts';
import { NO_RENAMES } from '../../../cli/migrations/rename-options.ts';
import { MAX_ATTRIBUTE_COLUMNS } from '../../../src/schema/names.ts';
import { type Attributes, relation } from '../../support/schema-files.ts';
import { BY_HAND_CASES, byHandFiles, OPEN_PLACE } from './by-hand-cases.ts';
import { type Model, registryAfter } from './content-model.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };

async function plan(state: SchemaState, model: Model, isByHand = false) {
  const next = stateOf(registryAfter(state, model));
  const { parts } = await diffSchemas(state, next, { renames: NO_RENAMES, defaultLocale: 'en', isByHand });
  return { next, parts, text: parts.flatMap(({ statements }) => statements).join(';\n') };
}

/** Changes a model on a database with content, with this SQL in the open places. */
async function change(before: Model, after: Model, fill: string, byHand: string) {
  const first = await plan(EMPTY_STATE, before);
  const { text, parts } = await plan(first.next, after, true);
  const database = new DatabaseSync(':memory:');
  database.exec(`${first.text}; ${fill}; ${text.replace(OPEN_PLACE, byHand)}`);
  return {
    places: Array.from(text.matchAll(OPEN_PLACE), ([, subject]) => subject),
    losses: parts.flatMap(({ losses }) => losses).map(({ subject, byHand }) => [subject, byHand]),
    moves: parts.some(({ moves }) => moves),
    read: (query: string) =>
      database
        .prepare(query)
        .all()
        .map(({ value }) => value),
  };
}

describe('a change that converts no value', () => {
  it.each(BY_HAND_CASES)('has one place for SQL by hand, and keeps what that keeps: $what', async (one) => {
    const { label: [then, now] = [], subject = 'article.value', fill, byHand, query, kept } = one;
    const [before, after] = [byHandFiles(one.before, then), byHandFiles(one.after, now)];
    const { places, losses, moves, read } = await change(before, after, fill, byHand);
    expect(places).toEqual([subject]);
    expect(losses).toEqual([[subject, true]]);
    expect(moves).toBe(true);
    expect(read(query)).toEqual(kept);
  });

  const many = Object.fromEntries(Array.from({ length: MAX_ATTRIBUTE_COLUMNS }, (_, at) => [`a${at}`, STRING]));
  const wide = (attributes: Attributes) => byHandFiles({ ...many, ...attributes });
  const OVERFLOW = 'overflow_attributes';
  const moved = `UPDATE articles SET ${OVERFLOW} = json_set(${OVERFLOW}, '$.value', CAST(${OVERFLOW} ->> '$.value' AS INTEGER))`;

  it('keeps values without a column for its place', async () => {
    const fill = `INSERT INTO articles (document_id, ${OVERFLOW}) VALUES ('a', '{"title":"kept","value":"12"}')`;
    const { places, read } = await change(wide({ value: STRING }), wide({ value: INTEGER }), fill, moved);
    expect(places).toEqual(['article.value']);
    expect(read(`SELECT ${OVERFLOW} AS value FROM articles`)).toEqual(['{"title":"kept","value":12}']);
  });

  it('has no place for links to another type, which go', async () => {
    const to = (name: string) => byHandFiles({ value: relation('manyToMany', name) });
    const fill = `INSERT INTO articles_value_lnk VALUES ('a', '', 'x', '', 'published', 1, 1)`;
    const { places, losses, read } = await change(to('author'), to('article'), fill, '');
    expect([places, losses]).toEqual([[], [['article.value', undefined]]]);
    expect(read('SELECT target_document_id AS value FROM articles_value_lnk')).toEqual([]);
  });

  it('has its place where a zone of a component becomes another attribute', async () => {
    const files = (parts: object) => {
      const { types, components } = byHandFiles(
        { value: { type: 'component', component: 'shared.card' } },
        parts as never,
      );
      return { types, components };
    };
    const byHand = `UPDATE articles SET value = json_set(value, '$.label', value ->> '$.label[0].id')`;
    const fill = `INSERT INTO articles (document_id, value) VALUES ('a', '{"id":1,"label":[{"id":7}]}')`;
    const list = { type: 'component', component: 'shared.card', repeatable: true };
    const { places, read } = await change(files(list), files(INTEGER), fill, byHand);
    expect(places).toEqual(['shared.card.label']);
    expect(read('SELECT value FROM articles')).toEqual(['{"id":1,"label":7}']);
  });
});

/**
 * @module Changes that convert no value, and the SQL by hand that moves some values of each.
 */
import { type Attributes, component, contentType } from '../../support/schema-files.ts';

const STRING = { type: 'string' };
const CARD = { type: 'component', component: 'shared.card' };
const toAuthors = (relation: string) => ({ type: 'relation', relation, target: 'api::author.author' });

interface ByHandCase {
  readonly what: string;
  readonly before: Attributes;
  readonly after: Attributes;
  readonly fill: string;
  readonly byHand: string;
  readonly query: string;
  readonly kept: readonly unknown[];
  /** The attribute of the component, before and after. */
  readonly label?: readonly [Attributes[string], Attributes[string]];
  readonly subject?: string;
}

export const BY_HAND_CASES: readonly ByHandCase[] = [
  {
    what: 'a text that becomes a number',
    before: { value: STRING },
    after: { value: { type: 'integer' } },
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', '12'), ('b', 'twelve')`,
    byHand: `UPDATE articles SET edgewise_new = CAST(value AS INTEGER) WHERE value GLOB '[0-9]*'`,
    query: 'SELECT value FROM articles ORDER BY id',
    kept: [12, null],
  },
  {
    what: 'a date that becomes a time of day, in a column of the same affinity',
    before: { value: STRING },
    after: { value: { type: 'date' } },
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', '2024-01-02 at noon')`,
    byHand: 'UPDATE articles SET edgewise_new = substr(value, 1, 10)',
    query: 'SELECT value FROM articles',
    kept: ['2024-01-02'],
  },
  {
    what: 'a relation to several that becomes one to one',
    before: { value: toAuthors('manyToMany') },
    after: { value: toAuthors('manyToOne') },
    fill: `INSERT INTO articles_value_lnk VALUES ('a', '', 'x', '', 'published', 1, 1), ('a', '', 'y', '', 'published', 2, 1)`,
    byHand: 'DELETE FROM articles_value_lnk WHERE position > 1',
    query: 'SELECT target_document_id AS value FROM articles_value_lnk',
    kept: ['x'],
  },
  {
    what: 'a list of components that becomes a single one',
    before: { value: { ...CARD, repeatable: true } },
    after: { value: CARD },
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', '[{"id":1},{"id":2}]')`,
    byHand: `UPDATE articles SET value = value -> '$[0]'`,
    query: 'SELECT value FROM articles',
    kept: ['{"id":1}'],
  },
  {
    what: 'a component that becomes a dynamic zone',
    before: { value: CARD },
    after: { value: { type: 'dynamiczone', components: ['shared.card'] } },
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', '{"id":1}')`,
    byHand: `UPDATE articles SET edgewise_new = json_array(json_set(value, '$.__component', 'shared.card'))`,
    query: 'SELECT value FROM articles',
    kept: ['[{"id":1,"__component":"shared.card"}]'],
  },
  {
    what: 'a text that becomes a relation',
    before: { value: STRING },
    after: { value: toAuthors('manyToOne') },
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', 'x')`,
    byHand: `INSERT INTO articles_value_lnk (source_document_id, target_document_id, status, position, inverse_position) SELECT document_id, value, 'published', 1, id FROM articles`,
    query: 'SELECT target_document_id AS value FROM articles_value_lnk',
    kept: ['x'],
  },
  {
    what: 'a text of a component that becomes a number',
    before: { value: CARD },
    after: { value: CARD },
    label: [STRING, { type: 'integer' }],
    subject: 'shared.card.label',
    fill: `INSERT INTO articles (document_id, value) VALUES ('a', '{"id":1,"label":"12"}')`,
    byHand: `UPDATE articles SET value = json_set(value, '$.label', CAST(value ->> '$.label' AS INTEGER))`,
    query: 'SELECT value FROM articles',
    kept: ['{"id":1,"label":12}'],
  },
];

/** The schema files of articles that have the attributes, with cards whose label is another attribute. */
export const byHandFiles = (attributes: Attributes, label: Attributes[string] = STRING) => ({
  types: [contentType('article', { title: STRING, ...attributes }), contentType('author', { name: STRING })],
  components: [component('shared.card', { label })],
});

/** A place in a migration that is to be completed by hand, with its subject. */
export const OPEN_PLACE = /^-- .*; replace the next line\nSELECT 1 FROM "complete this migration by hand: (.*)"/gm;

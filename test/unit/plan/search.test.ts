/**
 * @module `search` and `highlights`: the texts that a search looks into, of those that the caller may see.
 */
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../src/access/rule.ts';
import type { ReadPlan, WordSearch } from '../../../src/content/plan/model/read-plan.ts';
import { typeAt } from '../../support/recorded-registry.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { listPlan, printCondition, type ReaderOptions, refusal, shownNames } from './support.ts';

const text = { type: 'string' };
const attributes = {
  ...{ title: text, body: { type: 'text' }, secret: { ...text, private: true } },
  ...{ aside: { ...text, searchable: false }, other: relation('oneToOne', 'plain') },
};
const texts = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`text${index}`, text]));
const registry = registryOf(
  [
    contentType('note', attributes, { localized: true, drafts: true }),
    contentType('plain', attributes),
    contentType('most', texts(40)),
    contentType('many', texts(41)),
  ],
  [],
  {},
  { search: ['api::note.note', 'api::most.most', 'api::many.many'] },
);
const weighted = registryOf(
  [
    contentType('note', { ...attributes, more: text }, { localized: true, drafts: true }),
    contentType('plain', attributes),
  ],
  [],
  {},
  { search: { 'api::note.note': { body: 1, title: 5, more: 1 } } },
);

const planned = (search: string, options: ReaderOptions = {}, name = 'notes'): ReadPlan =>
  listPlan(typeAt(name, options.registry ?? registry), search, { registry, ...options });

function searchOf({ where }: ReadPlan): WordSearch {
  const conditions = where?.kind === 'and' ? where.conditions : [where];
  const search = conditions.find((each) => each?.kind === 'words');
  if (search?.kind !== 'words') throw new Error('no search');
  return search;
}
const searched = (plan: ReadPlan): readonly string[] =>
  searchOf(plan).texts.map(({ weight, attributes: list }) => `${weight}: ${list.map(({ name }) => name).join(', ')}`);
const ruleOf = (fields: readonly string[]): Rule => ({
  ...{ key: 'own', caller: { user: undefined, now: 0 }, where: [{ title: 'own' }], fields: new Set(fields) },
});

describe('a search by words', () => {
  it('looks into the texts of a type that are searched, alike or by their weights', () => {
    expect(searched(planned('search=night'))).toEqual(['1: title, body']);
    expect(searched(planned('search=night', { registry: weighted }))).toEqual(['1: body, more', '5: title']);
    expect(searchOf(planned('search=night day'))).toMatchObject({ words: ['night', 'day'] });
  });

  it('looks into no text that a rule hides, and only at rows that it shows', () => {
    const rule = ruleOf(['body', 'more']);
    expect(searched(planned('search=night', { registry: weighted, rule }))).toEqual(['1: body, more']);
    const plan = planned('search=night&filters[body]=a', { rule, registry: weighted });
    expect(printCondition(plan.where)).toBe('and(or(title $eq "own"), body $eq "a", words)');
    expect(printCondition(searchOf(plan).visible)).toBe('or(title $eq "own")');
    expect(searchOf(planned('search=night'))).not.toHaveProperty('visible');
  });

  it('is about the versions of the list', () => {
    expect(searchOf(planned('search=night&status=draft&locale=fr')).versions).toEqual({
      ...{ status: 'draft', locales: ['fr'] },
    });
  });

  it.each([
    ['plains', "'api::plain.plain' in the setting 'search'"],
    ['manys', "weights of at most 40 attributes at 'api::many.many' in the setting 'search'"],
  ])('of %s is rejected: %s', (name, expected) => {
    expect(refusal(() => planned('search=night', {}, name))).toMatchObject({
      ...{ status: 400, message: `Invalid parameter at 'search'. Expected ${expected}` },
      details: { source: 'query', param: 'search' },
    });
    expect(() => planned('search=night', {}, 'mosts')).not.toThrow();
  });

  it.each([
    ['search=night', ['_rank desc', 'id']],
    ['search=night&sort=_rank:asc,title', ['_rank', 'title', 'id']],
    ['search=night&sort=title', ['title', 'id']],
  ])('sorts by rank unless it says otherwise: %s', (search, order) => {
    const plan = planned(search);
    expect(plan.order.map(({ attribute, descending }) => `${attribute.name}${descending ? ' desc' : ''}`)).toEqual(
      order,
    );
    expect(plan.order.map(({ rank }) => rank !== undefined)).toEqual(order.map((name) => name.startsWith('_rank')));
  });

  it('shows no rank behind a filter that leads further', () => {
    const plan = planned('search=night&sort=_rank,title&fields=body&filters[other][title]=a');
    expect(shownNames(plan)).toEqual(['body', 'title']);
  });
});

describe('highlights', () => {
  it('read the texts of the search, and the locale, in addition to what is shown', () => {
    const plan = planned('search=night&highlights=true&fields=title&populate=other');
    expect(shownNames(plan)).toEqual(['title', 'body', 'locale']);
    expect(plan.highlights?.added.map(({ name }) => name)).toEqual(['body', 'locale']);
    expect(plan.highlights?.search).toBe(searchOf(plan));
    expect(plan.selection.populate).toHaveLength(1);
    expect(planned('search=night&highlights=true').highlights?.added).toEqual([]);
  });

  it('have no locale where the caller sees none', () => {
    const rule = ruleOf(['title', 'body']);
    expect(shownNames(planned('search=night&highlights=true&fields=title', { rule }))).toEqual(['title', 'body']);
    const most = planned('search=night&highlights=true&fields=text0', {}, 'mosts');
    expect(shownNames(most)).not.toContain('locale');
  });

  it('are none unless the request says so', () => {
    const plan = planned('search=night&fields=title');
    expect(plan).not.toHaveProperty('highlights');
    expect(shownNames(plan)).toEqual(['title']);
  });
});

it('_q looks into no text that is not searched', () => {
  const { where } = planned('_q=night');
  expect(where?.kind === 'search' && where.attributes.map(({ name }) => name)).toEqual([
    ...['documentId', 'title', 'body', 'locale'],
  ]);
});

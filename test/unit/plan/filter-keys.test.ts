/**
 * @module Keys of `filters` that may not be used, and how they are named.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING } from '../../../src/access/grants.ts';
import { planList } from '../../../src/content/plan/read/plan-read.ts';
import { parseQueryParams } from '../../../src/content/request/query-params.ts';
import type { RawQuery } from '../../../src/content/request/query-string.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { recordedRegistry, typeAt } from '../../support/recorded-registry.ts';
import { listPlan, onePlan, refusal } from './support.ts';

const articles = typeAt('articles');
const authors = typeAt('authors');
const filtered = (search: string) => refusal(() => listPlan(articles, search));
const source = { source: 'query', param: 'filters' };

const SECRET = { key: 'secretNote', path: 'author.secretNote' };

describe('an unknown key', () => {
  it.each([
    ['filters[nope]=1', 'Invalid key nope', { key: 'nope', path: null }],
    ['filters[Title]=1', 'Invalid key Title', { key: 'Title', path: null }],
    ['filters[$and][0][nope]=1', 'Invalid key nope', { key: 'nope', path: null }],
    ['filters[$or][1][nope]=1&filters[$or][0][title]=a', 'Invalid key nope', { key: 'nope', path: null }],
    ['filters[$not][nope]=1', 'Invalid key nope', { key: 'nope', path: null }],
    ['filters[$nope][0][title]=1', 'Invalid key $nope', { key: '$nope', path: null }],
    ['filters[$eq]=1', 'Invalid key $eq', { key: '$eq', path: null }],
    ['filters[title][$nope]=1', 'Invalid key $nope at title', { key: '$nope', path: 'title' }],
    ['filters[title][$not][$nope]=1', 'Invalid key $nope at title', { key: '$nope', path: 'title' }],
    ['filters[title][nope]=1', 'Invalid key nope at title', { key: 'nope', path: 'title' }],
    ['filters[title][$EQ]=1', 'Invalid key $EQ at title', { key: '$EQ', path: 'title' }],
    ['filters[id][nope]=1', 'Invalid key nope', { key: 'nope', path: null }],
    ['filters[author][documentId][nope]=1', 'Invalid key nope at author', { key: 'nope', path: 'author' }],
    ['filters[author][name][nope]=1', 'Invalid key nope at author.name', { key: 'nope', path: 'author.name' }],
    ['filters[author][secretNote]=1', 'Invalid key secretNote at author.secretNote', SECRET],
    ['filters[author][$not][secretNote]=1', 'Invalid key secretNote at author.secretNote', SECRET],
  ])('%s: %s', (search, message, details) => {
    expect(filtered(search)).toEqual({
      status: 400,
      name: 'ValidationError',
      message,
      details: { ...details, ...source },
    });
  });
});

describe('an attribute that is not shown', () => {
  it.each([
    ['private text', 'internalNotes'],
    ['a private number', 'editorRank'],
    ['a password', 'accessCode'],
    ['who created the document', 'createdBy'],
    ['who updated the document', 'updatedBy'],
    ['a dynamic zone', 'sections'],
  ])('may not be filtered by: %s', (_, name) => {
    for (const search of [`filters[${name}]=1`, `filters[${name}][$null]=true`, `filters[$not][${name}][$eq]=1`])
      expect(filtered(search)).toMatchObject({
        message: `Invalid key ${name}`,
        details: { key: name, path: name, ...source },
      });
  });

  it('is told after unknown keys, wherever these stand', () => {
    expect(filtered('filters[internalNotes]=1&filters[nope]=1')).toMatchObject({ details: { key: 'nope' } });
    expect(filtered('filters[internalNotes]=1&filters[title][$nope]=1')).toMatchObject({ details: { key: '$nope' } });
  });

  it('is refused on single documents as on lists', () => {
    expect(refusal(() => onePlan(authors, 'filters[pin]=1'))).toMatchObject({ details: { key: 'pin', path: 'pin' } });
  });

  it('is the locale on a type without locales', () => {
    expect(refusal(() => listPlan(authors, 'filters[locale]=en'))).toMatchObject({ message: 'Invalid key locale' });
  });
});

describe('a group', () => {
  it.each([
    ['filters[$and]=a', '$and', 'a list of filters'],
    ['filters[$and][title]=a', '$and', 'a list of filters'],
    ['filters[$or]=', '$or', 'a list of filters'],
    ['filters[$or][]=', '$or.0', 'a filter'],
    ['filters[$or][]=a', '$or.0', 'a filter'],
    ['filters[$not]=a', '$not', 'a filter'],
    ['filters[$not][]=a', '$not', 'a filter'],
    ['filters[$not][0][title]=a&filters[$not][1]=b', '$not', 'a filter'],
    ['filters[$or][0][0][title]=a&filters[$or][0][1]=b', '$or.0', 'a filter'],
    ['filters[title][$or][0]=a', 'title.$or', 'no group of filters below an attribute'],
    ['filters[title][$and]=a', 'title.$and', 'no group of filters below an attribute'],
    ['filters[author][$eq]=1&filters[author][name]=a', 'author', 'either operators or attributes'],
    ['filters[author][$null]=true&filters[author][name]=a', 'author', 'either operators or attributes'],
  ])('must have its form: %s', (search, path, what) => {
    expect(filtered(search)).toMatchObject({
      status: 400,
      message: `Invalid parameter at 'filters.${path}'. Expected ${what}`,
      details: source,
    });
  });
});

describe('a filter of code or of a role', () => {
  const refused = (filters: RawQuery) => {
    const settings = parseSettings({});
    const reader = { registry: recordedRegistry, settings, grants: EVERYTHING };
    return refusal(() => planList(parseQueryParams({ filters }, 'list', settings), articles, reader));
  };

  it.each<readonly [RawQuery, string]>([
    [{ author: {} }, 'author'],
    [{ $or: [{ author: {} }, { title: 'a' }] }, 'author'],
    [{ author: { articles: {} } }, 'author.articles'],
  ])('may not be empty below a relation, where it would match everything: %j', (filters, path) => {
    const message = `Invalid parameter at 'filters.${path}'. Expected an operator or an attribute`;
    expect(refused(filters)).toMatchObject({ status: 400, message });
  });
});

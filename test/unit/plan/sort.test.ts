/**
 * @module `sort` through relations, media and components, for callers who may list some types.
 */
import { describe, expect, it } from 'vitest';
import { only } from '../../../src/access/grants.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { typeAt } from '../../support/recorded-registry.ts';
import { listPlan, printStep, refusal } from './support.ts';

const articles = typeAt('articles');
const grants = only(['api::article.article.find', 'api::tag.tag.find']);
const settings = parseSettings({ api: { rest: { limits: { sortTerms: 2 } } } });

const orderOf = (search: string): readonly string[] =>
  listPlan(articles, search, { grants }).order.map(({ steps, attribute, descending }) =>
    [...steps.map(printStep), `${attribute.name}${descending ? ' desc' : ''}`].join(' > '),
  );

describe('a sort', () => {
  it.each<[string, readonly string[]]>([
    ['sort=seo.metaTitle:desc', ['seo > metaTitle desc', 'id']],
    ['sort=cover.name', ['file published to published > name', 'id']],
    ['sort=tags.name,title', ['tag published to published > name', 'title', 'id']],
    ['sort[tags][name]=desc', ['tag published to published > name desc', 'id']],
    ['sort=localizations.title', ['locales published > title', 'id']],
    ['sort=tags.id', ['tag published to published > id', 'id']],
    ['sort[title][]=asc', ['id']],
  ])('follows what leads to one attribute: %s: %j', (search, order) => {
    expect(orderOf(search)).toEqual(order);
  });

  it.each<[string, string, string | null]>([
    ['sort=title.x', 'x', 'title'],
    ['sort=title.', '', 'title'],
    ['sort=tags.nope', 'nope', 'tags'],
    ['sort=tags.name.x', 'x', 'tags.name'],
    ['sort=seo.nope', 'nope', 'seo'],
    ['sort=tags', 'tags', 'tags'],
    ['sort=seo', 'seo', 'seo'],
    ['sort=tags:desc', 'desc', 'tags'],
    ['sort=sections:desc', 'sections', 'sections'],
    ['sort=author:desc', 'author', 'author'],
    ['sort=author.name', 'author', 'author'],
    ['sort=related.author', 'author', 'related.author'],
    ['sort=related.internalNotes', 'internalNotes', 'related.internalNotes'],
  ])('is rejected: %s: %s at %s', (search, key, path) => {
    expect(refusal(() => orderOf(search)).details).toEqual({ key, path, source: 'query', param: 'sort' });
  });

  it('has as many terms as the limit', () => {
    expect(() => listPlan(articles, 'sort=title,slug', { settings })).not.toThrow();
    expect(refusal(() => listPlan(articles, 'sort=title,slug,tone', { settings })).status).toBe(400);
  });
});

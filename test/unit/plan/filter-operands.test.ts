/**
 * @module Operands of `filters`: what each attribute takes, and what becomes of it.
 */
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { typeAt } from '../../support/recorded-registry.ts';
import { listPlan, printCondition, refusal } from './support.ts';

const articles = typeAt('articles');
const filtered = (search: string) => refusal(() => listPlan(articles, search));
const conditionOf = (search: string) => printCondition(listPlan(articles, search).where);

describe('an operand that does not fit its attribute', () => {
  it.each([
    ['filters[readingTime]=abc', "Invalid parameter at 'filters.readingTime.$eq'. Expected a number, received: abc"],
    ['filters[readingTime][$gt]=', "Invalid parameter at 'filters.readingTime.$gt'. Expected a number, received: "],
    [
      'filters[price][$in][1]=x&filters[price][$in][0]=1',
      "Invalid parameter at 'filters.price.$in'. Expected a number",
    ],
    ['filters[views]=1.5', "Invalid parameter at 'filters.views.$eq'. Expected an integer, received: 1.5"],
    ['filters[title][$eq][a]=1', "Invalid parameter at 'filters.title.$eq'. Expected a value"],
    ['filters[title][$in][0][a]=1', "Invalid parameter at 'filters.title.$in'. Expected a value"],
    ['filters[rating][$between]=1', "Invalid parameter at 'filters.rating.$between'. Expected two values"],
    ['filters[rating][$between]=1&filters[rating][$between]=2&filters[rating][$between]=3', 'Expected two values'],
    ['filters[rating][$between][0]=1&filters[rating][$between][1]', 'Expected two values'],
    ['filters[publishDate]=soon', 'Invalid format, expected yyyy-MM-dd'],
    ['filters[eventAt]=soon', 'Invalid format, expected a timestamp or an ISO date'],
    ['filters[airTime]=10:00', 'Invalid time format, expected HH:mm:ss.SSS'],
  ])('is refused: %s', (search, message) => {
    const error = filtered(search);
    expect(error).toMatchObject({ status: 400, name: 'ValidationError' });
    expect(error.message).toContain(message);
  });
});

describe('limits', () => {
  const small = parseSettings({ api: { rest: { limits: { conditions: 3, listItems: 3 } } } });
  const limited = (search: string) => refusal(() => listPlan(articles, search, { settings: small }));

  it('on the texts that are looked for are named, however they are spread', () => {
    const few = parseSettings({ api: { rest: { limits: { searchedTexts: 3 } } } });
    const planned = (search: string) => listPlan(articles, search, { settings: few });
    const message = 'Filters look for too many texts. Expected at most 3';
    const list = (operator: string, count: number) =>
      Array.from({ length: count }, (_, index) => `filters[title][${operator}][${index}]=${index}`).join('&');
    expect(() => planned(list('$contains', 4))).toThrow(message);
    expect(() => planned(`${list('$contains', 2)}&${list('$notContainsi', 2)}`)).toThrow(message);
    expect(() => planned(list('$in', 4))).not.toThrow();
    expect(() => planned(`${list('$contains', 2)}&${list('$eqi', 1)}`)).not.toThrow();
  });

  it('on the number of conditions are named', () => {
    const four = ['title', 'slug', 'tone', 'summary'].map((name) => `filters[${name}]=a`).join('&');
    expect(limited(four)).toMatchObject({
      status: 400,
      message: 'Too many filter conditions. Expected at most 3',
      details: { source: 'query', param: 'filters', limit: 'conditions' },
    });
  });

  it('on the number of conditions count those for null, and conditions below relations', () => {
    const flags = ['title', 'slug', 'tone', 'summary'].map((name) => `filters[${name}][$null]=true`);
    const conditions = ['filters[author][name]=a', ...flags.slice(0, 2)];
    expect(limited(flags.join('&')).message).toBe('Too many filter conditions. Expected at most 3');
    expect(() => listPlan(articles, conditions.join('&'), { settings: small })).not.toThrow();
    expect(limited(`${conditions.join('&')}&filters[tone]=a`).details).toMatchObject({ limit: 'conditions' });
  });

  it.each(['$in', '$notIn', '$eq', '$contains'])('on the number of values of %s are named', (operator) => {
    expect(limited([1, 2, 3, 4].map((value) => `filters[title][${operator}]=${value}`).join('&'))).toMatchObject({
      status: 400,
      message: 'Too many values in a list. Expected at most 3',
      details: { limit: 'listItems' },
    });
  });

  it('let as much through as they say', () => {
    expect(() =>
      listPlan(articles, 'filters[title]=a&filters[slug]=b&filters[tone]=c', { settings: small }),
    ).not.toThrow();
    expect(() =>
      listPlan(articles, 'filters[title]=a&filters[title]=b&filters[title]=c', { settings: small }),
    ).not.toThrow();
  });
});

describe('a condition', () => {
  it.each([
    ['filters[title]=a', 'title $eq "a"'],
    ['filters[title][$eq]=a', 'title $eq "a"'],
    ['filters[title][]=a', 'title $in "a"'],
    ['filters[title]=a&filters[title]=b', 'title $in "a" "b"'],
    ['filters[title][$in]=a', 'title $in "a"'],
    ['filters[title][$in]=a,b', 'title $in "a,b"'],
    ['filters[title][$contains]=a&filters[title][$contains]=b', 'title $contains "a" "b"'],
    ['filters[title]=null', 'title $eq "null"'],
    ['filters[title]', 'title $eq null'],
    ['filters[readingTime]=5', 'readingTime $eq 5'],
    ['filters[readingTime][$contains]=5', 'readingTime $contains "5"'],
    ['filters[price][$between]=1&filters[price][$between]=2.5', 'price $between 1 2.5'],
    ['filters[views][$gt]=9007199254740993', 'views $gt "9007199254740993"'],
    ['filters[featured]=true', 'featured $eq 1'],
    ['filters[featured]=false', 'featured $eq 0'],
    ['filters[publishDate][$lt]=2024-01-31T10:00:00Z', 'publishDate $lt "2024-01-31"'],
    ['filters[eventAt]=2024-01-01', `eventAt $eq ${Date.UTC(2024, 0, 1)}`],
    ['filters[airTime]=10:00:00', 'airTime $eq "10:00:00.000"'],
    ['filters[id]=abc', 'id $eq "abc"'],
    // Only conditions of grants have values of the caller.
    ['filters[title]=$now', 'title $eq "$now"'],
    ['filters[title]=$user.nothing', 'title $eq "$user.nothing"'],
    ['filters[$not][title]=$user', 'not(title $eq "$user")'],
    ['filters[title][$not]=$user.email', 'not(title $eq "$user.email")'],
    ['filters[author]=$user.nothing', 'author published to published: id $eq "$user.nothing"'],
    ['filters[documentId]=abc', 'documentId $eq "abc"'],
    ['filters[createdAt][$gt]=1970', 'createdAt $gt 0'],
    ['filters[locale]=fr', 'locale $eq "fr"'],
    ['filters[summary][$null]=true', 'summary is null'],
    ['filters[summary][$null]=anything', 'summary is null'],
    ['filters[summary][$null]=false', 'summary is not null'],
    ['filters[summary][$null]=0', 'summary is not null'],
    ['filters[summary][$null]=', 'summary is not null'],
    ['filters[summary][$notNull]=true', 'summary is not null'],
    ['filters[summary][$notNull]=false', 'summary is null'],
    ['filters[title][$not][$contains]=a', 'not(title $contains "a")'],
    ['filters[title][$not]=a', 'not(title $eq "a")'],
    ['filters[$not][title]=a', 'not(title $eq "a")'],
    ['filters[title]=a&filters[slug]=b', 'and(title $eq "a", slug $eq "b")'],
    ['filters[title][$gt]=a&filters[title][$lt]=b', 'and(title $gt "a", title $lt "b")'],
    ['filters[$or][0][title]=a&filters[$or][1][title]=b', 'or(title $eq "a", title $eq "b")'],
    ['filters[$and][0][title]=a&filters[$and][1][$or][0][slug]=b', 'and(title $eq "a", slug $eq "b")'],
    ['filters[$or][0][title]=a', 'title $eq "a"'],
  ])('%s is %s', (search, condition) => {
    expect(conditionOf(search)).toBe(condition);
  });

  it('is none without filters', () => {
    expect(conditionOf('')).toBe('-');
  });

  it('keeps a list of more than a hundred values', () => {
    const search = Array.from({ length: 300 }, (_, index) => `filters[title][$in][${index}]=v${index}`).join('&');
    const { where } = listPlan(articles, search);
    expect(where).toMatchObject({ kind: 'compare', operands: { length: 300 } });
  });
});

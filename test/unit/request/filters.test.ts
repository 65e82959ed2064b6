/**
 * @module The tree that `filters` are read into, without knowing any attribute; mistakes stand in it where they were made.
 */
import { describe, expect, it } from 'vitest';
import { type Filter, type FilterNode, parseFilters } from '../../../src/content/request/filters.ts';
import { isComparison, OPERATORS } from '../../../src/content/request/operators.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const { limits } = parseSettings({}).api.rest;

function printNode(node: FilterNode): string {
  switch (node.kind) {
    case 'group':
      return `${node.operator}(${node.filters?.map((filter) => filter && print(filter)).join(' | ')})`;
    case 'negation':
      return `$not-${node.of}(${print(node.filter)})`;
    case 'flag':
      return `${node.operator}:${node.isNull}`;
    case 'comparison':
      return `${node.operator}:${node.operands.map((operand) => (operand === null ? 'null' : operand)).join('|')}`;
    default:
      return `${node.key}(${print(node.filter)})`;
  }
}

const print = (filter: Filter): string => filter.map(printNode).join(' & ');
const treeOf = (search: string): string => print(parseFilters(parseQueryString(search, limits).filters) ?? []);

describe('filters that are no tree', () => {
  it.each([
    ['filters=a', 'The filters parameter must be an object or an array'],
    ['filters=', 'The filters parameter must be an object or an array'],
    ['filters[]=a', 'Invalid filters parameter. Expected an object'],
    ['filters[0][title]=a', 'Invalid filters parameter. Expected an object'],
  ])('are refused: %s', (search, message) => {
    expect(() => treeOf(search)).toThrow(message);
  });

  it.each(['', 'filters'])('are none: %j', (search) => {
    expect(parseFilters(parseQueryString(search, limits).filters)).toBeUndefined();
  });
});

describe('a mistake is kept for whoever knows the attributes', () => {
  it.each([
    ['filters[$or]=a', '$or(undefined)'],
    ['filters[$and][title]=a', '$and(undefined)'],
    ['filters[$or][0]=a&filters[$or][1][b]=c', '$or( | b($eq:c))'],
    ['filters[$or][0][0]=a&filters[$or][1][0][b]=c', '$or( | b($eq:c))'],
    ['filters[$or][0][0][b]=c&filters[$or][0][1]=a', '$or()'],
    ['filters[$not]=a', '$not-value($eq:a)'],
    ['filters[$not][0][b]=c&filters[$not][1]=a', '$not-value(b($eq:c) & $eq:a)'],
    ['filters[title][$eq][a]=b', 'title($eq:)'],
    ['filters[title][$nope]=a', 'title($nope($eq:a))'],
    ['filters[$gt]=a', '$gt:a'],
    ['filters[title][$or][0]=a', 'title($or())'],
  ])('%s is %s', (search, tree) => {
    expect(treeOf(search)).toBe(tree);
  });
});

describe('a filter', () => {
  it.each([
    ['filters[title]=a', 'title($eq:a)'],
    ['filters[title]', 'title($eq:null)'],
    ['filters[title][]=a', 'title($in:a)'],
    ['filters[title]=a&filters[title]=b', 'title($in:a|b)'],
    ['filters[title][$contains]=a', 'title($contains:a)'],
    ['filters[title][$not]=a', 'title($not-value($eq:a))'],
    ['filters[title][$not][$gt]=a', 'title($not-filter($gt:a))'],
    ['filters[$not][title]=a', '$not-filter(title($eq:a))'],
    ['filters[title][$null]=true', 'title($null:true)'],
    ['filters[title][$null]', 'title($null:false)'],
    ['filters[title][$null]=', 'title($null:false)'],
    ['filters[title][$notNull]=f', 'title($notNull:true)'],
    ['filters[title][$notNull]=x', 'title($notNull:false)'],
    ['filters[title][$null][]=false', 'title($null:true)'],
    ['filters[title][$notNull][a]=false', 'title($notNull:false)'],
    ['filters[title][$not]=a&filters[title][$not]=b', 'title($not-value($eq:a & $eq:b))'],
    ['filters[$not][0][a]=1&filters[$not][1][b]=2', '$not-filter(a($eq:1) & b($eq:2))'],
    ['filters[$or][0][0][a]=1&filters[$or][0][1][b]=2', '$or(a($eq:1) & b($eq:2))'],
    ['filters[$and][0][0][0][a]=1&filters[$and][0][1][$or][0][b]=2', '$and(a($eq:1) & $or(b($eq:2)))'],
    ['filters[a][$or][0][0][b]=1&filters[a][$or][0][1][c]=2', 'a($or(b($eq:1) & c($eq:2)))'],
    ['filters[a][b][c][$gt]=1&filters[a][d]=2', 'a(b(c($gt:1)) & d($eq:2))'],
    ['filters[$or][0][a]=1&filters[$or][1][$and][0][b]=2', '$or(a($eq:1) | $and(b($eq:2)))'],
    ['filters[toString]=a&filters[constructor][$eq]=b', ''],
  ])('%s is %s', (search, tree) => {
    expect(treeOf(search)).toBe(tree);
  });
});

it('all operators but flags compare with operands', () => {
  const others = Object.keys(OPERATORS).filter((name) => !isComparison(name));
  expect(others).toEqual(['$null', '$notNull']);
  expect(['$and', '$nope', 'toString'].filter(isComparison)).toEqual([]);
});

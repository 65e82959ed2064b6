/**
 * @module The tree that `populate` is read into, in every notation; mistakes stand in it where they were made.
 */
import { describe, expect, it } from 'vitest';
import {
  depthNamedBy,
  type PopulateEntry,
  type PopulateOptions,
  type PopulateTree,
  parsePopulate,
  pathsIn,
  presetNamedBy,
  unwrap,
} from '../../../src/content/request/populate.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const { limits } = parseSettings({}).api.rest;

function printEntry({ name, value }: PopulateEntry): string {
  switch (value.kind) {
    case 'switch':
      return `${name}:${value.on}`;
    case 'star':
      return `${name}=*`;
    case 'text':
      return `${name}="${value.text}"`;
    case 'options':
      return `${name}{${print(value.options.populate)}}`;
    default:
      return `${name}!`;
  }
}

function print(tree: PopulateTree | undefined): string {
  switch (tree?.kind) {
    case undefined:
      return '';
    case 'everything':
      return '*';
    case 'paths':
      return tree.texts
        .flatMap(pathsIn)
        .map((path) => path.join('.'))
        .join(' ');
    case 'entries':
      return tree.entries.map(printEntry).join(' ');
    default:
      return '!';
  }
}

const read = (search: string) => parsePopulate(parseQueryString(search, limits).populate);

/** What `populate[a]…` asks of `a`. */
function optionsOf(search: string): PopulateOptions {
  const tree = read(search);
  const entry = tree?.kind === 'entries' ? tree.entries[0] : undefined;
  if (entry?.value.kind !== 'options') throw new Error(`${search} has no options`);
  return entry.value.options;
}

describe('a mistake', () => {
  it.each([
    ['populate[0][a]=b', '!'],
    ['populate[]=a&populate[][b]=c', '!'],
    ['populate[]', '!'],
    ['populate[a]=b', 'a="b"'],
    ['populate[a]=', 'a=""'],
    ['populate[a]', 'a!'],
    ['populate[a][]=b', 'a="b"'],
    ['populate[a][]=true', 'a!'],
    ['populate[a][]=true&populate[a][]=b', 'a="b"'],
    ['populate[a][0][b]=c', 'a!'],
    ['populate[a]=*', 'a=*'],
    ['populate[a][populate][0][b]=c', 'a{!}'],
  ])('in %s stands in the tree: %s', (search, tree) => {
    expect(print(read(search))).toBe(tree);
  });

  it.each([
    ['populate[a][fields][b]=c', 'fields', 'Invalid fields parameter'],
    ['populate[a][filters]=b', 'filters', 'The filters parameter must be an object'],
  ] as const)('in an option is refused when the option is unwrapped: %s', (search, name, message) => {
    const options = optionsOf(search);
    expect(() => unwrap<unknown>(options[name])).toThrow(message);
    for (const other of ['fields', 'filters', 'sort'] as const)
      if (other !== name) expect(() => unwrap<unknown>(options[other])).not.toThrow();
  });

  it('that is no fragment is told from one that is sent without a value, and from none', () => {
    const searches = ['populate[a][on]=b', 'populate[a][on]=', 'populate[a][on]', 'populate[a][count]=true'];
    expect(searches.map((search) => optionsOf(search).on)).toEqual(['malformed', 'empty', null, undefined]);
  });
});

describe('a populate', () => {
  it.each([
    ['', ''],
    ['populate', ''],
    ['populate=', ''],
    ['populate=*', '*'],
    ['populate=a', 'a'],
    ['populate=a.b, c,', 'a.b c'],
    ['populate[]=a&populate[]=b.c', 'a b.c'],
    ['populate=a&populate=b,c', 'a b c'],
    ['populate=a,*', 'a *'],
    ['populate=a..b,.c,d.,.', 'a.b c d'],
    ['populate[a]=true&populate[b]=1&populate[c]=t', 'a:true b:true c:true'],
    ['populate[a]=false&populate[b]=0&populate[c]=f', 'a:false b:false c:false'],
    ['populate[a][populate]=*', 'a{*}'],
    ['populate[a][populate]=b.c', 'a{b.c}'],
    ['populate[a][populate][b][populate][c]=true', 'a{b{c:true}}'],
    ['populate[a][nope]=1', 'a{}'],
  ])('%j is %j', (search, tree) => {
    expect(print(read(search))).toBe(tree);
  });

  it('has options, and remembers which were named and how', () => {
    const search = 'populate[a][nope]=1&populate[a][fields]=b,c&populate[a][sort]=d:desc&populate[a][count]=1';
    const { keys, fields, sort, filters, count, on } = optionsOf(`${search}&populate[a][on][x.y]=true`);
    expect(keys).toEqual(['nope', 'fields', 'sort', 'count', 'on']);
    expect(unwrap(fields)).toEqual({ names: ['b', 'c'], everything: false });
    expect(unwrap(sort)).toEqual([{ path: ['d'], direction: 'desc' }]);
    expect(unwrap(filters)).toBeUndefined();
    expect([count, on]).toEqual([true, [{ name: 'x.y', value: { kind: 'switch', on: true }, written: 'true' }]]);
    expect(read('populate[a]=x')).toMatchObject({ entries: [{ written: 'x' }] });
  });
});

describe('the options of an attribute', () => {
  it.each([
    ['populate[a][0]=b&populate[a][fields]=c', ['fields']],
    ['populate[a][populate]', []],
    ['populate[a][populate]=b', ['populate']],
    ['populate[a][fields]', ['fields']],
  ])('named by %s are %j', (search, keys) => {
    expect(optionsOf(search).keys).toEqual(keys);
  });

  it.each([
    ['fields=b', false, false],
    ['count=true', true, true],
    ['count=t', true, false],
    ['count=0', false, false],
    ['count=x', undefined, false],
  ])('[%s] count: %s, and in the text of true: %s', (option, count, isCountTrue) => {
    const search = `populate[a][${option.replace('=', ']=')}`;
    expect(optionsOf(search)).toMatchObject({ count, isCountTrue });
  });

  it('have no filters in an empty text', () => {
    expect(unwrap(optionsOf('populate[a][filters]=').filters)).toBeUndefined();
    expect(unwrap(optionsOf('populate[a][filters][b]=c').filters)).toHaveLength(1);
  });
});

describe('a populate that stands for others', () => {
  it.each([
    ['', undefined, undefined],
    ['populate=@card', 'card', undefined],
    ['populate=@deep:3', undefined, '3'],
    ['populate=@deep:', undefined, ''],
    ['populate=card', undefined, undefined],
    ['populate=@card,a', undefined, undefined],
    ['populate=@deep:3,a', undefined, undefined],
    ['populate[]=@card', 'card', undefined],
    ['populate[]=@card&populate[]=a', undefined, undefined],
    ['populate[]=@deep:3&populate[]=a', undefined, undefined],
    ['populate[a]=@card', undefined, undefined],
    ['populate=*', undefined, undefined],
  ])('%j is the preset %j, or the depth %j', (search, preset, depth) => {
    const tree = read(search);
    expect([presetNamedBy(tree), tree && depthNamedBy(tree)]).toEqual([preset, depth]);
  });
});

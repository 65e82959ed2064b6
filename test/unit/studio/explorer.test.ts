import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { readQuery, writeQuery } from '../../../studio/api/query-string.ts';
import {
  codeLiteral,
  depthsOf,
  ownAddress,
  readAddress,
  readPopulate,
  snippets,
  withBranch,
  writePopulate,
} from '../../../studio/explorer/request-state.ts';
import type { Model, OpenApi } from '../../../studio/model/model.ts';
import { describeApi } from '../../support/describe-api.ts';
import { recordedRegistry } from '../../support/recorded-registry.ts';

const ORIGIN = 'http://127.0.0.1:8787';
const article = { kind: 'collectionType', path: '/api/articles', segment: 'articles' };
const model = { types: new Map([['api::article.article', article]]) } as unknown as Model;

const rewritten = (text: string) => writeQuery({ populate: writePopulate(readPopulate(readQuery(text).populate)) });

describe('an address', () => {
  it.each([
    'https://elsewhere.example/api/x',
    '//elsewhere.example/api/x',
    '/\\elsewhere.example/api/x',
    '/studio/',
    '/api/AUTH/local',
    '/api/%61uth/local',
    '/api//auth/local',
  ])('is not run outside of the API: %s', (text) => {
    expect(ownAddress(text, ORIGIN)).toBeUndefined();
  });

  it('is read as a document with a unique value', () => {
    expect(readAddress(model, '/api/articles/slug:a%2Fb').documentId).toBe('slug:a/b');
  });

  it('is read as a type, a document and a query', () => {
    const read = readAddress(model, '/api/articles/a%20b?fields=title');
    expect(read).toMatchObject({ type: article, documentId: 'a b', query: { fields: 'title' } });
    expect(readAddress(model, '/api/articles/100%').documentId).toBe('100%');
  });
});

describe('populate', () => {
  it.each([
    ['populate=author.links,cover', 'populate[author][populate][links]=true&populate[cover]=true'],
    ['populate[0]=author&populate[1]=seo', 'populate[author]=true&populate[seo]=true'],
    ['populate=*', 'populate=*'],
    ['populate=@card', 'populate=%40card'],
    ['populate[author][populate]=@byline', 'populate[author][populate]=%40byline'],
    ['populate[zone][on][content.quote][populate]=*', 'populate[zone][on][content.quote][populate]=*'],
    ['populate[author]=false&populate[seo][count]=true', 'populate[seo][count]=true'],
  ])('%s is written as %s', (text, written) => {
    expect(rewritten(text)).toBe(written);
  });

  it('is offered in levels where the settings allow it', () => {
    const described = (deepPopulate: boolean) =>
      describeApi(recordedRegistry, parseSettings({ api: { rest: { deepPopulate } } })) as unknown as OpenApi;
    expect(depthsOf({ description: described(true) })).toEqual([1, 2, 3, 4, 5].map((depth) => `@deep:${depth}`));
    expect(depthsOf({ description: described(false) })).toEqual([]);
  });

  it('has a preset alone', () => {
    const tree = readPopulate('author,*');
    expect(writePopulate(withBranch(tree, '@card', {}))).toBe('@card');
    expect(withBranch(readPopulate('@card'), 'author', { fields: ['name'] })).toEqual({ author: { fields: ['name'] } });
    expect(withBranch(tree, 'seo', {})).toEqual({ author: {}, '*': {}, seo: {} });
  });
});

describe('code', () => {
  it('has numbers, flags and texts as they are sent', () => {
    const value = { a: '1', b: '01', c: 'true', d: "it's", 'e-f': ['1.50', '9007199254740993'] };
    expect(codeLiteral(value)).toBe(
      "{\n  a: 1,\n  b: '01',\n  c: true,\n  d: 'it\\'s',\n  ['e-f']: ['1.50', '9007199254740993'],\n}",
    );
  });

  it('cannot leave its quotes, and has no credential', () => {
    const read = readAddress(model, '/api/articles?_q=%27%3B%20rm%20x%20%60%24(y)');
    const { curl = '', fetch = '' } = snippets(ORIGIN, read, true);
    expect(curl).toBe(
      `curl -g -H "Authorization: Bearer $TOKEN" '${ORIGIN}/api/articles?_q=%27%3B%20rm%20x%20%60%24%28y%29'\n`,
    );
    expect(fetch).toContain("'Bearer ' + process.env.TOKEN");
  });
});

import { describe, expect, it } from 'vitest';
import { writeQuery } from '../../../studio/api/query-string.ts';
import { fittingView, readChoices } from '../../../studio/list/view.ts';
import type { ContentType, Model } from '../../../studio/model/model.ts';

const article = {
  uid: 'article',
  hasDrafts: true,
  shown: new Set(['title', 'author', 'publishedAt']),
  actions: new Set(['find', 'readDrafts']),
  attributes: { title: { type: 'string' }, author: { type: 'relation', relation: 'manyToOne', target: 'author' } },
} as unknown as ContentType;
const author = { uid: 'author', shown: new Set(['name']), attributes: { name: { type: 'string' } } };
const model = {
  types: new Map<string, unknown>(Object.entries({ article, author })),
  components: new Map(),
} as unknown as Model;

describe('what is kept of a list', () => {
  it.each([[null], ['no JSON'], ['null'], ['7'], ['"text"'], ['[1]'], ['{"view":7,"saved":[1]}'], ['{"saved":"x"}']])(
    'is nothing where the storage has %s',
    (stored) => {
      expect(readChoices(stored)).toEqual({ view: '', saved: {} });
    },
  );

  it('has the filters that are texts, whatever their names', () => {
    const stored = '{"view":"sort=title","saved":{"__proto__":"_q=a","b":7,"constructor":"_q=c"}}';
    const { view, saved } = readChoices(stored);
    expect([view, Object.entries(saved)]).toEqual([
      'sort=title',
      [
        ['__proto__', '_q=a'],
        ['constructor', '_q=c'],
      ],
    ]);
  });

  it.each([
    [
      'fields=title&filters[author][name][$containsi]=a&sort=author.name:desc&pagination[limit]=50',
      'fields=title&filters[author][name][$containsi]=a&sort=author.name:desc&pagination[limit]=50',
    ],
    ['filters[gone][$eq]=a&sort=title', 'sort=title'],
    ['filters[$or][0][title][$eq]=a&filters[$or][1][$not][gone][$eq]=b&sort=gone', ''],
    ['filters[author][name][$eq]=a&filters[author][gone][$eq]=b', ''],
    ['status=published&publicationFilter=modified&_q=x&locale=fr&unknown=1', ''],
    ['filters[publishedAt][$lt]=2026-05-03', 'filters[publishedAt][$lt]=2026-05-03&status=published'],
  ])('fits the content type: %s becomes %s', (view, fitting) => {
    expect(writeQuery(fittingView(model, article, view))).toBe(fitting);
  });
});

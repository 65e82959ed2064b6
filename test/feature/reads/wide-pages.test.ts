/**
 * @module Types whose rows have about as many columns as D1 lets a row have: each value is told, in lists and documents,
 * with and without a token, measured or not.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { MAX_ATTRIBUTE_COLUMNS } from '../../../src/schema/names.ts';
import { createRegistryTables, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { createToken } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { oneIn } from '../../support/tier.ts';

const PUBLIC = ['find', 'findOne'].map((action) => `api::wide.wide.${action}`);
const actions = (n: number) => PUBLIC.map((action) => action.replaceAll('wide', `wide${n}`));

describe.each([...oneIn(3, [86, 87, 88, 89, 90, 91]), 130])('a type of %i attributes', (count) => {
  it('is read as a whole', async () => {
    const type = `wide${count}`;
    const names = Array.from({ length: count }, (_, place) => `a${place}`);
    const attributes = {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      friends: { type: 'relation', relation: 'manyToMany', target: `api::${type}.${type}` },
    };
    const registry = registryOf([contentType(type, attributes, { drafts: true, localized: true })], [], {
      [`api::${type}.${type}`]: names.slice(MAX_ATTRIBUTE_COLUMNS),
    });
    await createRegistryTables(registry);
    await createToken(`t${count}`, 'full-access');
    const own = { roles: { public: actions(count) } };
    for (const limits of oneIn(3, [{}, { answerBytes: 40_000 }, { answerRows: 60 }], count)) {
      const send = serveRegistry(registry, { ...own, api: { rest: { limits } } });
      const client = clientOf(send, `t${count}`);
      const data = (marker: string) => Object.fromEntries(names.map((name) => [name, `${marker} ${name}`]));
      await env.DB.prepare(`delete from ${type}s`).run();
      await env.DB.prepare(`update edgewise_counters set total = 0`).run();
      const first = await documentOf(client.create(`/api/${type}s`, data('b')));
      const second = await documentOf(client.create(`/api/${type}s`, { ...data('a'), friends: [first.documentId] }));
      for (const query of [
        '',
        'populate=*',
        'populate[friends][fields]=a1',
        'filters[a0][$contains]=a',
        'populate=*&filters[a0][$contains]=a&pagination[pageSize]=2',
        `fields=${names.join(',')}`,
        `fields=${names.slice(0, -1).join(',')}&populate=*`,
        `filters[a1][$ne]=q&${names
          .slice(0, 60)
          .map((n, at) => `filters[$or][${at}][${n}][$ne]=q`)
          .join('&')}`,
        `${Array.from({ length: 95 }, (_, at) => `filters[$or][${at}][a${at % count}][$ne]=q`).join('&')}&populate=*`,
      ]) {
        for (const read of [client.get, (path: string) => send(path)])
          for (const round of [1, 2]) {
            const listed = await read(`/api/${type}s?sort=a0&${query}`);
            const text = await listed.text();
            expect({
              limits,
              query: query.slice(0, 80),
              round,
              status: listed.status,
              text: text.slice(0, listed.status === 200 ? 0 : 300),
            }).toEqual({ limits, query: query.slice(0, 80), round, status: 200, text: '' });
            const { data: list, meta } = JSON.parse(text);
            const shown = query.startsWith('fields') && query.includes('populate') ? names.slice(0, -1) : names;
            expect(list.map((each: object) => Object.keys(each).some((key) => key.startsWith('$')))).toEqual([
              false,
              false,
            ]);
            expect(list).toMatchObject(
              [second, first].map((each) => Object.fromEntries(shown.map((name) => [name, each[name]]))),
            );
            expect(meta.pagination.total).toBe(2);
            if (query.startsWith('filters') || query.includes('&filters')) continue;
            const one = await read(`/api/${type}s/${second.documentId}?${query}`);
            expect([query.slice(0, 50), one.status]).toEqual([query.slice(0, 50), 200]);
            expect((await documentOf(Promise.resolve(one))).a3).toBe('a a3');
          }
      }
    }
  });
});

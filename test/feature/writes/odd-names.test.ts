/**
 * @module Content types whose tables and attributes are called what statements might call their own.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRegistryTables, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf, documentsOf, totalOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { createToken } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';

/** Attributes whose columns are called like those of link tables, of JSON lists and of a page, and like words of SQL. */
const NAMES = [
  'sourceId',
  'targetDocumentId',
  'targetLocale',
  'position',
  'inversePosition',
  'key',
  'value',
  'type',
  'total',
  'true',
  'false',
  'null',
  'rowid',
  'oid',
  'currentTimestamp',
  'order',
  'then',
];
const texts = Object.fromEntries([...NAMES, 'populated', 'rowLocale'].map((name) => [name, { type: 'string' }]));
const values = Object.fromEntries(Object.keys(texts).map((name) => [name, `${name} of mine`]));

/** Lists of components in columns that are called like those of a JSON list. */
const LISTS = ['json', 'path', 'atom'];
const LINK = component('shared.link', { root: relation('oneToOne', 'two') });
const lists = Object.fromEntries(
  LISTS.map((name) => [name, { type: 'component', component: 'shared.link', repeatable: true }]),
);

/** A pair of types that point to one another, with the tables `first` and `second`. */
const pair = (first: string, second: string, options: { drafts?: boolean; localized?: boolean }) => [
  contentType(
    'one',
    {
      ...texts,
      ...lists,
      twos: relation('manyToMany', 'two', { inversedBy: 'ones' }),
      best: relation('oneToOne', 'two', { inversedBy: 'bestOf' }),
      next: relation('manyToOne', 'one'),
    },
    { table: first, ...options },
  ),
  contentType(
    'two',
    {
      ...texts,
      ones: relation('manyToMany', 'one', { mappedBy: 'twos' }),
      bestOf: relation('oneToOne', 'one', { mappedBy: 'best' }),
    },
    { table: second, ...options },
  ),
];

describe.each([
  ['own', 'other', {}],
  ['scope', 'last', { drafts: true, localized: true }],
] as const)('tables that are called %s and %s', (first, second, options) => {
  const registry = registryOf(pair(first, second, options), [LINK]);
  const client = clientOf(serveRegistry(registry), 'full');

  beforeAll(async () => {
    await createRegistryTables(registry);
    await env.DB.exec('delete from strapi_api_tokens; delete from edgewise_counters');
    await createToken('full', 'full-access');
  });

  it('are written, related, read, filtered and emptied like any others', async () => {
    const [a, b] = await Promise.all([1, 2].map(() => documentOf(client.create('/api/twos', values))));
    const twos = [a?.documentId, b?.documentId];
    const data = { ...values, twos, best: twos[0] };
    const one = await documentOf(client.create('/api/ones?populate=*', data));
    expect(one).toMatchObject({ ...values, twos: [a, b].map((two) => ({ documentId: two?.documentId, ...values })) });
    const path = `/api/ones/${one.documentId}`;
    await documentOf(client.update(path, { next: one.documentId, twos: { connect: [{ documentId: twos[0] }] } }));
    const ones = { connect: [one.documentId] };
    expect(await documentOf(client.update(`/api/twos/${twos[1]}?populate=*`, { ones }))).toMatchObject({
      ...values,
      ones: [{ documentId: one.documentId }],
    });
    const nested =
      'populate[twos][populate][ones][populate][best]=true&sort=best.key&sort=best.false&sort=populated&sort=false';
    expect(await documentsOf(client.get(`/api/ones?${nested}`))).toMatchObject([{ ...values, twos: [values, values] }]);
    const filter =
      'filters[twos][ones][best][sourceId]=sourceId of mine&filters[twos][true]=true of mine&filters[key]=key of mine';
    expect(await totalOf(client.get(`/api/ones?${filter}&_q=total of mine`))).toBe(1);
    expect((await client.remove(path)).status).toBe(204);
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
    expect(await totalOf(client.get('/api/twos?filters[ones][id][$null]=true'))).toBe(2);
  });

  it('have components that are written, filtered by and shown like any others', async () => {
    const two = await documentOf(client.create('/api/twos', values));
    const links = Object.fromEntries(LISTS.map((name) => [name, [{ root: two.documentId }, {}]]));
    const one = await documentOf(client.create('/api/ones', { ...values, ...links }));
    const path = `/api/ones/${one.documentId}`;
    await documentOf(client.update(path, { key: 'another', next: one.documentId }));
    const shown = LISTS.map((name) => `populate[${name}][populate]=root&populate[${name}][sort]=id:desc`).join('&');
    const filters = LISTS.map((name) => `filters[${name}][root][value]=value of mine`).join('&');
    const [found] = await documentsOf(client.get(`/api/ones?${shown}&${filters}`));
    for (const name of LISTS)
      expect(found?.[name]).toEqual(
        expect.arrayContaining([expect.objectContaining({ root: expect.objectContaining(values) })]),
      );
    for (const target of [path, `/api/twos/${two.documentId}`]) expect((await client.remove(target)).status).toBe(204);
  });
});

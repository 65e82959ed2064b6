/**
 * @module Attacks on what is stored and never shown: Strapi's advisories about private attributes and passwords, and
 * the same class at Directus and Payload.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATORS } from '../../src/request/operators.ts';
import { createRegistryTables, serveRegistry } from '../support/app.ts';
import { clientOf, documentOf, errorOf, totalOf } from '../support/client.ts';
import { serve } from '../support/recorded.ts';
import { component, contentType, registryOf } from '../support/schema-files.ts';
import { asUser, createWorld, expectNoOracle, owner, RANK, SECRET, send, settings, world } from './world.ts';

/** Long enough for no documentId to contain one by chance: searches look there, too. */
const GUESSES = ['kestre', 'zzzzzz'] as const;

beforeAll(createWorld);

/** CVE-2023-22894, GHSA-jjqf-j4w7-92w8; Directus CVE-2025-64748; Payload CVE-2023-30843 */
describe('guessing secrets of users letter by letter', () => {
  it.each([
    '/api/articles?filters[createdBy][resetPasswordToken][$startsWith]=GUESS',
    '/api/articles?filters[updatedBy][email][$startsWith]=GUESS',
    '/api/articles?filters[$or][0][createdBy][password][$startsWith]=GUESS&filters[$or][1][title]=x',
    '/api/articles?filters[author][account][resetPasswordToken][$startsWith]=GUESS',
    '/api/articles?sort=createdBy.resetPasswordToken&_q=GUESS',
    '/api/articles?populate[author][filters][secretNote][$startsWith]=GUESS',
    '/api/articles?populate[author][populate][account][filters][password][$contains]=GUESS',
    '/api/users?filters[resetPasswordToken][$startsWith]=GUESS',
    '/api/users?filters[confirmationToken][$startsWith]=GUESS',
    '/api/users?filters[password][$startsWith]=GUESS',
    '/api/users?filters[$not][passwordChangedAt][$null]=true&filters[resetPasswordToken]=GUESS',
    '/api/users/count?filters[resetPasswordToken][$startsWith]=GUESS',
    '/api/users?sort=resetPasswordToken&_q=GUESS',
    '/api/users?fields=resetPasswordToken&_q=GUESS',
  ])('by %s', async (path) => {
    const nobody = path.startsWith('/api/users') ? 403 : 400;
    for (const [status, init] of [
      [nobody, {}],
      [400, asUser()],
      [path.startsWith('/api/users/count') ? 403 : 400, { headers: { authorization: 'Bearer reads' } }],
    ] as const)
      expect((await expectNoOracle(path, GUESSES, init)).slice(0, 3)).toBe(`${status}`);
  });

  it('by the search of users and of articles', async () => {
    for (const path of ['/api/users?_q=GUESS', '/api/articles?_q=GUESS', '/api/authors?_q=GUESS'])
      expect(await expectNoOracle(path, GUESSES, asUser())).toMatch(/^200 .*\[\]/);
    expect(await totalOf(owner.get(`/api/articles?_q=${RANK}`))).toBe(0);
  });
});

/** strapi/strapi#11869 */
describe('comparing a hidden attribute', () => {
  const hidden = [
    'internalNotes',
    'editorRank',
    'accessCode',
    'seo][internalScore',
    'author][secretNote',
    'author][pin',
  ];
  const cases = hidden.flatMap((name) => [...Object.keys(OPERATORS), '$nope'].map((operator) => [name, operator]));

  it.each(cases)('%s by %s', async (name = '', operator = '') => {
    const short = name.split('][').at(-1) ?? '';
    for (const shape of [`filters[${name}][${operator}]=1`, `filters[${name}][$not][${operator}][0]=1`])
      expect(await errorOf(owner.get(`/api/articles?${shape}`))).toMatchObject({
        status: 400,
        message: expect.stringContaining(`Invalid key ${short}`),
      });
  });
});

/** CVE-2022-30617, GHSA-f6fm-r26q-p747; CVE-2021-46440 */
it('asking who wrote a document', async () => {
  for (const search of [
    '',
    '?populate=*',
    '?fields=*',
    '?status=draft&populate=*',
    '?populate[sections][populate]=*',
  ]) {
    const answer = await owner.get(`/api/articles${search}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toMatch(/createdBy|updatedBy|created_by|updated_by/);
  }
  for (const search of [
    'populate=createdBy',
    'populate[createdBy][fields]=email',
    'fields=createdBy',
    'sort=createdBy.id',
  ])
    expect((await errorOf(owner.get(`/api/articles?${search}`))).status).toBe(400);
});

/** strapi/strapi#10236 */
it('looking for private attributes in components, zones, relations and media', async () => {
  const deep = [
    'populate=*',
    'populate=seo.card.person',
    'populate[author][populate]=*',
    'populate[sections][populate]=*',
    'populate[sections][on][blocks.quote][populate][speaker]=true',
    'populate[author][populate][account]=true',
    'populate[author][populate][articles][populate]=seo',
  ];
  const asV4 = { headers: { authorization: 'Bearer full', 'strapi-response-format': 'v4' } };
  for (const path of ['/api/articles', `/api/articles/${world.article}`, '/api/homepage'])
    for (const search of deep.slice(0, path === '/api/homepage' ? 1 : deep.length))
      for (const init of [{ headers: { authorization: 'Bearer full' } }, asV4]) {
        const answer = await send(`${path}?${search}`, init);
        const text = await answer.text();
        expect([path, search, answer.status]).toEqual([path, search, 200]);
        expect(text).not.toContain(SECRET);
        expect(text).not.toContain(String(RANK));
        expect(text).not.toMatch(/scrypt|secretNote|internalNotes|internalScore|resetPasswordToken|confirmationToken/);
      }
});

/** CVE-2023-34093, GHSA-chmr-rg2f-9jmf */
describe('reading a type whose private attributes are declared in another place', () => {
  const registry = registryOf(
    [
      contentType(
        'vault',
        { name: { type: 'string' }, key: { type: 'string' }, box: { type: 'component', component: 'parts.box' } },
        { privateAttributes: ['key', 'createdAt'] },
      ),
      contentType('shelf', { boxes: { type: 'component', component: 'parts.box', repeatable: true } }),
    ],
    [
      component(
        'parts.box',
        { label: { type: 'string' }, code: { type: 'string', private: true }, pin: { type: 'string' } },
        ['pin'],
      ),
    ],
  );
  const client = clientOf(serveRegistry(registry), 'full');

  it('in the options of the type, and in a component that two types share', async () => {
    await createRegistryTables(registry);
    const box = { label: 'seen', code: SECRET, pin: SECRET };
    await documentOf(client.create('/api/vaults', { name: 'seen', key: SECRET, box }));
    await documentOf(client.create('/api/shelfs', { boxes: [box] }));
    for (const path of ['/api/vaults?populate=*', '/api/shelfs?populate=*']) {
      const text = await (await client.get(path)).text();
      expect(text).toContain('seen');
      expect(text).not.toMatch(new RegExp(`${SECRET}|"key"|"code"|"pin"`));
      expect(text.includes('createdAt')).toBe(path.startsWith('/api/shelfs'));
    }
    for (const search of [
      'filters[key]=a',
      'filters[box][code]=a',
      'filters[box][pin]=a',
      'sort=key',
      'fields=key',
      'filters[createdAt][$notNull]=true',
    ])
      expect((await errorOf(client.get(`/api/vaults?${search}`))).status).toBe(400);
  });
});

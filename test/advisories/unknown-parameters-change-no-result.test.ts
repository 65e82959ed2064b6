/**
 * @module Class 1 of the advisories of 2026: a parameter that is unknown or misspelt is rejected or ignored, and changes no
 * result. Strapi CVE-2026-27886, GHSA-rjg2-95x7-8qmx (`where`) and CVE-2024-56143, GHSA-495j-h493-42q2 (`lookup`) handed
 * the database a parameter of its own; Directus had CVE-2024-34708 (`alias`) and CVE-2023-27481 (`export`).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { errorOf } from '../support/client.ts';
import { sendJson } from '../support/recorded.ts';
import { oneIn } from '../support/tier.ts';
import {
  ask,
  at,
  CONTENT_READS,
  CONTENT_WRITES,
  expectNoChange,
  OTHER_READS,
  OTHER_WRITES,
  serveAll,
} from './surfaces.ts';
import { createWorld, SECRET } from './world.ts';

const OF_DATABASES = [
  'where',
  'lookup',
  'data',
  'documentId',
  'orderBy',
  'select',
  'having',
  'meta',
  'on',
  'params',
  'query',
];
const OF_OTHER_APIS = [
  'alias',
  'deep',
  'export',
  'aggregate',
  'groupBy',
  'distinct',
  'joins',
  'offset',
  'raw',
  '_where',
];
const MISSPELT = [
  'filter',
  'Filters',
  ' filters',
  'filters\0',
  'populates',
  'sorts',
  'field',
  'Status',
  'locales',
  '_Q',
  'q',
];
const OF_OBJECTS = ['constructor', 'toString', '$or', '$and', 'pagination.pageSize', 'access_token'];
const NAMES = oneIn(6, [...OF_DATABASES, ...OF_OTHER_APIS, ...MISSPELT, ...OF_OBJECTS]);

const SHAPES = ['[updatedBy][password][$startsWith]', '[internalNotes][$startsWith]', '[$or][0][title][$contains]', ''];
/** Each name with one of the shapes. */
const parameters = NAMES.map((name, index) => `${encodeURIComponent(name)}${SHAPES[index % SHAPES.length]}=${SECRET}`);
const few = parameters.filter((_, index) => index % 3 === 0);

const full = { authorization: 'Bearer full' };
const send = serveAll();
const lenient = serveAll({ api: { rest: { strictParams: false } } });
/** Hides what differs between two equal writes. */
const masked = (text: string) =>
  text.replaceAll(/"(id|documentId|createdAt|updatedAt|publishedAt|hash|url)":"?[^,}]*/g, '');

beforeAll(createWorld);

describe.each(CONTENT_READS)('$name', (surface) => {
  it('rejects each parameter that it does not know, by its name', async () => {
    for (const parameter of parameters) {
      const key = decodeURIComponent(parameter).split(/[[=]/)[0] ?? '';
      // A parser drops the names of properties of objects.
      const isDropped = ['constructor', 'toString'].includes(key);
      const response = await ask(send, surface, full, parameter);
      if (isDropped) expect(await response.text()).toBe(await (await ask(send, surface, full)).text());
      else expect([key, (await errorOf(Promise.resolve(response))).message]).toEqual([key, `Invalid key ${key}`]);
    }
  });

  it('ignores it where the settings allow unknown parameters', async () => {
    const known = await ask(lenient, surface, full);
    expect(known.status).toBe(200);
    const plain = await known.text();
    for (const parameter of surface.name === 'a list' ? parameters : few) {
      const response = await ask(lenient, surface, full, parameter);
      if (parameter.startsWith('lookup')) expect([parameter, response.status]).toEqual([parameter, 400]);
      else expect([parameter, await response.text()]).toEqual([parameter, plain]);
    }
  });
});

it.each(OTHER_READS)('reads $name alike with a parameter that it does not know', async (surface) => {
  const known = await ask(send, surface, full);
  expect(known.status).toBe(200);
  const plain = await known.text();
  const unknown = few.filter((parameter) => surface.name !== 'the schedules' || !parameter.startsWith('documentId'));
  for (const parameter of unknown)
    expect([parameter, await (await ask(send, surface, full, parameter)).text()]).toEqual([parameter, plain]);
});

describe('a write', () => {
  it.each(CONTENT_WRITES)(
    'is rejected, and stores nothing, with a parameter that it does not know: $name',
    async (surface) => {
      await expectNoChange(async () => {
        for (const name of NAMES.filter((each) => !['constructor', 'toString'].includes(each))) {
          const { status } = await ask(send, surface, full, `${encodeURIComponent(name)}[title]=x`);
          expect([name, status]).toEqual([name, 400]);
        }
      });
    },
  );

  it.each(OTHER_WRITES.filter(({ name }) => name !== 'a new user'))(
    'does the same with such a parameter: $name',
    async (surface) => {
      const plain = await ask(send, surface, full);
      expect(plain.ok).toBe(true);
      for (const name of ['where[title]=x', 'filters[title]=x', 'status=draft', 'fields=title']) {
        const response = await ask(send, surface, full, name);
        expect([name, response.status]).toEqual([name, plain.status]);
        expect(masked(await response.text())).toBe(masked(await plain.clone().text()));
      }
    },
  );

  it('of a batch is rejected with a parameter that it does not know, and so is the whole batch', async () => {
    const post = { method: 'POST', path: '/api/articles', body: { data: { title: 'Mine' } } };
    await expectNoChange(async () => {
      for (const path of [
        '/api/articles?where[title]=x',
        at('/api/articles/{article}?filter[title]=x'),
        '/api/homepage?q=x',
      ]) {
        const other = { method: path.startsWith('/api/articles?') ? 'POST' : 'PUT', path, body: { data: {} } };
        const refused = await errorOf(send('/api/batch', sendJson('POST', 'full', { requests: [post, other] })));
        expect(refused).toMatchObject({
          status: 400,
          message: expect.stringMatching(/^Invalid key/),
          details: { request: 1 },
        });
      }
      for (const key of ['where', 'query', 'headers', 'If-Match', 'toString'])
        for (const body of [{ requests: [{ ...post, [key]: 'x' }] }, { requests: [post], [key]: 'x' }])
          expect([key, (await send('/api/batch', sendJson('POST', 'full', body))).status]).toEqual([key, 400]);
    });
  });
});

it('rejects the parameters that own code passes on, and ignores a body', async () => {
  for (const name of NAMES) {
    const params = encodeURIComponent(JSON.stringify({ [name]: { internalNotes: { $startsWith: SECRET } } }));
    const { status } = await send(`/own/find?p=${params}`, { headers: full });
    expect([name, status]).toEqual([name, name === 'data' ? 200 : 400]);
  }
});

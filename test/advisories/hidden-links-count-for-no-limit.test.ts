/**
 * @module A response is not refused for links to documents that the caller may not see: the limits of a response would tell
 * of them.
 */
import { beforeAll, expect, it } from 'vitest';
import { serveRegistry } from '../support/app.ts';
import { clientOf, documentOf } from '../support/client.ts';
import { contentType, registryOf, relation } from '../support/schema-files.ts';
import { register } from '../support/users.ts';
import { openWorld } from '../support/world.ts';

const TAG = 'api::tag.tag';
const registry = registryOf([
  contentType('page', {
    tags: relation('manyToMany', 'tag'),
    mixed: { type: 'relation', relation: 'morphToMany' },
  }),
  contentType('tag', { name: { type: 'string' }, kind: { type: 'string' } }),
]);
const { send, client } = openWorld(registry);

const [SEEN, HIDDEN] = [6, 60];
/** The second one leads to hidden documents, too. */
let pages: readonly string[] = [];
let jwt = '';

beforeAll(async () => {
  const created = async (path: string, data: object) => (await documentOf(client.create(path, data))).documentId;
  const tags = (kind: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => created('/api/tags', { name: `${kind} ${index}`, kind })));
  const [seen, hidden] = [await tags('seen', SEEN), await tags('hidden', HIDDEN)];
  const page = (ids: readonly unknown[]) =>
    created('/api/pages', { tags: ids, mixed: ids.map((documentId) => ({ documentId, __type: TAG })) });
  pages = [await page(seen), await page([...hidden, ...seen])];
  ({ jwt } = await register(send, 'ann'));
});

const ON = `[on][${TAG}]`;
const LISTS = [
  ...['=true', '[limit]=1', '[start]=2', '[count]=true', '[limit]=0&populate[LIST][withCount]=true'].flatMap((rest) => [
    ['tags', rest],
    ['mixed', rest],
  ]),
  ['mixed', `${ON}=true`],
  ['mixed', `${ON}[filters][name][$ne]=seen 1`],
  ['mixed', `${ON}[filters][name][$ne]=seen 1&populate[LIST][limit]=2&populate[LIST][withCount]=true`],
  ['mixed', `${ON}=true&populate[LIST][limit]=2&populate[LIST][start]=3`],
].map(([list = '', rest = '']) => `populate[${list}]${rest.replaceAll('LIST', list)}`);

it.each(LISTS)('%s', async (search) => {
  const statuses = new Set<number>();
  for (const answerRows of [3, 5, 7, 8, 12, 20, 70]) {
    const find = (action: string) => `api::page.page.${action}`;
    const rights = [find('find'), find('findOne'), { action: `${TAG}.find`, where: { kind: 'seen' } }];
    const settings = { api: { rest: { limits: { answerRows } } }, roles: { authenticated: rights } };
    const reader = clientOf(serveRegistry(registry, settings), jwt);
    const read = async (id = '') => {
      const response = await reader.get(`/api/pages/${id}?fields=documentId&${search}`);
      statuses.add(response.status);
      return (await response.text()).replaceAll(/"(id|documentId)":("\w{24}"|\d+)/g, '');
    };
    expect(await read(pages[1]), `${answerRows} rows`).toBe(await read(pages[0]));
  }
  expect(statuses).toContain(200);
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { plantSeeds, readSeeds } from '../../../../cli/dev/seed.ts';
import { readSchemaFiles, registryOf } from '../../../../cli/project/project.ts';
import { buildRegistry } from '../../../../src/schema/build.ts';
import { CHECKED } from '../../../../src/schema/schema-json.ts';
import { DEMO } from '../../../support/demo.ts';
import { contentType } from '../../../support/schema-files.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

const registry = buildRegistry(
  {
    contentTypes: [
      contentType('article', {
        next: { type: 'relation', relation: 'oneToOne', target: 'api::article.article' },
        pictures: { type: 'media', multiple: true },
      }),
      contentType(
        'home',
        { top: { type: 'relation', relation: 'oneToMany', target: 'api::article.article' } },
        { single: true },
      ),
    ],
    components: [],
  },
  CHECKED,
);
const seed = (name: string, json: unknown) => project.write(`demo/${name}.json`, JSON.stringify(json));

interface Received {
  readonly request: string;
  readonly body: unknown;
  readonly authorization: string | undefined;
}

/** An API that answers everything with one status. */
async function withApi(status: number, use: (base: string) => Promise<void>): Promise<readonly Received[]> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method, url, headers } = request;
    const isForm = url === '/api/upload';
    const body: unknown = isForm ? text : JSON.parse(text);
    received.push({ request: `${method} ${url}`, body, authorization: headers.authorization });
    const id = received.length;
    response
      .writeHead(status)
      .end(JSON.stringify(isForm ? [{ id }] : { error: 'because', data: { documentId: `id${id}` } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
  return received;
}

const said: string[] = [];
const say = (text: string) => void said.push(text);
beforeEach(() => void said.splice(0));

describe('seed files', () => {
  it('that cannot be used are skipped, each with one line that names the file and the key', () => {
    const refused = (text: string) => {
      project.write('demo/articles.json', text);
      said.length = 0;
      expect(readSeeds(project.root, registry, say)).toEqual([]);
      return said;
    };
    const documents = [{ localizations: { fr: 'x' } }];
    expect(refused('{"type":"articles","documents":"x"}')).toEqual([
      expect.stringMatching(/^demo\/articles\.json: documents: .*; skipped$/),
    ]);
    expect(refused(JSON.stringify({ type: 'articles', documents }))).toEqual([
      expect.stringMatching(/^demo\/articles\.json: documents\.0\.localizations\.fr: .*; skipped$/),
    ]);
    expect(refused('{')).toEqual([expect.stringMatching(/^demo\/articles\.json: .*; skipped$/)]);
    expect(refused('{"type":"tags","documents":[{}]}')).toEqual([
      'demo/articles.json: skipped; there is no content type "tags"',
    ]);
  });

  it('are skipped document by document where the API refuses them, with one line for a file', async () => {
    seed('articles', { type: 'articles', documents: [{ a: 1 }, { a: 2 }] });
    const seeds = readSeeds(project.root, registry, say);
    const received = await withApi(400, (base) => plantSeeds({ base, token: 't' }, seeds, say));
    expect(received.length).toBe(2);
    expect(said).toEqual([
      expect.stringMatching(
        /^ {2}demo\/articles\.json: 0 of 2 documents; the others do not fit the content types: document 1: .* 400: .*because/,
      ),
    ]);
  });

  it('are not skipped when the server is gone', async () => {
    seed('articles', { type: 'articles', documents: [{ a: 1 }] });
    const seeds = readSeeds(project.root, registry, say);
    let gone = '';
    await withApi(200, async (base) => {
      gone = base;
    });
    await expect(plantSeeds({ base: gone, token: 't' }, seeds, say)).rejects.toThrow(TypeError);
    expect(said).toEqual([]);
  });

  it('keep what an interrupted run has planted, and go on with the rest', async () => {
    const documents = [
      { slug: 'a', localizations: { fr: { x: 1 } } },
      { slug: 'b', next: 'a' },
    ];
    seed('1', { type: 'articles', documents });
    seed('2', { type: 'home', documents: [{ top: ['b', 'a'] }] });
    const seeds = readSeeds(project.root, registry, say);
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      request.resume();
      if (request.url?.includes('slug]=a')) response.end('{"data":[{"documentId":"planted"}]}');
      else if (request.url?.includes('slug]=b')) response.end('{"data":[]}');
      else if (request.method === 'GET') response.writeHead(404).end('{}');
      else response.end('{"data":{"documentId":"new"}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await plantSeeds({ base, token: 't', isResumed: true }, seeds, say);
    server.close();
    expect(requests).toEqual([
      'GET /api/articles?status=draft&filters[slug]=a',
      'PUT /api/articles/planted?status=published&locale=fr',
      'GET /api/articles?status=draft&filters[slug]=b',
      'POST /api/articles?status=published',
      'GET /api/home?status=draft',
      'PUT /api/home?status=published',
    ]);
    expect(said).toEqual(['  demo/1.json: 2 documents', '  demo/2.json: 1 document']);
  });

  it('are sent one by one, drafts as drafts, single types with PUT', async () => {
    seed('articles', { type: 'articles', documents: [{ a: 1 }, { a: 2 }], drafts: [{ a: 3 }] });
    seed('home', { type: 'home', documents: [{ b: 1 }] });
    const seeds = readSeeds(project.root, registry, say);
    const received = await withApi(200, (base) => plantSeeds({ base, token: 't' }, seeds, () => {}));
    expect(received).toEqual([
      { request: 'POST /api/articles?status=published', body: { data: { a: 1 } }, authorization: 'Bearer t' },
      { request: 'POST /api/articles?status=published', body: { data: { a: 2 } }, authorization: 'Bearer t' },
      { request: 'POST /api/articles?status=draft', body: { data: { a: 3 } }, authorization: 'Bearer t' },
      { request: 'PUT /api/home?status=published', body: { data: { b: 1 } }, authorization: 'Bearer t' },
    ]);
  });

  it('are sent in their other locales under the documentId that they got', async () => {
    const localizations = { fr: { a: 2 }, de: { a: 3 } };
    seed('articles', { type: 'articles', documents: [{ a: 1, localizations }] });
    seed('home', { type: 'home', documents: [{ b: 1, localizations: { fr: { b: 2 } } }] });
    const seeds = readSeeds(project.root, registry, say);
    const received = await withApi(200, (base) => plantSeeds({ base, token: 't' }, seeds, () => {}));
    expect(received.map(({ request, body }) => [request, body])).toEqual([
      ['POST /api/articles?status=published', { data: { a: 1 } }],
      ['PUT /api/articles/id1?status=published&locale=fr', { data: { a: 2 } }],
      ['PUT /api/articles/id1?status=published&locale=de', { data: { a: 3 } }],
      ['PUT /api/home?status=published', { data: { b: 1 } }],
      ['PUT /api/home?status=published&locale=fr', { data: { b: 2 } }],
    ]);
  });

  it('name documents of relations by slug, and must have planted them before', async () => {
    seed('1', { type: 'articles', documents: [{ slug: 'a' }, { slug: 'b', next: 'a' }] });
    seed('2', { type: 'home', documents: [{ top: ['b', 'a'] }] });
    const seeds = readSeeds(project.root, registry, say);
    const received = await withApi(200, (base) => plantSeeds({ base, token: 't' }, seeds, () => {}));
    expect(received.map(({ body }) => body)).toEqual([
      { data: { slug: 'a' } },
      { data: { slug: 'b', next: 'id1' } },
      { data: { top: ['id2', 'id1'] } },
    ]);
    const [, home] = seeds;
    await withApi(200, (base) => plantSeeds({ base, token: 't' }, home ? [home] : [], say));
    expect(said.at(-1)).toContain('document 1: top: no document "b" of api::article.article');
  });

  it('name files of media, which are uploaded first', async () => {
    project.write('demo/media/a.txt', 'one file');
    seed('1', { type: 'articles', documents: [{ pictures: ['a.txt', 'a.txt'] }, { pictures: 'b.txt' }] });
    const seeds = readSeeds(project.root, registry, say);
    const received = await withApi(200, (base) => plantSeeds({ base, token: 't' }, seeds, say));
    expect(said.at(-1)).toContain('document 2: no file b.txt in demo/media');
    expect(received).toMatchObject([
      { request: 'POST /api/upload', body: expect.stringContaining('one file'), authorization: 'Bearer t' },
      { request: 'POST /api/upload', body: expect.stringContaining('name="files"; filename="a.txt"') },
      { request: 'POST /api/articles?status=published', body: { data: { pictures: [1, 2] } } },
    ]);
  });

  it('of the demo name content types of the demo, and only attributes they have', async () => {
    const demo = registryOf(await readSchemaFiles(DEMO));
    const seeds = readSeeds(DEMO, demo, say);
    expect(seeds.length).toBeGreaterThan(0);
    for (const { file, type, documents, drafts } of seeds)
      for (const document of [...documents, ...drafts])
        for (const name of Object.keys(document)) expect(type.attributes.has(name), `${file}: ${name}`).toBe(true);
  });
});

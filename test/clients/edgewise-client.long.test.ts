/**
 * @module The examples of `edgewise-client` in docs/clients.md, run with the demo: in Node, and in Chromium as a page of
 * another origin.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import type { ContentTypes } from '../../types/content-types.d.ts';
import { chromium, startBrowser } from './browser.ts';
import { token, unique, url } from './requests.ts';

const ROOT = join(import.meta.dirname, '../..');
const PLACE = "createClient<ContentTypes>({ url: 'https://api.example.com' })";

interface Examples {
  bylines(): Promise<readonly string[]>;
  titles(): Promise<readonly string[]>;
  append(documentId: string, text: string): Promise<boolean>;
  introduce(name: string, slug: string): Promise<readonly [author: string, article: string]>;
}

const client = createClient<ContentTypes>({ url, token });
let folder: string;
let bundle: string;
let examples: Examples;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-client-examples-'));
  mkdirSync(join(folder, 'lib'));
  const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  for (const [, path = '', text = ''] of page.matchAll(/```ts\n\/\/ file: (lib\/(?:client|writes)\.ts)\n(.*?)```/gs))
    writeFileSync(join(folder, path), text.replace(PLACE, `createClient(${JSON.stringify({ url, token })})`));
  writeFileSync(join(folder, 'all.ts'), "export * from './lib/client';\nexport * from './lib/writes';\n");
  const alias = { 'edgewise-client': join(ROOT, 'client/index.ts') };
  const built = { outfile: join(folder, 'all.mjs'), bundle: true, format: 'esm', alias } as const;
  buildSync({ entryPoints: [join(folder, 'all.ts')], ...built });
  bundle = readFileSync(built.outfile, 'utf8');
  examples = (await import(pathToFileURL(built.outfile).href)) as Examples;
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the examples of the client', () => {
  it('are made for a served API', () => {
    expect(bundle).toContain(url);
    expect(bundle).not.toContain('api.example.com');
  });

  it('read lists, at once and page by page', async () => {
    expect(await examples.bylines()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^.+, by Ilse .+, in [1-9]$/)]),
    );
    const { meta } = await client.articles.find({ pagination: { pageSize: 1 } });
    expect((await examples.titles()).length).toBeGreaterThanOrEqual(meta.pagination.total);
  });

  it('write an author and an article at once, and append to the article if nobody else has changed it', async () => {
    const [author, article] = await examples.introduce('Ann', unique('ann'));
    const { data } = await client.articles.findOne(article, { status: 'draft', populate: { author: true } });
    expect(data.author?.documentId).toBe(author);
    expect(await examples.append(article, 'more')).toBe(true);
    expect((await client.articles.findOne(article, { status: 'draft' })).data.summary).toBe('more');
    expect(await examples.append('nothing', 'more')).toBe(false);
    await client.$batch((batch) => [batch.articles.delete(article), batch.authors.delete(author)]);
  });
});

describe('the client in Chromium', () => {
  let pages: Server;
  beforeAll(async () => {
    pages = createServer(({ url: path }, response) => {
      response.setHeader('Content-Type', path === '/all.mjs' ? 'text/javascript' : 'text/html');
      response.end(path === '/all.mjs' ? bundle : '<!doctype html><title>A site</title>');
    }).listen(0, 'localhost');
    await new Promise((resolve) => pages.once('listening', resolve));
  });
  afterAll(() => void pages.close());

  it('reads and writes from another origin, with the tag of what it read', async ({ skip }) => {
    const server = await startBrowser();
    if ('missing' in server) return skip(server.missing);
    try {
      const browser = await chromium.connect(server.wsEndpoint());
      const page = await browser.newPage();
      await page.goto(`http://localhost:${(pages.address() as AddressInfo).port}/`);
      const [author = '', article = '', isWritten] = (await page.evaluate(`import('/all.mjs').then(async (made) => {
        const both = await made.introduce('Bea', ${JSON.stringify(unique('bea'))});
        return [...both, String(await made.append(both[1], 'from afar'))];
      })`)) as readonly string[];
      expect(isWritten).toBe('true');
      expect((await client.articles.findOne(article, { status: 'draft' })).data.summary).toBe('from afar');
      await client.$batch((batch) => [batch.articles.delete(article), batch.authors.delete(author)]);
    } finally {
      await server.close();
    }
  });
});

/**
 * @module The guides of docs/previews.md: their code runs against the Worker, with stand-ins for what frameworks give it.
 * Its pictures go through the loaders of docs/media.md.
 */

import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as images from '../../client/images.ts';
import { nextFetch, openPreview, previewStatus } from '../../client/next.ts';
import { createApp } from '../../src/app.ts';
import { sha256 } from '../../src/common/digest.ts';
import { createDeployment } from '../../src/deployment.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { memoryDatabase } from '../support/memory-database.ts';
import { codeBelow } from '../support/pages.ts';
import { contentType, registryOf } from '../support/schema-files.ts';
import { createSchemaSql } from '../support/schema-sql.ts';
import { next, resetNext } from '../support/stand-in-next.ts';
import { JWT_SECRET } from '../support/users.ts';

const pageOf = (name: string): string => readFileSync(join(import.meta.dirname, `../../docs/${name}`), 'utf8');
const PAGE = pageOf('previews.md');
const MEDIA = pageOf('media.md');
/** A text with its source map. */
const mapped = (text: string): unknown => expect.stringMatching(new RegExp(`^${text}[\\u200b-\\u200d\\ufeff]{400,}$`));
const DRAFT = mapped('Draft');
const PHOTO = '/uploads/photo_3f09ab12cd.png';
const API = 'https://api.example.com';

const blocksOf = (heading: string): readonly string[] => codeBelow(PAGE, heading);

/**
 * Runs a block, with names in place of what it imports.
 * @returns the values of the names
 */
async function run(code: string, globals: object, names: readonly string[] = []): Promise<Record<string, unknown>> {
  const plain = stripTypeScriptTypes(code)
    .replaceAll(/^import .*$/gm, '')
    .replaceAll(/^export default /gm, 'const handler = ')
    .replaceAll(/^export /gm, '')
    .replaceAll('import.meta.env', 'process.env');
  const context = { URL, URLSearchParams, encodeURIComponent, process: { env: { API_URL: API } }, ...globals };
  return runInNewContext(`(async () => { ${plain}\nreturn { ${names.join()} }; })()`, context);
}

type Loader = ReturnType<typeof images.nextLoader>;
type Provider = ReturnType<typeof images.nuxtProvider>;
type Service = ReturnType<typeof images.astroService>;
type Transformer = ReturnType<typeof images.unpicTransformer>;
type Handler = (argument: unknown) => Promise<unknown>;

const registry = registryOf([
  contentType(
    'article',
    { title: { type: 'string' }, slug: { type: 'uid' }, cover: { type: 'media', multiple: false } },
    { drafts: true },
  ),
]);
const { deployment, env } = await (async () => {
  const settings = parseSettings({
    roles: { public: ['api::article.article.find'] },
    upload: { widths: true },
    preview: {
      'api::article.article': {
        url: 'https://site.example/api/preview?path=/articles/{slug}&slug={slug}&status={status}&token={token}',
      },
    },
  });
  const { db, sqlite } = memoryDatabase();
  for (const statement of await createSchemaSql(registry)) sqlite.exec(statement);
  const columns = '(document_id, locale, published_at, created_at, updated_at';
  const insert = sqlite.prepare(
    `insert into articles ${columns}, title, slug) values ('a', '', ?, 0, 0, ?, 'harbour')`,
  );
  insert.run(null, 'Draft');
  insert.run(0, 'Published');
  sqlite
    .prepare(
      `insert into strapi_api_tokens ${columns}, name, type, access_key) values ('t', '', 0, 0, 0, 't', 'full-access', ?)`,
    )
    .run(sha256('full'));
  sqlite.prepare(`insert into files ${columns}, name, url) values ('f', '', 0, 0, 0, 'photo.png', ?)`).run(PHOTO);
  return { deployment: { registry, settings }, env: { DB: db, JWT_SECRET } as unknown as Env };
})();
const app = createApp(createDeployment(deployment));

const fetchApi = (url: string, init?: RequestInit): Promise<Response> =>
  Promise.resolve(
    app.fetch(new Request(new URL(url, API), init), env, {
      waitUntil: () => undefined,
      passThroughOnException: () => undefined,
    } as unknown as ExecutionContext),
  );

async function linkTo(status: string): Promise<URL> {
  const init = { method: 'POST', headers: { authorization: 'Bearer full' } };
  const response = await fetchApi(`/api/articles/a/actions/preview-link?status=${status}`, init);
  return new URL(((await response.json()) as { data: { url: string } }).data.url);
}

/** The cookies of a browser, and where it was sent. */
let cookies: Map<string, string>;
let location: string;
beforeEach(() => {
  cookies = new Map();
  location = '';
});

const redirect = (url: string) => {
  location = url;
};
const setCookie = (name: string, value: string, options: { readonly httpOnly?: boolean }) => {
  expect(options.httpOnly).toBe(true);
  cookies.set(name, value);
};

describe('the guide for Next', () => {
  beforeEach(resetNext);
  afterEach(() => vi.restoreAllMocks());

  it('shows the draft to whoever has the link, and the published version to others', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => fetchApi(String(url), init));
    const [route = '', reader = ''] = blocksOf('Next 16');
    const { GET } = (await run(route, { openPreview }, ['GET'])) as { GET: Handler };
    const globals = { nextFetch, previewStatus };
    const { readArticle } = (await run(reader, globals, ['readArticle'])) as { readArticle: Handler };
    const open = async (status: string) => (await GET(new Request(await linkTo(status)))) as Response;
    expect(await readArticle('harbour')).toMatchObject({ title: 'Published' });
    const opened = await open('draft');
    expect([opened.status, opened.headers.get('location')]).toEqual([307, '/articles/harbour']);
    expect(await readArticle('harbour')).toMatchObject({ title: DRAFT });
    next.token = 'preview_expired';
    expect(await readArticle('harbour')).toMatchObject({ title: 'Published' });
    await open('published');
    expect(await readArticle('harbour')).toMatchObject({ title: 'Published' });
  });
});

describe('the guide for Nuxt', () => {
  const headers = new Map<string, string>();
  const globals = {
    defineEventHandler: (handler: Handler) => handler,
    getQuery: (url: URL) => Object.fromEntries(url.searchParams),
    setCookie: (_: unknown, ...cookie: Parameters<typeof setCookie>) => setCookie(...cookie),
    getCookie: (_: unknown, name: string) => cookies.get(name),
    setHeader: (_: unknown, name: string, value: string) => headers.set(name, value),
    sendRedirect: (_: unknown, url: string) => redirect(url),
    getRouterParam: () => 'harbour',
    useRuntimeConfig: () => ({ apiUrl: API }),
    $fetch: async (path: string, { query, ...init }: { readonly query: Record<string, string> } & RequestInit) =>
      (await fetchApi(`${path}?${new URLSearchParams(query)}`, init)).json(),
  };

  it('shows the draft to whoever has the link, and the published version to others', async () => {
    const [keep = '', read = ''] = blocksOf('Nuxt 4');
    const handlerOf = async (code: string) => (await run(code, globals, ['handler'])).handler as Handler;
    const article = await handlerOf(read);
    expect(await article({})).toMatchObject({ title: 'Published' });
    expect(headers.size).toBe(0);
    await (await handlerOf(keep))(await linkTo('draft'));
    expect(location).toBe('/articles/harbour');
    expect(await article({})).toMatchObject({ title: DRAFT });
    expect(headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('the guide for Astro', () => {
  it('shows the draft to whoever has the link, and the published version to others', async () => {
    const [route = '', page = ''] = blocksOf('Astro 7');
    const [, script = '', template = ''] = page.split('---\n');
    const headers = new Headers();
    const store = {
      set: setCookie,
      get: (name: string) => (cookies.has(name) ? { value: cookies.get(name) } : undefined),
    };
    const shown = async () => {
      const Astro = { cookies: store, params: { slug: 'harbour' }, response: { headers } };
      const { title } = await run(
        `${script}const title = ${/\{(.*)\}/.exec(template)?.[1]};`,
        { Astro, fetch: fetchApi },
        ['title'],
      );
      return title;
    };
    expect(await shown()).toBe('Published');
    expect([...headers]).toEqual([]);
    const { GET } = (await run(route, {}, ['GET'])) as { GET: Handler };
    await GET({ url: await linkTo('draft'), cookies: store, redirect });
    expect(location).toBe('/articles/harbour');
    expect(await shown()).toEqual(DRAFT);
    expect(headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('the guide for fetch', () => {
  it('shows the draft, and takes the token out of the address', async () => {
    const [code = ''] = blocksOf('fetch');
    const addresses: string[] = [];
    const history = { replaceState: (_: null, __: string, address: string) => addresses.push(address) };
    const { article } = await run(code, { location: await linkTo('draft'), history, fetch: fetchApi }, ['article']);
    expect(article).toMatchObject({ title: DRAFT });
    expect(addresses).toEqual(['/api/preview']);
  });
});

describe('a picture in a preview', () => {
  it('is the same for the loaders of docs/media.md, and for its parameters behind the address', async () => {
    const attached = { method: 'PUT', headers: { authorization: 'Bearer full', 'content-type': 'application/json' } };
    await fetchApi('/api/articles/a', { ...attached, body: '{"data":{"cover":"f"}}' });
    const [code = ''] = blocksOf('fetch');
    const page = { location: await linkTo('draft'), history: { replaceState: () => {} }, fetch: fetchApi };
    const { article } = await run(code.replace('?status=draft', '$&&populate=cover'), page, ['article']);
    const { url } = (article as { cover: { url: string } }).cover;
    expect(url).toEqual(mapped(PHOTO));

    const [next = '', nuxt = '', , astro = '', unpic = ''] = codeBelow(MEDIA, 'In Next, Nuxt, Astro and unpic');
    const globals = { ...images, baseService: {} };
    const handlerOf = async (loader: string) => (await run(loader, globals, ['handler'])).handler;
    const [transformerOf = ''] = /^const transformer .*$/m.exec(unpic) ?? [];
    const { transformer } = await run(transformerOf, globals, ['transformer']);
    const wanted = { width: 640, format: 'avif' };
    const made = `${API}${PHOTO}?w=640&f=avif`;
    expect(((await handlerOf(next)) as Loader)({ src: url, width: 640 })).toBe(`${API}${PHOTO}?w=640`);
    expect(((await handlerOf(nuxt)) as Provider)().getImage(url, { modifiers: wanted })).toEqual({ url: made });
    expect(((await handlerOf(astro)) as Service).getURL({ src: url, ...wanted })).toBe(made);
    expect((transformer as Transformer)(url, wanted)).toBe(made);

    const { status, headers } = await fetchApi(`${url}?w=640&f=avif`);
    expect([status, headers.get('location')]).toEqual([302, `${PHOTO}?w=640&f=avif`]);
  });
});

describe('the script of a page that Studio shows', () => {
  it('runs what Studio sends and reads again, and listens to no other origin', async () => {
    const [code = ''] = blocksOf('Studio shows the page');
    const done: unknown[] = [];
    let listen: (message: object) => void = () => {};
    await run(code, {
      addEventListener: (_: string, listener: typeof listen) => {
        listen = listener;
      },
      location: { reload: () => done.push('reload') },
      parent: { postMessage: (...message: unknown[]) => done.push(message) },
      document: {
        createElement: () => ({}),
        head: { append: ({ textContent }: { textContent: string }) => done.push(textContent) },
      },
    });
    const script = { type: 'strapiScript', payload: { script: 'run this' } };
    for (const origin of ['https://other.example', API])
      for (const data of [script, { type: 'strapiUpdate' }]) listen({ origin, data });
    expect(done).toEqual([[{ type: 'previewReady' }, '*'], 'run this', 'reload']);
  });
});

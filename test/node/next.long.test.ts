/**
 * @module The guides for Next in docs/clients.md, docs/previews.md and docs/webhooks.md, built by Next as one site against a server with the
 * demo: draft mode, cookies, cache, previews and webhooks are the real ones.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { serveDemo } from '../clients/served-demo.ts';
import { type BuiltSite, makeSite } from '../support/built-site.ts';
import { exampleFiles } from '../support/examples.ts';
import { codeBelow } from '../support/pages.ts';
import { callerOf, type ServedDocument, type ServedProject } from '../support/served-project.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = [
  'next@16.4.6',
  'react@19.3.0',
  'react-dom@19.3.0',
  'typescript@5.9.3',
  '@types/react@19.3.0',
  '@types/node@24',
];
const NEXT = 'node_modules/.bin/next';
const SECRET = `whsec_${btoa('a key of twenty-four byt')}`;

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const [preview = '', reader = ''] = codeBelow(textOf('docs/previews.md'), 'Next 16');
const [tagged = '', revalidate = ''] = codeBelow(textOf('docs/webhooks.md'), 'Next.js');

const examples = exampleFiles();

const FILES = {
  'package.json': '{ "private": true }',
  'tsconfig.json': '{ "compilerOptions": { "strict": true } }',
  'types/content-types.d.ts': textOf('types/content-types.d.ts'),
  'app/api/preview/route.ts': preview,
  'app/api/revalidate/route.ts': revalidate,
  'app/read.ts': reader,
  'lib/read.ts': tagged,
  'app/client.ts': (examples.get('app/client.ts') ?? '').replace(
    "'https://api.example.com'",
    "String(process.env['API_URL'])",
  ),
  'lib/media.ts': examples.get('lib/media.ts') ?? '',
  'app/guide/[slug]/page.tsx': examples.get('app/articles/[slug]/page.tsx') ?? '',
  'app/layout.tsx': `export default ({ children }: { children: React.ReactNode }) => <html><body>{children}</body></html>;`,
  'app/articles/[slug]/page.tsx': `import { readArticle } from '../../read';
    export const generateStaticParams = () => [{ slug: 'the-night-ferry-to-nowhere' }];
    export default async function Page({ params }: { params: Promise<{ slug: string }> }) {
      return <h1>{(await readArticle((await params).slug))?.title ?? 'Nothing'}</h1>;
    }`,
  'app/authors/page.tsx': `import { read } from '../../lib/read';
    export default async function Page() {
      const { data } = await (await read(process.env.API_URL + '/api/authors?sort=slug')).json();
      return <h1>{data[0].name + ' ' + Date.now()}</h1>;
    }`,
};

let demo: ServedProject;
let call: ReturnType<typeof callerOf>;
let built: BuiltSite;
let site: string;
/** Path of the article in the API. */
let article: string;
const PAGE = '/articles/the-night-ferry-to-nowhere';
/** The page of docs/clients.md. */
const GUIDE = '/guide/the-night-ferry-to-nowhere';

beforeAll(async () => {
  const port = await freePort();
  site = `http://127.0.0.1:${port}`;
  const settings: SettingsInput = {
    preview: {
      'api::article.article': { url: `${site}/api/preview?path=/articles/{slug}&status={status}&token={token}` },
    },
    webhooks: [
      { url: `${site}/api/revalidate`, events: ['entry.*', 'media.*'], secret: 'WEBHOOK_SECRET', allowPrivate: true },
    ],
  };
  // Takes the messages about the demo content, which would be sent again to the site.
  const earlier = createServer((_, response) => response.end()).listen(port, '127.0.0.1');
  const secret = `WEBHOOK_SECRET=${SECRET}\n`;
  demo = await serveDemo(settings, (folder) => appendFileSync(join(folder, '.dev.vars'), secret));
  call = callerOf(demo);
  const named = '/api/articles?filters[slug]=the-night-ferry-to-nowhere';
  const [found] = await call<readonly ServedDocument[]>('GET', named);
  article = `/api/articles/${found?.documentId}`;
  const env = { API_URL: demo.url, WEBHOOK_SECRET: SECRET, NEXT_TELEMETRY_DISABLED: '1' };
  built = makeSite('next', FILES, PACKAGES, env);
  built.run(NEXT, 'build');
  await new Promise((closed) => earlier.close(closed));
  await built.serve(site, NEXT, 'start', '-p', String(port), '-H', '127.0.0.1');
});

afterAll(async () => {
  built?.remove();
  await demo?.stop();
});

/** Returns the heading of a page. */
async function heading(path: string, cookie = ''): Promise<string | undefined> {
  return /<h1>(.*?)<\/h1>/.exec(await (await fetch(site + path, { headers: { cookie } })).text())?.[1];
}

async function open(status: string): Promise<string> {
  const link = await call('POST', `${article}/actions/preview-link?status=${status}`);
  const response = await fetch(String(link.url), { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([307, PAGE]);
  const cookies = response.headers.getSetCookie();
  expect(cookies.find((each) => each.startsWith('preview='))).toMatch(/HttpOnly/);
  return cookies.map((each) => each.split(';')[0]).join('; ');
}

describe('a site with Next', () => {
  it('shows the draft to whoever has the link, with source maps, and the published version to others', async () => {
    await call('PUT', `${article}?status=draft`, { title: 'Draft' });
    expect(await heading(PAGE)).toBe('The Night Ferry to Nowhere');
    const cookie = await open('draft');
    for (const page of [PAGE, GUIDE]) expect(await heading(page, cookie)).toMatch(/^Draft[\u200b-\u200d\ufeff]{400,}$/);
    expect(await heading(PAGE, await open('published'))).toBe('The Night Ferry to Nowhere');
    expect(await heading(PAGE)).toBe('The Night Ferry to Nowhere');
  });

  it('keeps a page until something that it shows is published', async () => {
    const authors = await heading('/authors');
    await call('PUT', article, { title: 'Changed' });
    for (const page of [PAGE, GUIDE]) await expect.poll(() => heading(page)).toBe('Changed');
    expect(await heading('/authors')).toBe(authors);
    const [author] = await call<readonly ServedDocument[]>('GET', '/api/authors?sort=slug');
    await call('PUT', `/api/authors/${author?.documentId}`, { name: 'Another name' });
    await expect.poll(() => heading('/authors')).toMatch(/^Another name /);
  });

  it('shows nobody what was unpublished', async () => {
    await call('POST', `${article}/actions/unpublish`);
    await expect.poll(() => heading(PAGE)).toBe('Nothing');
    await expect.poll(async () => (await fetch(site + GUIDE)).status).toBe(404);
  });

  it('refuses a message without a signature', async () => {
    const response = await fetch(`${site}/api/revalidate`, { method: 'POST', body: '{}' });
    expect([response.status, await response.text()]).toEqual([401, 'The header webhook-id is missing']);
  });
});

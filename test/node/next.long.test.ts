/**
 * @module The guide of docs/previews.md for Next, built by Next and served: its types, its draft mode and its cookies are the
 * real ones. The API is a stand-in; test/unit/preview-guides.test.ts has the real one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { type BuiltSite, makeSite } from '../support/built-site.ts';
import { codeBelow } from '../support/pages.ts';

const PACKAGES = [
  'next@16.4.6',
  'react@19.3.0',
  'react-dom@19.3.0',
  'typescript@5.9.3',
  '@types/react@19.3.0',
  '@types/node@24',
];
const NEXT = 'node_modules/.bin/next';

const [route = '', reader = ''] = codeBelow(
  readFileSync(join(import.meta.dirname, '../../docs/previews.md'), 'utf8'),
  'Next 16',
);
const FILES = {
  'package.json': '{ "private": true }',
  'app/api/preview/route.ts': route,
  'app/read.ts': reader,
  'app/layout.tsx': `export default ({ children }: { children: React.ReactNode }) => <html><body>{children}</body></html>;`,
  'app/articles/[slug]/page.tsx': `import { readArticle } from '../../read';
    export default async function Page({ params }: { params: Promise<{ slug: string }> }) {
      return <h1>{(await readArticle((await params).slug))?.title}</h1>;
    }`,
};

let built: BuiltSite;
let site: string;
let server: ChildProcess;

beforeAll(async () => {
  built = await makeSite('next', FILES, 'Draft', { NEXT_TELEMETRY_DISABLED: '1' });
  const { folder, env, run } = built;
  run('npm', 'install', '--no-audit', '--no-fund', '--include=dev', ...PACKAGES);
  run(NEXT, 'build');
  const port = await freePort();
  site = `http://127.0.0.1:${port}`;
  server = spawn(NEXT, ['start', '-p', String(port), '-H', '127.0.0.1'], { cwd: folder, env, stdio: 'ignore' });
  await vi.waitFor(() => fetch(site), { timeout: 60_000, interval: 200 });
});

afterAll(() => {
  server?.kill();
  built?.remove();
});

/** Returns the text of the page. */
async function shown(cookie = ''): Promise<string | undefined> {
  return /<h1>(.*?)<\/h1>/.exec(await (await fetch(`${site}/articles/harbour`, { headers: { cookie } })).text())?.[1];
}

async function open(status: string): Promise<string> {
  const query = `slug=harbour&locale=en&status=${status}&token=preview_x`;
  const response = await fetch(`${site}/api/preview?${query}`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([307, '/articles/harbour']);
  const cookies = response.headers.getSetCookie();
  expect(cookies.find((each) => each.startsWith('preview='))).toMatch(/HttpOnly/);
  return cookies.map((each) => each.split(';')[0]).join('; ');
}

it('shows the draft to whoever has the link, and the published version to others', async () => {
  expect(await shown()).toBe('Published');
  expect(await shown(await open('draft'))).toBe('Draft');
  expect(await shown(await open('published'))).toBe('Published');
  expect(await shown()).toBe('Published');
});

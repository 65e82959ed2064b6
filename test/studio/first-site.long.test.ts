/**
 * @module The first site of somebody who has the packed package alone: a project with two content types, an editor, an article
 * with a picture, and its preview. npm installs everything, and Chromium is the editor's.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { type Commands, commandsIn, type Ended, interrupt, newerPath } from '../node/first-hour/clone.ts';
import { test } from './fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const PICTURE = join(ROOT, 'demo/media/clock.png');
const MINUTES = 600_000;

let folder: string;
let root: string;
let site: Commands;

interface Answer {
  readonly data?: { readonly title: string };
}

const done = ({ code, output }: Ended): string => {
  expect(code, output).toBe(0);
  return output;
};

const edit = (path: string, change: (text: string) => string): void => {
  const text = readFileSync(join(root, path), 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(join(root, path), changed);
};

/** As in docs/content-types.md. */
function addAuthors(): void {
  mkdirSync(join(root, 'content-types/author'));
  writeFileSync(
    join(root, 'content-types/author/schema.json'),
    JSON.stringify({
      kind: 'collectionType',
      collectionName: 'authors',
      info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
      attributes: { name: { type: 'string', required: true } },
    }),
  );
  const relation = { type: 'relation', relation: 'manyToOne', target: 'api::author.author' };
  edit('content-types/article/schema.json', (text) => {
    const schema = JSON.parse(text);
    return JSON.stringify({ ...schema, attributes: { ...schema.attributes, author: relation } }, null, 2);
  });
}

/** The page of an article: its title, read with the token of a preview. */
async function openFrontEnd(api: string) {
  const server = createServer(async ({ url = '' }, response) => {
    const { searchParams } = new URL(url, api);
    const authorization = `Bearer ${searchParams.get('token')}`;
    const path = `/api/articles/${searchParams.get('id')}?status=${searchParams.get('status')}&fields=title`;
    const { data } = (await (await fetch(api + path, { headers: { authorization } })).json()) as Answer;
    response.setHeader('content-type', 'text/html; charset=utf-8').end(`<h1>${data?.title}</h1>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-first-site-'));
  root = join(folder, 'my-site');
  done(await commandsIn(ROOT).run('npm', 'pack', '--pack-destination', folder));
  const beside = commandsIn(folder, newerPath);
  const [packed = ''] = globSync('edgewise-*.tgz', { cwd: folder });
  done(await beside.run('npm', 'exec', '--yes', `--package=./${packed}`, '--', 'edgewise', 'new', 'my-site'));
  site = commandsIn(root, newerPath);
}, MINUTES);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a first site', { timeout: MINUTES }, () => {
  test('passes its own checks', async () => {
    done(await site.run('npm', 'run', 'check'));
  });

  test('is written by an editor in Studio, and shown by a page', async ({ studio }) => {
    const port = await freePort();
    const api = `http://127.0.0.1:${port}`;
    const front = await openFrontEnd(api);
    const url = `${front.origin}/?id={documentId}&status={status}&token={token}`;
    addAuthors();
    edit('edgewise.config.ts', (text) =>
      text.replace('defineConfig({', `defineConfig({\n  preview: { 'api::article.article': { url: '${url}' } },`),
    );
    const server = site.start('npm', 'run', 'dev', '--', '--port', String(port));
    try {
      await server.says('Ctrl-C stops the server', MINUTES);
      const account = ['--email', 'ann@example.com', '--role', 'editor', '--json'];
      const { password } = JSON.parse(done(await site.run('npx', 'edgewise', 'user', 'create', ...account)));

      const { page } = studio;
      await page.setViewportSize({ width: 1600, height: 1000 });
      const field = (name: string) => page.getByLabel(new RegExp(`^${name}`)).first();
      const said = (text: string) => page.locator('.toast', { hasText: text }).first().waitFor();
      await page.goto(`${api}/studio/`);
      await page.getByRole('tab', { name: 'Account' }).click();
      await page.getByLabel('User name or e-mail address').fill('ann@example.com');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('link', { name: 'Authors', exact: true }).first().click();
      await page.getByRole('link', { name: 'New' }).first().click();
      await field('Name').fill('Ann');
      await page.keyboard.press('Control+s');
      await said('Created');
      await page.getByRole('link', { name: 'Articles', exact: true }).first().click();
      await page.getByRole('link', { name: 'New' }).first().click();
      await field('Title').fill('Harbour lights');
      const cover = page.getByRole('group', { name: 'Cover' });
      await cover.getByRole('button', { name: 'Choose a file' }).click();
      await page.getByRole('dialog').locator('input[type=file]').setInputFiles(PICTURE);
      await page.getByRole('dialog').getByText('clock.png').first().waitFor();
      await page
        .getByRole('button', { name: /^(Choose|Use)/ })
        .last()
        .click();
      await cover.locator('img').first().waitFor();
      await page.keyboard.press('Control+s');
      await said('Created');

      await page.getByRole('button', { name: 'Show the page' }).click();
      const shown = page.frameLocator('iframe[title="The page"]');
      await shown.getByText('Harbour lights').waitFor();
      const articles = `${api}/api/articles?populate=cover`;
      expect(await (await fetch(articles)).json()).toMatchObject({ data: [] });
      await page.keyboard.press('Control+Enter');
      await page.getByRole('dialog').getByLabel('clock.png').fill('A clock');
      await page.getByRole('button', { name: 'Save and publish' }).click();
      await said('Published');
      const { data } = (await (await fetch(articles)).json()) as { data: { title: string; cover: { url: string } }[] };
      expect(data).toMatchObject([
        { title: 'Harbour lights', slug: 'harbour-lights', cover: { alternativeText: 'A clock' } },
      ]);
      expect((await fetch(new URL(data[0]?.cover.url ?? '', api))).headers.get('content-type')).toBe('image/png');
    } finally {
      front.stop();
      await interrupt(server);
    }
  });
});

/**
 * @module The explorer: requests by clicking and typing, their code, and errors.
 */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import qs from 'qs';
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { accountOf, api, type Studio, test, unique } from './fixture.ts';

const { strapi } = createRequire(join(import.meta.dirname, '../clients/package.json'))('@strapi/client');
const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;

const requestOf = (page: Page): string =>
  new URLSearchParams(page.url().split('?').slice(1).join('?')).get('request') ?? '';

const explore = (studio: Studio, address: string) => studio.open(`#/explorer?request=${encodeURIComponent(address)}`);

/** Runs the code of a tab. `import` lines cannot stand in a function. */
async function run(name: string, code: string, token: string): Promise<unknown> {
  const env = { ...process.env, TOKEN: token };
  if (name === 'curl')
    return JSON.parse(execFileSync('sh', ['-c', code.replace('curl', 'curl -s')], { env, encoding: 'utf8' }));
  const body = `${code.replace(/^import .*$/gm, '')}\nreturn answer;`;
  return new AsyncFunction('qs', 'strapi', 'process', body)(qs, strapi, { env });
}

describe('the explorer', () => {
  test('makes a request by clicking, and reads one that was typed', async ({ studio }) => {
    await studio.signIn();
    const page = await explore(studio, '/api/articles');
    await page.getByText('Fields', { exact: true }).click();
    await page.getByLabel('Title', { exact: true }).check();
    await page.getByText('Populate', { exact: true }).click();
    await page.getByLabel('Tags', { exact: true }).check();
    await page.getByLabel('Only their number').check();
    await page.getByLabel('status').selectOption('draft');
    expect(requestOf(page)).toBe('/api/articles?fields[0]=title&populate[tags][count]=true&status=draft');
    await page.getByLabel('Only their number').uncheck();
    await page.getByLabel('limit', { exact: true }).first().fill('2');
    await expect.poll(() => requestOf(page)).toBe('/api/articles?fields[0]=title&populate[tags][limit]=2&status=draft');

    const address = page.getByLabel('Address');
    await address.fill('/api/articles?fields=slug&sort=title,rating:desc');
    await address.press('Enter');
    await expect.poll(() => page.getByLabel('Title', { exact: true }).isChecked()).toBe(false);
    expect(await page.getByLabel('Slug', { exact: true }).isChecked()).toBe(true);
    expect(await page.locator('summary', { hasText: 'Sort' }).first().textContent()).toContain('2');
  });

  test('sends nothing to other servers', async ({ studio }) => {
    await studio.signIn();
    const page = await explore(studio, '//elsewhere.example/api/articles');
    await page.getByText('Only addresses of this server’s API').waitFor();
    expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
  });

  test('names what an error is about, and signs nobody out', async ({ studio }) => {
    await studio.signIn();
    const page = await explore(studio, '/api/articles?filters[titel]=x');
    await page.getByRole('alert').getByText('Invalid key titel').waitFor();
    await page.getByText('docs/reading.md#filters').waitFor();
    expect(await page.getByRole('link', { name: 'Strapi’s page about filters' }).getAttribute('href')).toContain(
      'docs.strapi.io',
    );
    await explore(studio, '/api/users/me');
    await page.getByRole('alert').getByText('Unauthorized').waitFor();
    await page.getByRole('button', { name: 'Run' }).waitFor();
  });

  test('shows code that gets the response it shows, without the token', async ({ studio }) => {
    const { username } = await accountOf('reader');
    const title = unique(`It's a "night" \`$(x)\` ☃ & more`);
    const { data } = await api('POST', '/api/articles', { data: { title, rating: 4.315, tone: 'serious' } });
    await studio.signIn();
    for (const address of [
      `/api/articles?filters[title]=${encodeURIComponent(title)}&populate=*`,
      `/api/articles/${data.documentId}?fields=title,rating&status=draft`,
      '/api/articles?filters[rating][$between][0]=4.310&filters[rating][$between][1]=4.320&sort=id&pagination[after]=&pagination[limit]=2&fields=id',
      `/api/users?filters[username][$eq]=${username}&fields=username`,
    ]) {
      const page = await explore(studio, address);
      const expected = await api('GET', address);
      const token = await page.evaluate<string>("JSON.parse(sessionStorage.getItem('studio.session')).token");
      for (const name of ['curl', 'fetch', 'qs', '@strapi/client']) {
        await page.getByRole('tab', { name, exact: true }).click();
        const code = (await page.getByRole('tabpanel', { name, exact: true }).locator('pre').textContent()) ?? '';
        expect(code).not.toContain(token);
        expect(await run(name, code, token), `${name} of ${address}`).toEqual(expected);
      }
    }
  });

  test('builds a request by clicking, sends it, and explains a refusal', async ({ studio }) => {
    const title = unique('Explored');
    await api('POST', '/api/articles', { data: { title } });
    await studio.signIn();
    const request = `/api/articles?filters[title][$eq]=${title}`;
    const page = await studio.open(`#/explorer?request=${encodeURIComponent(request)}`);
    await page.getByText(`"${title}"`).first().waitFor();
    await page.getByText(/1 round trip/).waitFor();
    await page.getByText('Fields', { exact: true }).click();
    await page.getByLabel('Title', { exact: true }).first().check();
    await expect.poll(() => decodeURIComponent(decodeURIComponent(page.url()))).toContain('fields');
    await page.getByRole('tab', { name: '@strapi/client' }).click();
    await page.getByText(/strapi\(\{ baseURL/).waitFor();
    const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('studio.session') ?? '').token);
    expect(await page.locator('main').textContent()).not.toContain(token);

    await studio.open(`#/explorer?request=${encodeURIComponent('/api/articles?sort=nothing:asc')}`);
    await page.getByText('Invalid key nothing').first().waitFor();
    await page
      .getByRole('link', { name: /docs|documentation|Strapi/i })
      .first()
      .waitFor();
  });
});

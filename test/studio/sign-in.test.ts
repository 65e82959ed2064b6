/**
 * @module Signing in to Studio, and out.
 */
import { describe, expect } from 'vitest';
import { accountOf, test } from './fixture.ts';

describe('signing in', () => {
  test('takes an account, keeps its token out of the address, and forgets it', async ({ studio }) => {
    const { username, password, jwt } = await accountOf('editor');
    const page = await studio.open();
    await page.getByLabel('User name or e-mail address').fill(username);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Invalid identifier or password').waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Article', exact: true }).first().waitFor();
    expect(page.url()).not.toContain(jwt.slice(0, 20));
    expect(await page.evaluate(() => [JSON.stringify(localStorage), document.cookie])).toEqual(['{}', '']);
    await page.reload();
    await page.getByText(username).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('studio.session'))).toBeNull();
  });

  test('refuses a token that is none, and lets visitors see what the public may', async ({ studio }) => {
    const page = await studio.open();
    await page.getByRole('tab', { name: 'API token' }).click();
    await page.getByLabel('API token').last().fill('no token');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This token is not valid here.').waitFor();
    await page.getByRole('button', { name: 'Look around without signing in' }).click();
    await page.getByRole('link', { name: 'Article', exact: true }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Media' }).count()).toBe(0);
    await page.goto(`${studio.url}/studio/#/content/articles`);
    await page.getByRole('heading', { name: 'Article' }).waitFor();
    expect(await page.getByRole('link', { name: 'New' }).count()).toBe(0);
  });
});

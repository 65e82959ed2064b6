/**
 * @module Sessions of users: access tokens that expire, and sessions that end.
 */
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { accountOf, api, test, unique } from './fixture.ts';

const sessionOf = (page: Page) => page.evaluate(() => JSON.parse(sessionStorage.getItem('studio.session') ?? 'null'));

describe('a session', () => {
  test('goes on after its access token has expired, in all its tabs, until one signs out', async ({ studio }) => {
    const account = await accountOf('editor');
    await studio.signIn(account);
    const page = await studio.open('#/content/tags');
    const opened = page.waitForEvent('popup');
    await page.evaluate(() => void window.open(location.href));
    const duplicate = await opened;
    await duplicate.getByRole('heading', { name: 'Tag' }).waitFor();
    await page.evaluate(() => {
      const session = JSON.parse(sessionStorage.getItem('studio.session') ?? '');
      sessionStorage.setItem('studio.session', JSON.stringify({ ...session, token: 'expired' }));
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Tag' }).waitFor();
    const { refreshToken } = await sessionOf(page);
    expect(refreshToken).not.toBe(account.refreshToken);
    await expect.poll(async () => (await sessionOf(duplicate)).refreshToken).toBe(refreshToken);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    await expect(api('POST', '/api/auth/refresh', { refreshToken }, '')).rejects.toThrow('401');
  });

  test('that ends during a save loses nothing: one signs in again, and saves', async ({ studio }) => {
    const account = await accountOf('editor');
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Expired') } });
    await studio.signIn(account);
    const page = await studio.open(`#/content/articles/${data.documentId}`);
    const requests = async () => {
      await page.getByRole('button', { name: 'Requests of this page' }).click();
      return page.getByRole('dialog', { name: 'Requests of this page' }).textContent();
    };
    await page.getByLabel('Summary').fill('Typed before.');
    const setAccessCode = async () => {
      await page.getByRole('button', { name: 'Set a new password: Access code' }).click();
      await page.getByLabel('Access code', { exact: true }).fill('open-sesame');
    };
    await setAccessCode();
    await api('POST', '/api/auth/logout', {}, account.jwt);
    await page.keyboard.press('Control+s');
    await page.getByLabel('User name or e-mail address').fill(account.username);
    await page.getByLabel('Password').fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByText('Your unsaved changes').waitFor();
    expect(await page.getByLabel('Summary').inputValue()).toBe('Typed before.');
    expect(await requests()).not.toContain('Typed before.');
    await page.keyboard.press('Escape');
    await setAccessCode();
    await page.keyboard.press('Control+s');
    const summary = async () => (await api('GET', `/api/articles/${data.documentId}?status=draft`)).data.summary;
    await expect.poll(summary).toBe('Typed before.');
    const shown = await requests();
    expect(shown).toContain('Typed before.');
    expect(shown).not.toContain('sesame');
  });
});

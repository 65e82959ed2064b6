/**
 * @module "My account" links a provider with the account, and unlinks it.
 */
import { describe, expect } from 'vitest';
import { accountOf, type Studio, test } from './fixture.ts';

const IDENTITIES = '**/api/users/me/identities';
const CREATED = '2026-05-06T07:08:09.000Z';

/** Stands for the provider, which leads back with these parameters. */
const leadBack = ({ page }: Studio, parameters: string) =>
  page.route('**/api/connect/company?*', (route) => {
    const back = new URL(new URL(route.request().url()).searchParams.get('callback') ?? '');
    const location = `${back.origin}${back.pathname}${back.search}&${parameters}${back.hash}`;
    return route.fulfill({ status: 302, headers: { location } });
  });

/** Stands for the identities of the user, and returns what was sent to link one. */
async function keepIdentities({ page }: Studio, providers: string[]): Promise<unknown[]> {
  const sent: unknown[] = [];
  await page.route(IDENTITIES, (route) => {
    if (route.request().method() === 'GET')
      return route.fulfill({ json: { data: providers.map((provider) => ({ provider, createdAt: CREATED })) } });
    const body = route.request().postDataJSON();
    sent.push(body);
    if (body.currentPassword === 'wrong')
      return route.fulfill({
        status: 400,
        json: { error: { message: 'The provided current password is invalid' } },
      });
    providers.push('company');
    return route.fulfill({ status: 201, json: { data: { provider: 'company', createdAt: CREATED } } });
  });
  await page.route(`${IDENTITIES}/company`, (route) => {
    providers.pop();
    return route.fulfill({ json: { data: {} } });
  });
  return sent;
}

describe('the own account', () => {
  test('links a provider with the verifier of this browser and the password, and unlinks it', async ({ studio }) => {
    await leadBack(studio, 'access_token=a-one-time-token');
    const sent = await keepIdentities(studio, []);
    const { page } = studio;
    const account = await accountOf('manager');
    await studio.signIn(account);
    await studio.open('#/account');
    await page.getByRole('button', { name: 'Link Company' }).click();
    const section = page.locator('section', { hasText: 'Signing in by providers' });
    await section.getByLabel('Current password').fill('wrong');
    expect(page.url()).toBe(`${studio.url}/studio/#/account`);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('studio.provider');
    expect(await studio.axe()).toEqual([]);
    await section.getByRole('button', { name: 'Link Company' }).click();
    await section.getByRole('alert').getByText('The provided current password is invalid').waitFor();
    await section.getByRole('button', { name: 'Cancel' }).click();
    expect(await section.getByLabel('Current password').count()).toBe(0);
    await section.getByRole('button', { name: 'Link Company' }).click();
    await section.getByLabel('Current password').fill(account.password);
    await section.getByRole('button', { name: 'Link Company' }).click();
    await section.getByRole('button', { name: 'Unlink Company' }).waitFor();
    expect(sent.at(-1)).toEqual({
      access_token: 'a-one-time-token',
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      currentPassword: account.password,
    });
    expect(await section.getByLabel('Current password').count()).toBe(0);
    await section.getByRole('button', { name: 'Unlink Company' }).click();
    await page.getByRole('dialog', { name: 'Unlink Company?' }).getByRole('button', { name: 'Unlink' }).click();
    await section.getByText('Nothing is here.').waitFor();
  });

  test('says why a provider did not sign in, and why one stays linked', async ({ studio }) => {
    await leadBack(studio, 'error=access_denied&error_description=The+person+said+no');
    await keepIdentities(studio, ['old']);
    const { page } = studio;
    const message = 'Nothing else signs you in: link another provider or choose a password first';
    await page.route(`${IDENTITIES}/old`, (route) => route.fulfill({ status: 400, json: { error: { message } } }));
    await studio.signIn(await accountOf('manager'));
    await studio.open('#/account');
    await page.getByRole('button', { name: 'Link Company' }).click();
    await page.getByRole('alert').getByText('The provider did not sign you in: The person said no').waitFor();
    expect(await studio.axe()).toEqual([]);
    await page.getByRole('button', { name: 'Unlink Old' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await page.getByRole('region', { name: 'Notifications' }).getByText(message).waitFor();
  });

  test('takes no sign-in that another user has begun to link, or nobody', async ({ studio }) => {
    const sent = await keepIdentities(studio, []);
    await studio.signIn(await accountOf('manager'));
    const { page } = studio;
    await studio.open('#/');
    const begun = { provider: 'company', verifier: 'v', hash: '#/account', at: Date.now(), user: 'another' };
    await page.evaluate((value) => localStorage.setItem('studio.provider.x', value), JSON.stringify(begun));
    for (const id of ['x', 'y']) {
      await page.goto(`${studio.url}/studio/?begun=${id}&access_token=of-an-attacker#/account`);
      await expect.poll(() => page.url()).not.toContain('access_token');
      await page.goto(`${studio.url}/studio/#/account`);
      await page.getByRole('button', { name: 'Link Company' }).waitFor();
      expect(await page.getByRole('heading', { name: 'My account' }).count()).toBe(1);
    }
    expect(sent).toEqual([]);
  });

  test('neither links nor signs in by a sign-in that was begun to link, once its user is signed out', async ({
    studio,
  }) => {
    await leadBack(studio, 'access_token=a-one-time-token');
    await keepIdentities(studio, []);
    const { page } = studio;
    let exchanges = 0;
    await page.route('**/api/auth/company/callback?*', (route) => {
      exchanges += 1;
      return route.abort();
    });
    await studio.signIn(await accountOf('manager'));
    await studio.open('#/account');
    await page.evaluate(() => window.addEventListener('pagehide', () => sessionStorage.removeItem('studio.session')));
    await page.getByRole('button', { name: 'Link Company' }).click();
    await page.getByRole('alert').getByText('You were signed out meanwhile.').waitFor();
    expect(exchanges).toBe(0);
    expect(page.url()).not.toContain('access_token');
  });
});

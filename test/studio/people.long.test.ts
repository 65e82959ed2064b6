/**
 * @module People: users, their sessions and roles, and the own account.
 */
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { accountOf, api, test, unique } from './fixture.ts';

const PASSWORD = 'another long secret';

const userOf = async (email: string) => (await api('GET', `/api/users?filters[email]=${email}&populate=role`))[0];

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('a manager of users', () => {
  test('invites a user, who chooses a password and is signed in', async ({ studio, another }) => {
    const email = `${unique('invited')}@example.com`;
    await studio.signIn(await accountOf('manager'));
    const page = await studio.open('#/people');
    await press(page, 'Invite');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByLabel('Role').selectOption({ label: 'Editor' });
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Invited', { exact: true }).waitFor();
    expect(await userOf(email)).toMatchObject({ username: email, confirmed: false, role: { type: 'editor' } });
    const guest = await another();
    const link = await guest.linkTo(email);
    expect(link).toContain('/studio/#/reset?code=');
    const own = await guest.open(new URL(link).hash);
    expect(await guest.axe()).toEqual([]);
    await fill(own, { 'New password': PASSWORD, 'Repeat the password': `${PASSWORD}!` });
    await press(own, 'Save and sign in');
    await own.getByText('Passwords do not match').waitFor();
    await fill(own, { 'Repeat the password': PASSWORD });
    await press(own, 'Save and sign in');
    await own.getByRole('link', { name: 'Articles', exact: true }).first().waitFor();
    expect(own.url()).not.toContain('code');
    await guest.open(new URL(link).hash);
    await fill(own, { 'New password': PASSWORD, 'Repeat the password': PASSWORD });
    await press(own, 'Save and sign in');
    await own.getByText('Incorrect code provided').waitFor();
  });

  test('sees the link once where no message can be sent, before users are read again', async ({ studio }) => {
    await studio.signIn(await accountOf('manager'));
    const page = await studio.open('#/people');
    await page.route('**/api/users/invite', (route) =>
      route.fulfill({ status: 201, json: { user: {}, sent: false, link: '/studio/#/reset?code=abc' } }),
    );
    await press(page, 'Invite');
    await page.getByRole('dialog').getByLabel('E-mail address').fill('nobody@example.com');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/users?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText(`${studio.url}/studio/#/reset?code=abc`).waitFor();
    release();
    expect(await studio.axe()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByText('code=abc').count()).toBe(0);
  });

  test('sees the link also where the dialog was closed before it came, until the next user signs in', async ({
    studio,
  }) => {
    await studio.signIn(await accountOf('manager'));
    const page = await studio.open('#/people');
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/users/invite', async (route) => {
      await held;
      await route.fulfill({ status: 201, json: { user: {}, sent: false, link: '/studio/#/reset?code=late' } });
    });
    await press(page, 'Invite');
    await page.getByRole('dialog').getByLabel('E-mail address').fill('nobody@example.com');
    const sent = page.waitForRequest('**/api/users/invite');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await sent;
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Roles' }).click();
    release();
    const toast = page.locator('.toast', { hasText: `${studio.url}/studio/#/reset?code=late` });
    await toast.getByRole('button', { name: 'Copy the link' }).waitFor();
    expect(await studio.axe()).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await toast.waitFor({ state: 'detached' });
  });

  test('creates, finds, changes, blocks and deletes a user', async ({ studio }) => {
    const name = unique('wanda');
    const email = `${name}@example.com`;
    await studio.signIn(await accountOf('manager'));
    const page = await studio.open('#/people');
    await press(page, 'New user');
    await fill(page, { 'E-mail address': email, 'User name': name, Password: PASSWORD });
    await press(page, 'Create');
    await page.getByText('Created').waitFor();
    const { jwt } = await api('POST', '/api/auth/local', { identifier: name, password: PASSWORD }, '');
    await page.getByLabel('Search users').fill(name);
    await page.getByText('1 user', { exact: true }).waitFor();
    const row = page.getByRole('row', { name });
    await row.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('link', { name }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Sessions').waitFor();
    await dialog.getByRole('button', { name: 'End', exact: true }).click();
    await dialog.getByText('Nothing is here.').waitFor();
    await expect(api('GET', '/api/users/me', undefined, jwt)).rejects.toThrow('401');
    await dialog.getByLabel('Role').selectOption({ label: 'Reader' });
    await dialog.getByLabel('User name').fill(`${name}-2`);
    await press(page, 'Save');
    await page.getByText('Saved').waitFor();
    expect(await userOf(email)).toMatchObject({ username: `${name}-2`, role: { type: 'reader' }, blocked: false });
    await press(page, 'Block');
    await dialog.getByRole('button', { name: 'Unblock' }).waitFor();
    expect(await userOf(email)).toMatchObject({ blocked: true });
    await page.locator('tbody').getByText('Blocked').waitFor();
    expect(await studio.axe()).toEqual([]);
    await press(page, 'Delete');
    await page
      .getByRole('dialog', { name: /^Delete/ })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText('No user is found').first().waitFor();
    expect(await userOf(email)).toBeUndefined();
    await page.getByRole('button', { name: 'Requests of this page' }).click();
    const requests = page.getByRole('dialog', { name: 'Requests of this page' });
    expect(await requests.textContent()).toContain('/api/users');
    expect(await requests.textContent()).not.toContain(PASSWORD);
  });

  test('sends what was changed alone, and keeps what is typed while something else changes', async ({ studio }) => {
    const { username, documentId } = await accountOf('reader');
    const user = async () => userOf(`${username}@example.com`);
    const { id } = await user();
    const { roles } = await api('GET', '/api/users-permissions/roles');
    const editor = roles.find(({ type }: { type: string }) => type === 'editor').id;
    await studio.signIn(await accountOf('manager'));
    const page = await studio.open(`#/people?person=${id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').fill(`${username}-2`);
    await dialog.getByLabel('New password').fill(PASSWORD);
    await api('PUT', `/api/users/${id}`, { role: editor });
    await press(page, 'Block');
    await dialog.getByRole('button', { name: 'Unblock' }).waitFor();
    expect(await dialog.getByLabel('User name').inputValue()).toBe(`${username}-2`);
    await api('PUT', `/api/users/${id}`, { role: roles.find(({ type }: { type: string }) => type === 'host').id });
    const sent: unknown[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON()));
    await press(page, 'Save');
    await page.getByText('Saved').waitFor();
    expect(sent).toEqual([{ username: `${username}-2`, password: PASSWORD }]);
    expect(await user()).toMatchObject({ documentId, username: `${username}-2`, role: { type: 'host' } });
    await expect.poll(() => dialog.getByLabel('Role').locator('option:checked').textContent()).toBe('Host');
  });

  test('asks before a name takes the place of one that another manager has given to the user', async ({ studio }) => {
    const { username } = await accountOf('reader');
    const { id } = await userOf(`${username}@example.com`);
    const nameOf = async () => (await userOf(`${username}@example.com`)).username;
    await studio.signIn(await accountOf('manager'));
    const page = await studio.open(`#/people?person=${id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').fill(`${username}-mine`);
    await api('PUT', `/api/users/${id}`, { username: `${username}-theirs` });
    // Reads the user again under what is typed.
    await press(page, 'Block');
    await dialog.getByRole('button', { name: 'Unblock' }).waitFor();
    await press(page, 'Save');
    await dialog.getByRole('alert').getByText('It was changed meanwhile. Read it again.').waitFor();
    expect(await nameOf()).toBe(`${username}-theirs`);
    await press(page, 'Save');
    await expect.poll(nameOf).toBe(`${username}-mine`);
  });

  test('gives no role to a user without one by saving the name', async ({ studio }) => {
    const { username } = await accountOf('reader');
    const { id } = await userOf(`${username}@example.com`);
    await studio.signIn(await accountOf('manager'));
    const { page } = studio;
    const user = { ...(await userOf(`${username}@example.com`)), role: null };
    await page.route('**/api/users?*', (route) => route.fulfill({ json: [user] }));
    await studio.open(`#/people?person=${id}`);
    await page.getByRole('dialog').getByLabel('User name').fill(`${username}-2`);
    const sent: unknown[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON()));
    await press(page, 'Save');
    await page.getByText('Saved').waitFor();
    expect(sent).toEqual([{ username: `${username}-2` }]);
  });

  test('leaves the role of a user as it is that the settings have lost', async ({ studio }) => {
    const { username } = await accountOf('reader');
    const { id } = await userOf(`${username}@example.com`);
    await studio.signIn(await accountOf('manager'));
    const { page } = studio;
    const role = { id: 987_654, type: 'former', name: 'Former' };
    const user = { ...(await userOf(`${username}@example.com`)), role };
    await page.route('**/api/users?*', (route) => route.fulfill({ json: [user] }));
    await studio.open(`#/people?person=${id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').fill(`${username}-2`);
    const sent: unknown[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON()));
    await press(page, 'Save');
    await page.getByText('Saved').waitFor();
    expect(sent).toEqual([{ username: `${username}-2` }]);
    expect(await dialog.getByLabel('Role').locator('option:checked').textContent()).toBe('Former');
  });

  test('keeps what is typed while a change is on its way, and where reading it again fails', async ({ studio }) => {
    const { username } = await accountOf('reader');
    const { id } = await userOf(`${username}@example.com`);
    await studio.signIn(await accountOf('manager'));
    studio.allow(/status of 500/);
    const page = await studio.open(`#/people?person=${id}`);
    const dialog = page.getByRole('dialog');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/api/users/${id}`, async (route) => {
      await held;
      await route.continue();
    });
    await dialog.getByLabel('User name').fill(`${username}-2`);
    await press(page, 'Save');
    await dialog.getByLabel('New password').fill(PASSWORD);
    release();
    await page.getByText('Saved').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await dialog.getByLabel('User name').inputValue()).toBe(`${username}-2`);
    expect(await dialog.getByLabel('New password').inputValue()).toBe(PASSWORD);

    const broken = { status: 500, json: { error: { message: 'Broken' } } };
    await page.route('**/api/users?*', (route) => route.fulfill(broken));
    await press(page, 'Block');
    await dialog.getByRole('alert').getByText('Broken').waitFor();
    expect(await dialog.getByLabel('New password').inputValue()).toBe(PASSWORD);
  });

  test('sees what each role may do, its conditions in words, and the line to change', async ({ studio }) => {
    await studio.signIn(await accountOf('manager'));
    const page = await studio.open('#/roles');
    const row = page.getByRole('row', { name: /^Article / });
    await page.getByRole('navigation', { name: 'Roles' }).getByRole('link', { name: 'Limited' }).click();
    await row.getByText('reads, also drafts, changes, publishes, under conditions', { exact: true }).waitFor();
    expect(await row.getByRole('img').evaluateAll((marks) => marks.map((mark) => mark.ariaLabel))).toEqual([
      'limited',
      'yes',
      'limited',
      'limited',
      'no',
      'no',
    ]);
    await row.getByRole('link').click();
    const panel = page.getByRole('dialog', { name: 'Limited: Article' });
    const limits = 'Only where tone is "playful". Only these attributes: title, slug, tone, updatedAt.';
    await panel.getByText(limits).first().click();
    await panel.getByText('It is part of a grant with conditions.').first().waitFor();
    expect(await panel.getByText(`['api::article.article.find']`).count()).toBe(0);
    await panel.getByText('By creating and changing.').click();
    await panel.getByText('It comes with creating and changing.').waitFor();
    await panel.getByText('Create', { exact: true }).click();
    await panel.getByText(`roles: { "limited": ['api::article.article.create'] }`).waitFor();
    expect(await studio.axe()).toEqual([]);
    await page.reload();
    await panel.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Roles' }).getByRole('link', { name: 'Drafter' }).click();
    await row.getByText('reads, also drafts, writes drafts, deletes drafts, restores versions').waitFor();
    await page
      .getByRole('row', { name: /^Files/ })
      .getByText('3 of 4')
      .waitFor();
  });
});

describe('a caller', () => {
  test('who may not manage users sees neither people nor roles', async ({ studio }) => {
    await studio.signIn(await accountOf('editor'));
    const page = await studio.open();
    await page.getByRole('link', { name: 'Media' }).waitFor();
    for (const name of ['Users', 'Roles']) expect(await page.getByRole('link', { name }).count()).toBe(0);
  });

  test('who may invite and not create gives no role, and changes nobody', async ({ studio }) => {
    await studio.signIn(await accountOf('host'));
    const page = await studio.open('#/people');
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Role' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'New user' }).count()).toBe(0);
    await press(page, 'Invite');
    expect(await page.getByRole('dialog').getByLabel('Role').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('dialog').getByLabel('User name').waitFor();
    for (const name of ['Save', 'Block', 'Delete']) expect(await page.getByRole('button', { name }).count()).toBe(0);
  });

  test('changes the own name, address and password, and ends other sessions', async ({ studio }) => {
    const account = await accountOf('manager');
    const other = await api('POST', '/api/auth/local', { identifier: account.username, password: account.password });
    await studio.signIn(account);
    const page = await studio.open();
    await page.getByRole('link', { name: account.username }).click();
    await page.getByText('this one').waitFor();
    const name = unique('renamed');
    await fill(page, { 'User name': name, 'E-mail address': `${name}@example.com` });
    const section = page.locator('section', { hasText: 'Name and address' });
    await section.getByLabel('Current password').fill('wrong');
    await press(page, 'Save');
    await page.getByText('The provided current password is invalid').waitFor();
    await section.getByLabel('Current password').fill(account.password);
    await press(page, 'Save');
    await page.getByRole('link', { name }).waitFor();
    expect(await userOf(`${name}@example.com`)).toMatchObject({ username: name });
    await page.getByRole('button', { name: 'End', exact: true }).last().click();
    await expect.poll(() => page.getByRole('button', { name: 'End', exact: true }).count()).toBe(1);
    await expect(api('GET', '/api/users/me', undefined, other.jwt)).rejects.toThrow('401');
    await fill(page, { 'New password': PASSWORD, 'Repeat the password': PASSWORD });
    await page.getByLabel('Current password').fill(account.password);
    await press(page, 'Change the password');
    await page.getByText('The password is changed').waitFor();
    expect(await studio.axe()).toEqual([]);
    await page.reload();
    await page.getByText('this one').waitFor();
    await api('POST', '/api/auth/local', { identifier: name, password: PASSWORD });
  });

  test('reads the screens on a telephone, in the dark and by keyboard', async ({ another }) => {
    const studio = await another({ width: 390, height: 800, dark: true });
    await studio.signIn(await accountOf('manager'));
    for (const hash of ['#/people', '#/roles', '#/account']) {
      const page = await studio.open(hash);
      expect({ hash, findings: await studio.axe() }).toEqual({ hash, findings: [] });
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect({ hash, isWider }).toEqual({ hash, isWider: false });
    }
    const page = await studio.open('#/people');
    await page.getByRole('table').getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('User name').waitFor();
    expect(await studio.axe()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

/**
 * @module Results that come late: the screen or the dialog that was opened since stays as it is.
 */
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { accountOf, api, test, unique } from './fixture.ts';

const press = (page: Page, name: string) =>
  page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();

const file = async (): Promise<number> => {
  const form = new FormData();
  form.append('files', new File(['words'], `${unique('late')}.txt`, { type: 'text/plain' }));
  return (await api('POST', '/api/upload', form))[0].id;
};
const folder = async (): Promise<number> =>
  (await api('POST', '/api/upload/folders', { name: unique('Late') })).data.id;
const user = async (): Promise<number> => {
  const { username } = await accountOf('reader');
  return (await api('GET', `/api/users?filters[username]=${username}`))[0].id;
};
const article = async (): Promise<string> =>
  (await api('POST', '/api/articles?status=draft', { data: { title: unique('Late') } })).data.documentId;

interface Late {
  /** Method of the request whose response comes late, and the beginning of its path. */
  readonly held: readonly [method: string, path: string];
  /** Makes what a screen shows, once for the screen that sends the request, and once for the one that is opened since. */
  readonly make: () => Promise<number | string>;
  /** The screen of what was made, without its id. */
  readonly screen: string;
  readonly send: (page: Page) => Promise<void>;
  /** What is said once the response is there. */
  readonly toast: string;
}

const deleteInPanel = async (page: Page) => {
  await press(page, 'Delete');
  await press(page, 'Delete');
};

const LATE: Readonly<Record<string, Late>> = {
  'the deletion of a file': {
    held: ['DELETE', '/api/upload/files/'],
    make: file,
    screen: '#/media?file=',
    send: deleteInPanel,
    toast: 'Deleted',
  },
  'a new folder': {
    held: ['POST', '/api/upload/folders'],
    make: folder,
    screen: '#/media?folder=',
    async send(page) {
      await page.getByRole('button', { name: 'New folder' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(unique('New'));
      await press(page, 'Save');
    },
    toast: 'Saved',
  },
  'the deletion of a folder': {
    held: ['DELETE', '/api/upload/folders/'],
    make: folder,
    screen: '#/media?folder=',
    async send(page) {
      await page.getByRole('button', { name: 'Delete the folder' }).click();
      await press(page, 'Delete');
    },
    toast: 'Deleted',
  },
  'the deletion of a user': {
    held: ['DELETE', '/api/users/'],
    make: user,
    screen: '#/people?person=',
    send: deleteInPanel,
    toast: 'Deleted',
  },
  'a copy of a document': {
    held: ['POST', '/api/articles'],
    make: article,
    screen: '#/content/articles/',
    async send(page) {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
      await press(page, 'Duplicate');
    },
    toast: 'Duplicated',
  },
};

/** Keeps back the responses to requests that match, until what it returns is called. */
async function holdBack(page: Page, [method, path]: Late['held']): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/**', async (route) => {
    const request = route.request();
    if (request.method() !== method || !new URL(request.url()).pathname.startsWith(path)) return route.continue();
    const response = await route.fetch();
    await promise;
    await route.fulfill({ response });
  });
  return resolve;
}

/** Waits until a page has nothing more to do with what it has received. */
async function settle(page: Page, toast: string): Promise<void> {
  let running = 0;
  page.on('request', () => {
    running += 1;
  });
  page.on('requestfinished', () => {
    running -= 1;
  });
  await page.locator('.toast', { hasText: toast }).waitFor();
  await expect.poll(() => running).toBeLessThanOrEqual(0);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

describe('what was opened since', () => {
  for (const [what, { held, make, screen, send, toast }] of Object.entries(LATE))
    test(`stays when the response to ${what} comes late`, async ({ studio }) => {
      await studio.signIn();
      const [from, since] = [await make(), await make()];
      const page = await studio.open(`${screen}${from}`);
      const release = await holdBack(page, held);
      const sent = page.waitForRequest((request) => request.method() === held[0]);
      await send(page);
      await sent;
      await page.keyboard.press('Escape');
      const isRead = new RegExp(`(filters\\[id\\]=|folders/|articles/)${since}\\b`);
      const read = page.waitForRequest((request) => isRead.test(decodeURIComponent(request.url())));
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `${screen}${since}`);
      await read;
      release();
      await settle(page, toast);
      expect(new URL(page.url()).hash).toBe(`${screen}${since}`);
    });

  test('stays when a folder is deleted late that is still shown, but for the folder', async ({ studio }) => {
    await studio.signIn();
    const page = await studio.open(`#/media?folder=${await folder()}`);
    const release = await holdBack(page, ['DELETE', '/api/upload/folders/']);
    await page.getByRole('button', { name: 'Delete the folder' }).click();
    await press(page, 'Delete');
    await page.getByLabel('Search files').fill('words');
    await page.waitForURL(/q=words/);
    release();
    await page.waitForURL(/media\?q=words$/);
  });

  test('stays when a user is created late: the dialog that makes the next one', async ({ studio }) => {
    await studio.signIn();
    const page = await studio.open('#/people');
    const release = await holdBack(page, ['POST', '/api/users']);
    const name = unique('late');
    await page.getByRole('button', { name: 'New user' }).click();
    for (const [label, value] of [
      ['E-mail address', `${name}@example.com`],
      ['User name', name],
      ['Password', 'a long secret'],
    ] as const)
      await page.getByRole('dialog').getByLabel(label).fill(value);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await press(page, 'Create');
    await sent;
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Invite' }).click();
    const address = page.getByRole('dialog').getByLabel('E-mail address');
    await address.fill('typed@example.com');
    release();
    await settle(page, 'Created');
    expect(await address.inputValue()).toBe('typed@example.com');
  });
});

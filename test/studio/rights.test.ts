/**
 * @module What callers with fewer rights see and may do.
 */
import { beforeAll, describe, expect } from 'vitest';
import { isLongTier } from '../support/tier.ts';
import { type Account, accountOf, api, type Studio, test, unique } from './fixture.ts';

const testLong = test.runIf(isLongTier);

const SECRETS = { internalNotes: 'from before', accessCode: 'first code' };
const SEO = { metaTitle: 'Words', internalScore: 4 };

/** Opens a document with private attributes, and gathers what is sent. */
async function openSecret(studio: Studio, credential?: Account) {
  const data = { title: unique('Private'), ...SECRETS, editorRank: 2, seo: SEO };
  const { documentId } = (await api('POST', '/api/articles?status=draft', { data })).data;
  await studio.signIn(credential);
  const page = await studio.open(`#/content/articles/${documentId}`);
  const bodies: unknown[] = [];
  page.on('request', (request) => request.method() === 'PUT' && bodies.push(request.postDataJSON().data));
  const stored = async () =>
    (await api('GET', `/api/articles/${documentId}?private=true&status=draft&populate=seo`, undefined, reader)).data;
  return { page, bodies, stored };
}

/** Of a user who may read private attributes. */
let reader = '';
beforeAll(async () => {
  reader = (await accountOf('confidant')).jwt;
});

describe('private attributes', () => {
  test('are not shown to who lacks the right, and stay, or are replaced', async ({ studio }) => {
    const { page, bodies, stored } = await openSecret(studio);
    await page.getByRole('group', { name: 'Internal notes' }).getByText('It is not shown here').waitFor();
    expect(await page.content()).not.toContain('from before');
    await page.getByLabel(/^Summary/).fill('One');
    await page.getByRole('button', { name: 'Replace: Internal notes' }).press('Enter');
    await page.keyboard.type('typed');
    expect(await page.getByRole('textbox', { name: /^Internal notes/ }).inputValue()).toBe('typed');
    await page.getByRole('button', { name: 'Keep what is stored: Internal notes' }).click();
    await page.getByRole('button', { name: 'Set a new password: Access code' }).press('Enter');
    await page.keyboard.type('second code');
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('One');
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('second code');
    await page.getByRole('button', { name: 'Replace: Editor rank' }).click();
    await page.getByRole('textbox', { name: /^Editor rank/ }).fill('7');
    await page.getByLabel(/^Meta title/).fill('Other words');
    expect(await studio.axe()).toEqual([]);
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    expect(bodies).toMatchObject([{ summary: 'One', editorRank: 7, accessCode: 'second code' }]);
    expect(bodies[0]).not.toHaveProperty('internalNotes');
    expect(await stored()).toMatchObject({
      ...{ internalNotes: 'from before', editorRank: 7, seo: { metaTitle: 'Other words', internalScore: 4 } },
    });
    await page.getByRole('button', { name: 'Replace: Internal notes' }).waitFor();
  });

  test('are read and saved like others by who may read them', async ({ studio }) => {
    const { page, bodies, stored } = await openSecret(studio, await accountOf('confidant'));
    const notes = page.getByRole('textbox', { name: /^Internal notes private/ });
    expect(await notes.inputValue()).toBe('from before');
    expect(await page.getByRole('textbox', { name: /^Internal score/ }).inputValue()).toBe('4');
    await page.getByRole('button', { name: 'Set a new password: Access code' }).waitFor();
    expect(await page.getByRole('button', { name: /^(Replace|Keep)/ }).count()).toBe(0);
    await notes.fill('');
    await page.getByRole('textbox', { name: /^Internal score/ }).fill('5');
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    expect(bodies).toMatchObject([{ internalNotes: null, seo: { internalScore: 5 } }]);
    expect(await stored()).toMatchObject({ internalNotes: null, seo: { internalScore: 5 } });
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Created' }).click();
    await page.getByText('This version and the draft are the same.').waitFor();
  });
});

test('who may see no content is told so in plain words, and who can change it', async ({ studio }) => {
  await studio.signIn(await accountOf('host'));
  const page = await studio.open();
  await page.getByText('Your role host may not see content yet.').waitFor();
  await page.getByText('A user with the role chef or manager can change that.').waitFor();
  expect(await page.getByRole('main').innerText()).not.toMatch(/schema\.json|npx|edgewise/);
  expect(await studio.axe()).toEqual([]);
  await page.getByText('For who runs this site').click();
  await page.getByText("roles: { editor: ['api::*', 'plugin::upload.*'] }").waitFor();
});

test('who may see no content reads what to do where no role may change that', async ({ studio }) => {
  await studio.signIn(await accountOf('host'));
  await studio.page.route('**/openapi.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), 'x-user-managers': [] } });
  });
  const page = await studio.open();
  await page.getByText('Who runs this site can change that.').waitFor();
  await page.getByText('For who runs this site').click();
  await page.getByText('No role may change users. Sign in with an API token that has full access.').waitFor();
});

test('whose role the settings no longer have is told so', async ({ studio }) => {
  await studio.signIn(await accountOf('host'));
  await studio.page.route('**/openapi.json', async (route) => {
    const response = await route.fetch();
    const { 'x-role': _, ...json } = await response.json();
    await route.fulfill({ response, json });
  });
  const page = await studio.open();
  await page.getByText('The settings no longer have the role of your account.').waitFor();
  await page.getByText('For who runs this site').click();
  await page.getByText('Give the account another role under Users.').waitFor();
});

/**
 * Runs in the page: focuses the first control whose name is new. Control and name are found at once, since a control that is
 * disabled for a moment would move the others.
 */
function focusNext(controls: readonly Element[], pressed: readonly string[]) {
  const nameOf = (control: Element) => control.getAttribute('aria-label') ?? control.textContent ?? '';
  const next = controls.find((control) => !pressed.includes(nameOf(control)));
  (next as HTMLElement | undefined)?.focus();
  return { name: next && nameOf(next), isCovered: document.querySelector('.backdrop') !== null };
}

describe('a caller', () => {
  test('who may only read sees no button that writes', async ({ studio }) => {
    const { data } = await api('POST', '/api/articles?status=draft', { data: { title: unique('Read') } });
    await studio.signIn(await accountOf('reader'));
    const page = await studio.open('#/content/articles');
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('link', { name: 'New' }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await studio.open(`#/content/articles/${data.documentId}`);
    await page
      .getByLabel(/^Title/)
      .first()
      .waitFor();
    expect(
      await page
        .getByLabel(/^Title/)
        .first()
        .isDisabled(),
    ).toBe(true);
    for (const name of ['Save', 'Publish', 'More actions', 'Choose a file', 'Add entry'])
      expect(await page.getByRole('button', { name }).filter({ visible: true }).count()).toBe(0);
    const written: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && written.push(request.url()));
    await page.keyboard.press('Control+s');
    await studio.open('#/media');
    expect(written).toEqual([]);
    expect(await page.getByRole('button', { name: /Upload/ }).count()).toBe(0);
  });

  testLong('who may only read meets no refusal, whatever is pressed', async ({ studio }) => {
    const title = unique('Pressed');
    const facts = [{ label: 'One' }];
    const data = { title, facts, sections: [{ __component: 'blocks.quote', text: 'Words' }] };
    const { documentId } = (await api('POST', '/api/articles', { data })).data;
    await api('PUT', `/api/articles/${documentId}?status=draft`, { data: { title: `${title} again` } });
    await studio.signIn(await accountOf('reader'));
    const { page } = studio;
    const wrong: string[] = [];
    page.on('response', (response) => {
      const method = response.request().method();
      if (response.status() === 403 || method !== 'GET') wrong.push(`${response.status()} ${method} ${response.url()}`);
    });
    const pressed: string[] = [];
    /** The name of a control that is on no screen before. */
    const screens = {
      '#/': 'Requests of this page',
      [`#/content/articles?filters[title][$contains]=${title}`]: 'Columns',
      [`#/content/articles/${documentId}`]: 'History',
      '#/media': 'All files',
      [`#/content/articles/${documentId}?history=`]: 'Edit',
      '#/explorer': 'Run',
      '#/reference': 'Download openapi.json',
    };
    const controls = page.getByRole('main').locator(':is(button, summary, [role=tab]):visible:enabled');
    for (const [hash, awaited] of Object.entries(screens)) {
      const show = async () => {
        await studio.open(hash);
        await controls.filter({ hasText: awaited }).or(page.getByLabel(awaited)).first().waitFor();
      };
      await show();
      const before = pressed.length;
      for (;;) {
        const { name, isCovered } = await controls.evaluateAll(focusNext, pressed.slice(before));
        // A dialog whose code has to come first may open after the Escape that should close it.
        if (!isCovered && name === undefined) break;
        if (!isCovered) await page.keyboard.press('Enter');
        if (!isCovered) pressed.push(name ?? '');
        await page.keyboard.press('Escape');
        if (!page.url().endsWith(hash)) await show();
      }
    }
    expect(wrong).toEqual([]);
    expect(pressed).toEqual(expect.arrayContaining(['Columns', 'History', 'Edit', 'Requests of this page']));
    expect(pressed.join('\n')).not.toMatch(/^(Save$|Publish|Delete|Create|Upload|Restore|Replace|Undo|Add )/m);
  });

  test('who may only write drafts saves them, and sees no button that publishes or deletes what is published', async ({
    studio,
  }) => {
    const title = unique('Prepared');
    const { data } = await api('POST', '/api/articles', { data: { title } });
    await studio.signIn(await accountOf('drafter'));
    const page = await studio.open(`#/content/articles/${data.documentId}`);
    const field = page.getByLabel(/^Title/).first();
    await field.fill(`${title} again`);
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    const titleOf = async (status: string) =>
      (await api('GET', `/api/articles/${data.documentId}?status=${status}`)).data.title;
    expect([await titleOf('draft'), await titleOf('published')]).toEqual([`${title} again`, title]);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Discard the draft' }).waitFor();
    for (const name of ['Delete', 'Unpublish', 'Schedule'])
      expect(await page.getByRole('menuitem', { name }).count()).toBe(0);
    const tag = unique('Tag');
    await api('POST', '/api/tags', { data: { name: tag } });
    await studio.open('#/content/tags');
    await page.getByText(tag).waitFor();
    expect(await page.getByRole('link', { name: 'New' }).count()).toBe(0);
  });

  test('with conditional grants sees the documents and attributes that are granted', async ({ studio }) => {
    const shown = unique('Playful');
    const hidden = unique('Serious');
    const { data } = await api('POST', '/api/articles', { data: { title: shown, tone: 'playful', summary: 'secret' } });
    const other = await api('POST', '/api/articles', { data: { title: hidden, tone: 'serious' } });
    await studio.signIn(await accountOf('limited'));
    const page = await studio.open('#/content/articles');
    await page.getByRole('link', { name: shown }).waitFor();
    expect(await page.getByText(hidden).count()).toBe(0);
    for (const name of ['New', 'Media', 'Author']) expect(await page.getByRole('link', { name }).count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    expect(await page.locator('.panel label').allInnerTexts()).toEqual([
      ...['Slug', 'Tone', 'Updated', 'Document id', 'Id'],
    ]);
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.getByRole('dialog').getByRole('searchbox').fill(hidden);
    await page.getByText('Nothing is found.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: shown }).click();
    await page
      .getByLabel(/^Title/)
      .first()
      .fill(`${shown} again`);
    expect(await page.getByLabel(/^Summary/).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    expect((await api('GET', `/api/articles/${data.documentId}?status=draft`)).data).toMatchObject({
      title: `${shown} again`,
      summary: 'secret',
    });
    await studio.open(`#/content/articles/${other.data.documentId}`);
    await page.getByText('There is no such document, or you may not see it.').waitFor();
  });
});

/**
 * @module The address says what is shown of a document, so that one can go back to it, load it again and send it.
 */
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { accountOf, api, test, unique } from './fixture.ts';

/** Makes a published article with a later draft, and returns its screen. */
async function makeArticle(title: string): Promise<string> {
  const { documentId } = (await api('POST', '/api/articles', { data: { title } })).data;
  await api('PUT', `/api/articles/${documentId}?status=draft`, { data: { summary: 'A later draft.' } });
  return `#/content/articles/${documentId}`;
}

const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const selectedTab = (page: Page, name: string) => page.getByRole('tab', { name, selected: true }).waitFor();
const summary = (page: Page) => page.getByLabel(/^Summary/).first();
const pane = (page: Page) => page.getByRole('region', { name: 'Page', exact: true });
const question = (page: Page) => page.getByRole('dialog', { name: 'You have unsaved changes' });

describe('the tabs of a document', () => {
  test('are addresses: to go back to, to load again, and to send', async ({ studio, another }) => {
    const hash = await makeArticle(unique('Addressed'));
    await studio.signIn();
    const page = await studio.open(hash);
    await selectedTab(page, 'Edit');
    await openTab(page, 'Compare');
    await page.getByRole('region', { name: 'Comparison' }).getByText('A later draft.').waitFor();
    await openTab(page, 'History');
    await page.getByRole('region', { name: 'Versions' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Changed' }).waitFor();

    const { page: other } = await another().then(async (colleague) => {
      await colleague.signIn();
      await colleague.page.goto(page.url());
      return colleague;
    });
    await other.getByRole('heading', { name: 'Changed' }).waitFor();

    await page.goBack();
    await page.getByText('Choose a version').waitFor();
    await page.goBack();
    await selectedTab(page, 'Compare');
    await page.reload();
    await selectedTab(page, 'Compare');
    await page.goBack();
    await selectedTab(page, 'Edit');
    await page.goForward();
    await page.getByRole('region', { name: 'Comparison' }).waitFor();
  });

  test('keep what is typed, also when one goes back; leaving the document asks', async ({ studio }) => {
    const title = unique('Typed');
    const hash = await makeArticle(title);
    await studio.signIn();
    const page = await studio.open('#/content/articles');
    await page.getByRole('link', { name: title }).click();
    await summary(page).fill('Not saved yet');
    await openTab(page, 'Compare');
    await openTab(page, 'History');
    await page.goBack();
    await selectedTab(page, 'Compare');
    await page.goBack();
    expect(await summary(page).inputValue()).toBe('Not saved yet');
    expect(await question(page).count()).toBe(0);
    await page.goBack();
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    expect(page.url()).toContain(hash);
    expect(await summary(page).inputValue()).toBe('Not saved yet');
  });

  test('give way to the form where a save finds an error', async ({ studio }) => {
    const hash = await makeArticle(unique('Wrong'));
    await studio.signIn();
    const page = await studio.open(`${hash}?compare=`);
    await selectedTab(page, 'Compare');
    await openTab(page, 'Edit');
    await page
      .getByLabel(/^Title/)
      .first()
      .fill('');
    await openTab(page, 'Compare');
    await page.keyboard.press('Control+Enter');
    await selectedTab(page, 'Edit');
    await expect
      .poll(() => page.evaluate('document.activeElement?.closest("[data-path]")?.dataset.path'))
      .toBe('title');
    await page.goBack();
    await selectedTab(page, 'Compare');
  });

  test('that a document does not have leave its address, and do not open later', async ({ studio }) => {
    const { documentId } = (await api('POST', '/api/articles?status=draft', { data: { title: unique('Draft') } })).data;
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${documentId}?compare=`);
    await selectedTab(page, 'Edit');
    await expect.poll(() => page.url()).not.toContain('compare');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('tab', { name: 'Compare' }).waitFor();
    await selectedTab(page, 'Edit');
  });
});

describe('what is beside a form', () => {
  test('is in its address: the page, on each tab and in the next document, and another locale', async ({ studio }) => {
    const [first, second] = [await makeArticle(unique('First')), await makeArticle(unique('Second'))];
    const { data } = await api('PUT', `/api/articles/${first.split('/').at(-1)}?locale=fr&status=draft`, {
      data: { title: unique('Premier'), summary: 'Un brouillon.' },
    });
    expect(data.locale).toBe('fr');
    await studio.signIn();
    const page = await studio.open(first);
    await page.getByRole('button', { name: 'Show the page' }).click();
    await pane(page).waitFor();
    await page.goBack();
    await pane(page).waitFor({ state: 'detached' });
    await page.goForward();
    await openTab(page, 'History');
    await page.getByRole('region', { name: 'Versions' }).getByRole('link', { name: 'Changed' }).last().click();
    await page.getByRole('heading', { name: 'Changed' }).waitFor();
    await page.reload();
    await pane(page).waitFor();

    await openTab(page, 'Edit');
    await page.getByLabel('Another locale beside').selectOption('fr');
    await page.locator('.beside', { hasText: 'Un brouillon.' }).waitFor();
    await page.reload();
    await page.locator('.beside', { hasText: 'Un brouillon.' }).waitFor();
    await page.goBack();
    await page.locator('.beside').first().waitFor({ state: 'detached' });

    await page.evaluate(`location.hash = ${JSON.stringify(second)}`);
    await page.getByRole('heading', { name: 'Second' }).waitFor();
    await pane(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show the page' }).click();
    await page.getByRole('button', { name: 'Articles', exact: true }).click();
    await page.locator('.row-title').first().click();
    await pane(page).waitFor();
    expect(page.url()).toContain('page=');
    await page.getByRole('button', { name: 'Hide the page' }).click();
    await page.getByRole('button', { name: 'Articles', exact: true }).click();
    await page.locator('.row-title').first().click();
    await page.getByRole('button', { name: 'Show the page' }).waitFor();
    expect(await pane(page).count()).toBe(0);
  });
});

describe('a panel', () => {
  test('is an address, and asks before it is left with what is typed: of a user', async ({ studio }) => {
    const { username } = await accountOf('editor');
    await studio.signIn(await accountOf('manager'));
    const page = await studio.open(`#/people?q=${username}`);
    const panel = page.getByRole('dialog', { name: username });
    const name = panel.getByLabel('User name');
    await page.getByRole('link', { name: username }).click();
    await name.waitFor();
    await page.goBack();
    await panel.waitFor({ state: 'detached' });
    await page.goForward();
    await name.fill(`${username}-typed`);
    await page.goBack();
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    expect(await name.inputValue()).toBe(`${username}-typed`);
    await page.keyboard.press('Escape');
    await question(page).getByRole('button', { name: 'Discard changes' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: username }).click();
    await page.reload();
    expect(await name.inputValue()).toBe(username);
    await name.fill(`${username}-saved`);
    await panel.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    await page.getByRole('dialog', { name: `${username}-saved` }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('leaves no entry in the history of the browser once it is closed', async ({ studio }) => {
    const { username } = await accountOf('editor');
    await studio.signIn(await accountOf('manager'));
    const page = await studio.open('#/roles');
    await page.getByRole('link', { name: 'Users' }).first().click();
    await page.getByLabel('Search users').fill(username);
    await page.getByText('1 user', { exact: true }).waitFor();
    await page.getByRole('link', { name: username }).click();
    await page.getByRole('dialog', { name: username }).getByLabel('User name').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('person=');
    await page.goBack();
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor();
  });

  test('is an address, and asks before it is left with what is typed: of a file', async ({ studio }) => {
    const name = unique('panel');
    const form = new FormData();
    form.append('files', new File(['words'], `${name}.txt`, { type: 'text/plain' }));
    const [{ id }] = await api('POST', '/api/upload', form);
    await studio.signIn();
    const page = await studio.open('#/media');
    await page.evaluate(`location.hash += '?file=${id}'`);
    const panel = page.getByRole('dialog', { name: `${name}.txt` });
    await panel.getByLabel('Caption').fill('Typed');
    await page.keyboard.press('Escape');
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    expect(await panel.getByLabel('Caption').inputValue()).toBe('Typed');
    await panel.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByRole('dialog', { name: /^Delete/ })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.locator('.toast', { hasText: 'Deleted' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('a related document over the form', () => {
  test('is in the address: to go back from, to load again, and to send', async ({ studio, another }) => {
    const name = unique('Author');
    const author = (await api('POST', '/api/authors', { data: { name } })).data.documentId;
    const article = (await api('POST', '/api/articles', { data: { title: unique('Layered'), author } })).data;
    await studio.signIn();
    const page = await studio.open('#/content/articles');
    await page.getByRole('link', { name: article.title }).click();
    await summary(page).fill('Not saved yet');
    const address = page.url();
    const layer = page.getByRole('dialog', { name });
    const bio = layer.getByLabel(/^Bio/);
    const edit = page.getByRole('button', { name: `Edit ${name}` });
    await edit.click();
    await bio.waitFor();
    expect(page.url()).toContain(`over=authors%2F${author}`);
    await page.goBack();
    await layer.waitFor({ state: 'detached' });
    expect(page.url()).toBe(address);
    await page.goForward();
    await bio.fill('Typed in the layer');
    await page.goBack();
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    expect(await bio.inputValue()).toBe('Typed in the layer');
    await question(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await question(page).getByRole('button', { name: 'Discard changes' }).click();
    await layer.waitFor({ state: 'detached' });
    expect(await summary(page).inputValue()).toBe('Not saved yet');

    await page.goForward();
    await layer.getByRole('link', { name: article.title }).waitFor();
    const colleague = await another();
    await colleague.signIn();
    const sent = colleague.page;
    await sent.goto(page.url());
    await sent.getByRole('dialog', { name }).getByLabel(/^Bio/).fill('Sent');
    await sent.keyboard.press('Control+s');
    await sent.getByRole('dialog').waitFor({ state: 'detached' });
    expect(sent.url()).toBe(address);
    expect((await api('GET', `/api/authors/${author}`)).data.bio).toBe('Sent');
  });

  test('is closed once where Escape is pressed twice, and links what is created in it', async ({ studio }) => {
    const title = unique('Layered');
    await api('POST', '/api/articles', { data: { title } });
    await studio.signIn();
    const page = await studio.open('#/content/articles');
    await page.getByRole('link', { name: title }).click();
    const create = page.getByRole('button', { name: 'Create Tag' }).first();
    await create.click();
    const created = page.getByRole('dialog', { name: 'New Tag' });
    await created.getByLabel(/^Name/).waitFor();
    await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Escape')]);
    await created.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: title }).waitFor();
    await create.click();
    const tag = unique('Tag');
    await created.getByLabel(/^Name/).fill(tag);
    await created.getByRole('button', { name: 'Save' }).click();
    await created.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: tag }).waitFor();
    await page.goForward();
    expect(await created.getByLabel(/^Name/).inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await created.waitFor({ state: 'detached' });
  });

  test('is another form at the address of another document, which asks first', async ({ studio }) => {
    const makeAuthor = async (name: string) => (await api('POST', '/api/authors', { data: { name } })).data.documentId;
    const [one, other] = [unique('One'), unique('Other')];
    const [author, another] = [await makeAuthor(one), await makeAuthor(other)];
    const article = (await api('POST', '/api/articles', { data: { title: unique('Layered'), author } })).data;
    await studio.signIn();
    const address = `#/content/articles/${article.documentId}?over=authors/`;
    const page = await studio.open(`${address}${author}`);
    const bio = (name: string) => page.getByRole('dialog', { name }).getByLabel(/^Bio/);
    await bio(one).fill('Of one');
    // As two layers that were opened after another are beside each other in the history.
    await page.evaluate(
      ([next]) => history.pushState({ ...history.state, idx: history.state.idx + 1 }, '', next),
      [`${address}${another}`],
    );
    await page.goBack();
    await page.goForward();
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    expect(await bio(one).inputValue()).toBe('Of one');
    await page.goForward();
    await question(page).getByRole('button', { name: 'Discard changes' }).click();
    expect(await bio(other).inputValue()).toBe('');
    await bio(other).fill('Of the other');
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).waitFor();
    const stored = async (documentId: string) => (await api('GET', `/api/authors/${documentId}`)).data;
    expect(await stored(another)).toMatchObject({ name: other, bio: 'Of the other' });
    expect(await stored(author)).toMatchObject({ name: one, bio: null });
  });
});

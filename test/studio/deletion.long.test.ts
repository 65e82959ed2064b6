/**
 * @module What the question before a deletion names: the document, its versions and locales, and what uses it.
 */
import { describe, expect } from 'vitest';
import { accountOf, api, test, unique } from './fixture.ts';

const make = async (segment: string, data: object, query = ''): Promise<string> =>
  (await api('POST', `/api/${segment}${query}`, { data })).data.documentId;

describe('the question before a deletion', () => {
  test('names what uses a document: by relations, in components, in zones, and in single types', async ({
    studio,
    another,
  }) => {
    const name = unique('Ilse');
    const author = await make('authors', { name });
    const [related, zone, nested, site] = ['Related', 'Zone', 'Nested', 'Site'].map(unique);
    await make('articles', { title: related, author });
    await make('articles', {
      title: zone,
      sections: [{ __component: 'blocks.quote', text: 'Words', speaker: author }],
    });
    await make('issues', {
      title: nested,
      number: 1,
      promo: { metaTitle: 'Promo', card: { title: 'Card', person: author } },
    });
    await api('PUT', '/api/site-setting', { data: { siteName: site, editorInChief: author } });
    await make('articles', { title: unique('Other'), sections: [{ __component: 'blocks.quote', text: 'Words' }] });
    await studio.signIn();
    const page = await studio.open(`#/content/authors/${author}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete “${name}”?` });
    await dialog.getByText('Used by 4 documents').waitFor();
    expect((await dialog.getByRole('listitem').getByRole('link').allTextContents()).sort()).toEqual(
      [related, zone, nested, site].sort(),
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await api('GET', `/api/authors/${author}`)).data.name).toBe(name);

    const limited = await another();
    await limited.signIn(await accountOf('deleter'));
    await limited.open(`#/content/authors/${author}`);
    await limited.page.getByRole('button', { name: 'More actions' }).click();
    await limited.page.getByRole('menuitem', { name: 'Delete' }).click();
    await limited.page.getByText('No documents that you can see link to it.').waitFor();
    await limited.page.getByText('This cannot be taken back.').waitFor();
    await limited.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await limited.page.waitForURL(/content\/authors$/);
    await expect(api('GET', `/api/authors/${author}`)).rejects.toThrow('404');
  });

  test('names what uses a document by relations to documents of any type', async ({ studio }) => {
    const author = await make('authors', { name: unique('Any') });
    const [one, many] = ['One', 'Many'].map(unique);
    const link = { __type: 'api::author.author', documentId: author };
    await make('mentions', { label: one, subject: link });
    await make('mentions', { label: many, subjects: [link] });
    await make('mentions', { label: unique('None') });
    await studio.signIn();
    const page = await studio.open(`#/content/authors/${author}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Used by|No document/).waitFor();
    expect((await dialog.getByRole('listitem').getByRole('link').allTextContents()).sort()).toEqual([one, many].sort());
  });

  test('names the versions and locales that go, and those that stay', async ({ studio }) => {
    const title = unique('Ferry');
    const id = await make('articles', { title });
    await api('PUT', `/api/articles/${id}?status=draft&locale=fr`, { data: { title: unique('Bac') } });
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${id}`);
    const ask = async (item: RegExp) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await ask(/^Delete in en/);
    const one = page.getByRole('dialog', { name: `Delete “${title}” in en?` });
    await one
      .getByText('The draft and the published version are deleted: English (en). It stays in: French (fr).')
      .waitFor();
    await one.getByText('You can restore it from its history.').waitFor();
    await one.getByRole('button', { name: 'Cancel' }).click();
    await ask(/^Delete in all locales/);
    const all = page.getByRole('dialog', { name: `Delete “${title}” in all locales?` });
    await all.getByText('All drafts and published versions are deleted: English (en), French (fr).').waitFor();
    await all.getByText('No documents that you can see link to it.').waitFor();
    await studio.open('#/content/articles');
    await page.getByLabel(`Select ${title}`).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete 1 document?' }).getByText(title).waitFor();
  });

  test('deletes no version that was published since it was asked', async ({ studio }) => {
    const title = unique('Public');
    const id = await make('articles', { title }, '?status=draft');
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${id}`);
    const ask = async () => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      return page.getByRole('dialog');
    };
    const dialog = await ask();
    await dialog.getByText('The draft, which is not published, is deleted').waitFor();
    await api('POST', `/api/articles/${id}/actions/publish`);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.locator('.toast', { hasText: 'It was changed meanwhile. Read it again.' }).waitFor();
    expect((await api('GET', `/api/articles/${id}`)).data.title).toBe(title);
    await (await ask()).getByText('The draft and the published version are deleted').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/content\/articles$/);
    await expect(api('GET', `/api/articles/${id}`)).rejects.toThrow('404');
  });

  test('deletes no document in all locales of which one was published since it was read', async ({ studio }) => {
    const title = unique('Everywhere');
    const id = await make('articles', { title }, '?status=draft');
    await api('PUT', `/api/articles/${id}?status=draft&locale=fr`, { data: { title: unique('Partout') } });
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete in all locales' }).click();
    await api('POST', `/api/articles/${id}/actions/publish`);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.toast', { hasText: 'It was changed meanwhile. Read it again.' }).waitFor();
    expect((await api('GET', `/api/articles/${id}`)).data.title).toBe(title);
  });

  test('names the published version to a user who reads no drafts', async ({ studio }) => {
    const id = await make('articles', { title: unique('Shown') });
    await studio.signIn(await accountOf('archivist'));
    const page = await studio.open(`#/content/articles/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('The draft and the published version are deleted').waitFor();
    expect(await page.locator('h1 ~ .badge').allTextContents()).toEqual(['Published']);
    const title = unique('Shown later');
    await api('PUT', `/api/articles/${id}`, { data: { title } });
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Saved by someone else meanwhile' }).waitFor();
    expect((await api('GET', `/api/articles/${id}`)).data.title).toBe(title);
  });

  test('names what uses a file: by attributes, in components, and in zones', async ({ studio }) => {
    const form = new FormData();
    const file = `${unique('words')}.txt`;
    form.append('files', new File(['words'], file, { type: 'text/plain' }));
    const [{ id }] = await api('POST', '/api/upload', form);
    const [own, component, zone] = ['Own', 'Component', 'Zone'].map(unique);
    await make('articles', { title: own, attachment: id }, '?status=draft');
    await make('articles', { title: component, seo: { metaTitle: 'Seo', shareImage: id } });
    await make('articles', { title: zone, sections: [{ __component: 'blocks.gallery', images: [id] }] });
    await studio.signIn();
    const page = await studio.open(`#/media?file=${id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete ${file}?` });
    await dialog.getByText('Used by 3 documents').waitFor();
    expect((await dialog.getByRole('listitem').getByRole('link').allTextContents()).sort()).toEqual(
      [own, component, zone].sort(),
    );
  });
});

/**
 * @module The history of a document: its versions, what differs from them, and the way back.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { isLongTier } from '../support/tier.ts';
import { accountOf, api, test, unique } from './fixture.ts';

const PICTURE = join(import.meta.dirname, '../../demo/media/clock.png');

const testLong = test.runIf(isLongTier);

const done = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor();

const draftOf = async (id: string, query = '') => (await api('GET', `/api/articles/${id}?status=draft${query}`)).data;

const make = async (path: string, data: object): Promise<string> => (await api('POST', path, { data })).data.documentId;

const makeDraft = (data: object) => make('/api/articles?status=draft', data);

const picture = async (name: string): Promise<number> => {
  const form = new FormData();
  form.append('files', new File([readFileSync(PICTURE)], `${name}.png`, { type: 'image/png' }));
  return (await api('POST', '/api/upload', form))[0].id;
};

const versions = (page: Page) => page.getByRole('region', { name: 'Versions' });

/** Opens the newest version that an operation made. */
async function openVersion(page: Page, operation: string): Promise<void> {
  await versions(page).getByRole('link', { name: operation }).first().click();
  await page.getByRole('heading', { name: operation }).waitFor();
}

const openHistory = (page: Page) => page.getByRole('tab', { name: 'History' }).click();

/** The card of an attribute that differs. */
const card = (page: Page, name: string) =>
  page.locator('section.card', { has: page.getByRole('heading', { name, exact: true }) });

async function restore(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByRole('dialog', { name: 'Restore this version?' }).getByRole('button', { name: 'Restore' }).click();
}

describe('the history of a document', () => {
  test('shows who changed what, and brings it back as a whole or by attribute', async ({ studio }) => {
    const [first, second, third] = await Promise.all(
      ['Ada', 'Bo', 'Cy'].map((name) => make('/api/tags', { name: unique(name) })),
    );
    const editor = await accountOf('editor');
    const id = await makeDraft({
      title: unique('Night ferry'),
      summary: 'It sails by night.',
      tags: [first, second],
      facts: [{ label: 'One' }, { label: 'Two' }],
    });
    const { facts } = await draftOf(id, '&populate=facts');
    const changed = {
      summary: 'It sails by day.',
      readingTime: 9,
      tags: [third, first],
      facts: [{ id: facts[1].id }, { id: facts[0].id, label: 'Uno' }],
    };
    await api('PUT', `/api/articles/${id}?status=draft`, { data: changed }, editor.jwt);
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${id}`);
    await openHistory(page);
    await versions(page).getByText(editor.username).waitFor();
    expect(await versions(page).getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('Changed'),
      expect.stringContaining('Created'),
    ]);
    await openVersion(page, 'Created');
    expect(await page.locator('.difference :is(del, ins)').allInnerTexts()).toEqual(
      expect.arrayContaining(['night', 'day', '9']),
    );
    expect(await card(page, 'Tags').locator('.badge').allInnerTexts()).toEqual(['Added', 'Removed']);
    expect(await card(page, 'Facts').locator('.badge').allInnerTexts()).toEqual(['Moved from 2 to 1', 'Changed']);

    await page.getByRole('button', { name: 'Use this value: Summary' }).click();
    await page.getByRole('button', { name: 'Use this value: Facts' }).click();
    await page.getByRole('tab', { name: 'Edit' }).click();
    expect(
      await page
        .getByLabel(/^Summary/)
        .first()
        .inputValue(),
    ).toBe('It sails by night.');
    expect((await draftOf(id)).summary).toBe('It sails by day.');
    await page.keyboard.press('Control+s');
    await done(page, 'Saved');
    expect(await draftOf(id, '&populate=facts')).toMatchObject({
      summary: 'It sails by night.',
      readingTime: 9,
      facts,
    });

    await openHistory(page);
    await restore(page);
    await done(page, 'Restored');
    expect(await draftOf(id, '&populate=tags')).toMatchObject({
      readingTime: null,
      tags: [{ documentId: first }, { documentId: second }],
    });
    await page.getByText('This version and the draft are the same.').waitFor();
    await versions(page).getByText('Restored').waitFor();
  });

  test('brings back a deleted document, which the overview names', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Gone');
    const id = await makeDraft({ title });
    await api('DELETE', `/api/articles/${id}`);
    const page = await studio.open('#/');
    await page.getByRole('link', { name: `Restore ${title}` }).click();
    await page.getByText('This document is no longer there.').waitFor();
    await page.getByText(title).waitFor();
    await restore(page);
    await page.getByRole('heading', { name: title }).waitFor();
    expect((await draftOf(id)).title).toBe(title);
    await studio.open('#/');
    await page.getByRole('link', { name: title }).first().waitFor();
    await expect.poll(() => page.getByRole('link', { name: `Restore ${title}` }).count()).toBe(0);
  });

  test('leads the overview to what readers do not see yet', async ({ studio }) => {
    await studio.signIn();
    const [draft, changed, same] = ['Draft', 'Changed', 'Same'].map((name) => unique(name)) as [string, string, string];
    const publish = async (title: string): Promise<string> =>
      (await api('POST', '/api/articles', { data: { title } })).data.documentId;
    await publish(same);
    const id = await publish('Before');
    await api('PUT', `/api/articles/${id}?status=draft`, { data: { title: changed } });
    await makeDraft({ title: draft });
    const page = await studio.open('#/');
    const lines = page.locator('section', { has: page.getByRole('heading', { name: 'In progress' }) }).locator('li');
    await lines.filter({ hasText: draft }).getByText('Draft', { exact: true }).waitFor();
    await lines.filter({ hasText: changed }).getByText('Modified', { exact: true }).waitFor();
    expect(await lines.filter({ hasText: same }).count()).toBe(0);
  });

  testLong('takes a zone, files and relations into the form', async ({ studio }) => {
    const [ann, ben] = await Promise.all(['Ann', 'Ben'].map((name) => make('/api/authors', { name: unique(name) })));
    const [one, two] = await Promise.all(['one', 'two'].map((name) => picture(unique(name))));
    const id = await makeDraft({
      title: unique('Zoned'),
      author: ann,
      cover: one,
      sections: [
        { __component: 'blocks.quote', text: 'Slow is smooth.' },
        { __component: 'blocks.gallery', images: [one, two] },
      ],
    });
    const query = '&populate[author]=true&populate[cover]=true&populate[sections][populate]=*';
    const { author, cover, sections } = await draftOf(id, query);
    const editor = await accountOf('editor');
    await api(
      'PUT',
      `/api/articles/${id}?status=draft`,
      { data: { author: ben, cover: two, sections: [{ __component: 'blocks.gallery', images: [two] }] } },
      editor.jwt,
    );
    await api('DELETE', `/api/upload/files/${two}`);
    await studio.signIn();
    const page = await studio.open(`#/content/articles/${id}`);
    await openHistory(page);
    await openVersion(page, 'Created');
    for (const name of ['Author', 'Cover', 'Sections'])
      await page.getByRole('button', { name: `Use this value: ${name}` }).click();
    await page.keyboard.press('Control+s');
    await done(page, 'Saved');
    const saved = await draftOf(id, query);
    expect(saved.author.documentId).toBe(author.documentId);
    expect(saved.cover.id).toBe(cover.id);
    expect(saved.sections).toMatchObject([
      { __component: 'blocks.quote', text: sections[0].text },
      { __component: 'blocks.gallery', images: [{ id: one }] },
    ]);
  });

  testLong('overwrites nothing that another user has saved, and names them', async ({ studio }) => {
    await studio.signIn();
    const editor = await accountOf('editor');
    const id = await makeDraft({ title: unique('Shared'), summary: 'first' });
    await api('PUT', `/api/articles/${id}?status=draft`, { data: { summary: 'second' } }, editor.jwt);
    const page = await studio.open(`#/content/articles/${id}`);
    await openHistory(page);
    await openVersion(page, 'Created');
    await api('PUT', `/api/articles/${id}?status=draft`, { data: { summary: 'theirs' } }, editor.jwt);
    await restore(page);
    const dialog = page.getByRole('dialog', { name: 'Saved by someone else meanwhile' });
    await dialog.getByText(new RegExp(`^Changed .* · ${editor.username}$`)).waitFor();
    expect((await draftOf(id)).summary).toBe('theirs');
    await dialog.getByRole('button', { name: 'Go on with these' }).click();
    await restore(page);
    await done(page, 'Restored');
    expect((await draftOf(id)).summary).toBe('first');
  });

  testLong('is in all locales, and a version is compared with the draft in its own', async ({ studio }) => {
    await studio.signIn();
    const id = await makeDraft({ title: unique('English'), summary: 'one' });
    for (const summary of ['un', 'deux'])
      await api('PUT', `/api/articles/${id}?status=draft&locale=fr`, { data: { title: unique('French'), summary } });
    await api('POST', `/api/articles/${id}/actions/publish?locale=fr`);
    await api('PUT', `/api/articles/${id}?status=draft&locale=fr`, { data: { summary: 'trois' } });
    const page = await studio.open(`#/content/articles/${id}`);
    await openHistory(page);
    await openVersion(page, 'Published');
    await page.waitForURL(/locale=fr/);
    expect(await page.locator('.difference :is(del, ins)').allInnerTexts()).toEqual(['deux', 'trois']);
    await restore(page);
    await done(page, 'Restored');
    expect((await draftOf(id, '&locale=fr')).summary).toBe('deux');
    expect((await draftOf(id)).summary).toBe('one');
  });

  testLong('names what is gone since then', async ({ studio }) => {
    await studio.signIn();
    const tag = await make('/api/tags', { name: unique('Gone') });
    const id = await makeDraft({ title: unique('Tagged'), tags: [tag] });
    await api('DELETE', `/api/tags/${tag}`);
    const page = await studio.open(`#/content/articles/${id}`);
    await openHistory(page);
    await openVersion(page, 'Created');
    await page.getByText(`Gone since then: Tags (${tag})`).waitFor();
    await restore(page);
    await done(page, 'Restored, but for tags');
  });

  testLong('shows a caller no more than the rights allow', async ({ studio, another }) => {
    const id = await makeDraft({ title: unique('Rights'), tone: 'playful', internalNotes: 'a secret' });
    await api('PUT', `/api/articles/${id}?status=draft`, {
      data: { internalNotes: 'another', title: unique('Later') },
    });
    await studio.signIn(await accountOf('reader'));
    const page = await studio.open(`#/content/articles/${id}`);
    await openHistory(page);
    await openVersion(page, 'Changed');
    for (const name of ['Restore', /^Use this value/]) expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.locator('body').textContent()).not.toContain('secret');
    const limited = await another();
    await limited.signIn(await accountOf('limited'));
    await limited.open(`#/content/articles/${id}?history=rev_1`);
    await limited.page.getByLabel(/^Title/).waitFor();
    expect(await limited.page.getByRole('tab', { name: 'History' }).count()).toBe(0);
  });

  testLong('is read and restored by keyboard, on a narrow screen in the dark', async ({ another }) => {
    const studio = await another({ width: 390, dark: true });
    await studio.signIn();
    const word = 'unbroken'.repeat(40);
    const id = await makeDraft({ title: unique('Narrow'), summary: 'first', body: word });
    await api(
      'PUT',
      `/api/articles/${id}?status=draft`,
      { data: { summary: 'second', body: `${word}!` } },
      (await accountOf('editor')).jwt,
    );
    const page = await studio.open(`#/content/articles/${id}`);
    await page.getByRole('tab', { name: 'Edit' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const line = versions(page).getByRole('link', { name: /^Created/ });
    await line.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toContain('Created');
    expect(await studio.axe()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await studio.axe()).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await done(page, 'Restored');
    expect((await draftOf(id)).summary).toBe('first');
  });
});

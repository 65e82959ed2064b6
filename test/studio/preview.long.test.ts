/**
 * @module The page of a document, in a frame beside its form: a site that is wired for Strapi's preview, and a hostile one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { isLongTier } from '../support/tier.ts';
import { accountOf, api, test, unique } from './fixture.ts';

const testLong = test.runIf(isLongTier);

const PICTURE = join(import.meta.dirname, '../conformance/corpus/fixtures/photo.png');

const done = (page: Page, text: string) => page.locator('.toast', { hasText: text }).first().waitFor();

const showPage = (page: Page) => page.getByRole('button', { name: 'Show the page' }).click();

const siteIn = (page: Page) => page.frameLocator('iframe[title="The page"]');

/** Returns the path of the field that has the focus. */
const focused = (page: Page): Promise<unknown> =>
  page.evaluate('document.activeElement?.closest("[data-path]")?.dataset.path ?? document.activeElement?.tagName');

const titleInput = (page: Page) => page.getByLabel(/^Title/).first();

/** The window of the hostile page. */
interface Hostile {
  attack(data: unknown): void;
}

describe('the page of a document', () => {
  test('leads from a text to its field, shows what is typed, and follows saves', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Harbour');
    const form = new FormData();
    form.append('files', new File([readFileSync(PICTURE)], 'photo.png', { type: 'image/png' }));
    form.append('fileInfo', JSON.stringify({ caption: 'A caption' }));
    const [file] = await api('POST', '/api/upload', form);
    const { documentId } = (
      await api('POST', '/api/articles?status=draft', {
        data: {
          title,
          summary: 'Lights',
          seo: { metaTitle: 'Meta title', metaDescription: 'Meta' },
          facts: [{ label: 'First fact' }, { label: 'Second fact' }],
          sections: [{ __component: 'blocks.quote', text: 'A quote' }],
          content: [{ type: 'paragraph', children: [{ type: 'text', text: 'A block' }] }],
          cover: file.id,
        },
      })
    ).data;
    const page = await studio.open(`#/content/articles/${documentId}`);
    await showPage(page);
    const site = siteIn(page);
    await site.getByText(title).waitFor();
    await expect.poll(() => page.getByText(/^Waiting for http|^Is the frame empty/).count()).toBe(0);
    for (const [text, path] of [
      [title, 'title'],
      ['Lights', 'summary'],
      ['Meta title', 'seo.metaTitle'],
      ['Second fact', 'facts.1.label'],
      ['A block', 'content'],
      ['A caption', 'cover'],
      ['A quote', 'sections.0.text'],
    ] as const) {
      await site.getByText(text).click();
      await expect.poll(() => focused(page)).toBe(path);
    }
    await site.locator('img').click();
    await expect.poll(() => focused(page)).toBe('cover');
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('photo.png');
    await site.getByText('A quote').click();
    await expect.poll(() => site.locator('[data-strapi-focused]').allInnerTexts()).toEqual(['A quote']);

    await titleInput(page).fill(`${title} at night`);
    await page
      .getByLabel(/^Summary/)
      .first()
      .fill('Lamps');
    await expect.poll(() => site.locator('h1').textContent()).toBe(`${title} at night`);
    await expect.poll(() => site.locator('.summary').textContent()).toBe('About: Lamps');
    expect((await api('GET', `/api/articles/${documentId}?status=draft`)).data.title).toBe(title);

    await page.keyboard.press('Control+s');
    await done(page, 'Saved');
    const { updatedAt } = (await api('GET', `/api/articles/${documentId}?status=draft`)).data;
    await site.locator(`main[data-version="${updatedAt}"]`).waitFor();
    await site.getByText(`${title} at night`).click();
    await expect.poll(() => focused(page)).toBe('title');

    await titleInput(page).fill(`${title} again`);
    await expect.poll(() => site.locator('h1').textContent()).toBe(`${title} again`);
    await page.getByRole('button', { name: 'Undo changes' }).click();
    await expect.poll(() => site.locator('h1').textContent()).toBe(`${title} at night`);
    await site.getByText('Elsewhere').click();
    await page.setViewportSize({ width: 900, height: 800 });
    expect(await page.locator('iframe').isVisible()).toBe(false);
  });

  testLong('shows the published version as it is', async ({ studio }) => {
    await studio.signIn();
    const title = unique('Published');
    const { documentId } = (await api('POST', '/api/articles', { data: { title } })).data;
    const page = await studio.open(`#/content/articles/${documentId}`);
    await titleInput(page).fill(`${title} later`);
    await showPage(page);
    const site = siteIn(page);
    await expect.poll(() => site.locator('h1').textContent()).toBe(`${title} later`);
    await page.getByLabel('Version').selectOption('Published');
    await expect.poll(() => site.locator('h1').textContent()).toBe(title);
    for (const [name, width] of [
      ['Phone', 390],
      ['Desktop', 1280],
    ] as const) {
      await page.getByLabel('Width').selectOption(name);
      await expect.poll(() => site.locator('html').evaluate(({ clientWidth }) => clientWidth)).toBe(width);
    }
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Unpublish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click();
    await expect.poll(() => site.locator('h1').textContent()).toBe(`${title} later`);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await studio.axe()).toEqual([]);
  });

  testLong('is loaded again after a save if it does not listen, also for a single type', async ({ studio }) => {
    await studio.signIn();
    await api('PUT', '/api/homepage?status=draft', { data: { heading: unique('Home') } });
    const page = await studio.open('#/content/homepage');
    await showPage(page);
    const heading = siteIn(page).locator('h1');
    await page.getByText(`nothing runs at ${studio.site}`).waitFor();
    const loaded = Number((await heading.textContent())?.replace('Loaded ', ''));
    expect(loaded).toBeGreaterThan(0);
    await page
      .getByLabel(/^Heading/)
      .first()
      .fill(unique('Home again'));
    await page.keyboard.press('Control+s');
    await done(page, 'Saved');
    await expect.poll(() => heading.textContent()).toBe(`Loaded ${loaded + 1}`);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => heading.textContent()).toBe(`Loaded ${loaded + 2}`);
  });

  testLong('keeps its link when other documents of its type are written', async ({ studio }) => {
    await studio.signIn();
    const created = ['Shown', 'Other'].map((title) => api('POST', '/api/articles', { data: { title: unique(title) } }));
    const [{ documentId }, other] = (await Promise.all(created)).map(({ data }) => data);
    const page = await studio.open(`#/content/articles/${documentId}`);
    const links: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/preview-link')) links.push(request.url());
    });
    await showPage(page);
    await siteIn(page).locator('h1').waitFor();
    await api('PUT', `/api/articles/${other.documentId}`, { data: { title: unique('Later') } });
    // What was read within the last second is not read again.
    await page.waitForTimeout(1100);
    const read = page.waitForResponse((response) => response.url().includes(`/api/articles/${documentId}?`));
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await (await read).finished();
    await page.waitForTimeout(500);
    expect(links.length).toBe(1);
  });

  testLong('has a link that the editor copies, and that a reader may not make', async ({ studio, another }) => {
    const { documentId } = (await api('POST', '/api/articles?status=draft', { data: { title: unique('Linked') } }))
      .data;
    await studio.signIn(await accountOf('editor'));
    const page = await studio.open(`#/content/articles/${documentId}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Copy a preview link' }).click();
    await done(page, 'The link is valid until');
    const url = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(url).toMatch(new RegExp(`^${studio.site}/preview\\?id=${documentId}&status=draft&token=preview_`));
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))");
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Copy a preview link' }).click();
    await page.getByRole('dialog', { name: 'Copy' }).getByRole('textbox').waitFor();
    await expect.poll(() => page.evaluate('getSelection().toString()')).toMatch(/token=preview_/);
    const reader = await another();
    await reader.signIn(await accountOf('reader'));
    await reader.open(`#/content/articles/${documentId}`);
    await titleInput(reader.page).waitFor();
    for (const name of ['Show the page', 'More actions'])
      expect(await reader.page.getByRole('button', { name }).count()).toBe(0);
  });
});

describe('a hostile page', () => {
  test('gets nothing but what is typed into fields that it may show, and changes nothing', async ({ studio }) => {
    await studio.signIn();
    const { documentId } = (await api('POST', '/api/authors', { data: { name: 'Ann', bio: 'A life' } })).data;
    const written: string[] = [];
    const page = await studio.open(`#/content/authors/${documentId}`);
    page.on('request', (request) => {
      if (!['GET', 'POST'].includes(request.method())) written.push(request.url());
    });
    await showPage(page);
    const site = siteIn(page);
    const body = site.locator('body');
    await site.getByText('Hostile').waitFor();
    const attackWith = (data: unknown) => body.evaluate((_, sent) => (window as unknown as Hostile).attack(sent), data);
    const intent = (path: unknown) => ({ type: 'strapiFieldFocusIntent', payload: { path } });
    const sourceOf = (path: string, id = documentId) => `documentId=${id}&type=string&path=${path}&model=m`;

    await page.getByLabel(/^Name/).first().fill('Anna');
    await page.getByRole('button', { name: 'Set a new password' }).first().click();
    await page.getByLabel(/^Pin/).first().fill('1234secret');
    await page.getByRole('button', { name: 'Replace' }).first().click();
    await page
      .getByLabel(/^Secret note/)
      .first()
      .fill('whispered');
    await attackWith(intent(sourceOf('bio')));
    await page.evaluate('window.postMessage({ type: "strapiFieldFocusIntent", payload: { path: "x" } }, "*")');
    await expect.poll(() => body.evaluate('JSON.stringify(received)')).toContain('Anna');
    expect(await focused(page)).toBe('secretNote');

    await site.getByText('Hostile').click();
    const wild = [
      null,
      0,
      'previewReady',
      [],
      {},
      { type: {} },
      { type: 'previewReady', payload: 'x'.repeat(5_000_000) },
      { type: 'strapiFieldFocusIntent' },
      { type: 'strapiFieldFocusIntent', payload: null },
      ...[null, 1, [], {}, '', 'x'.repeat(1_000_000), `${sourceOf('name')}&x=${'y'.repeat(5000)}`].map(intent),
      ...[
        '__proto__',
        'constructor.prototype',
        'links.0.__proto__',
        'links.99999999',
        'pin',
        'secretNote',
        '$name',
        '',
      ].map((path) => intent(sourceOf(path))),
      ...['"]', '*', 'name"],*[x="'].map((path) => intent(sourceOf(path))),
      intent(sourceOf('name', 'another')),
      { type: 'strapiFieldChange', payload: { field: 'name', value: 'Mallory', type: 'string' } },
      { type: 'strapiFieldTyping', payload: { field: 'name', value: 'Mallory' } },
      { type: 'strapiUpdate' },
      { type: 'strapiScript', payload: { script: 'window.ran = 1' } },
    ];
    for (const data of wild) await attackWith(data);
    await body.evaluate(() => {
      const { attack } = window as unknown as Hostile;
      let deep = {};
      for (let depth = 0; depth < 1000; depth++) deep = { payload: deep, type: 'previewReady' };
      attack(deep);
      attack(new Map([['type', 'previewReady']]));
      const polluted =
        '{"__proto__": {"path": "x"}, "type": "strapiFieldFocusIntent", "payload": {"__proto__": {"path": "x"}}}';
      attack(JSON.parse(polluted));
      for (let count = 0; count < 100; count++) attack({ type: 'previewReady' });
    });
    // Other windows send what this page may send.
    for (const index of [0, 1]) {
      const inside = site.locator('iframe').nth(index);
      await inside.evaluate((frame) => frame.setAttribute('src', `${frame.getAttribute('src')}&again`));
      await inside.contentFrame().locator('script').waitFor({ state: 'attached' });
    }
    await page.waitForTimeout(300);
    expect(await focused(page)).toBe('IFRAME');
    expect(await page.getByLabel(/^Name/).first().inputValue()).toBe('Anna');
    expect(await page.evaluate('[window.ran, ({}).type, ({}).path]')).toEqual([undefined, undefined, undefined]);
    const received: string = await body.evaluate('JSON.stringify(received)');
    for (const secret of ['1234secret', 'whispered', 'Bearer', 'studio.session', 'jwt'])
      expect(received).not.toContain(secret);
    expect(written).toEqual([]);

    await attackWith(intent(sourceOf('bio')));
    await expect.poll(() => focused(page)).toBe('bio');
  });

  testLong('can neither leave its origin nor take Studio elsewhere', async ({ studio }) => {
    await studio.signIn();
    studio.allow(/frame-src|Unsafe attempt to initiate navigation|Failed to execute 'postMessage'/);
    // How the tests sign in does not work in the page of the error.
    studio.allow(/'sessionStorage'/);
    const { documentId } = (await api('POST', '/api/authors', { data: { name: 'Ann' } })).data;
    const page = await studio.open(`#/content/authors/${documentId}`);
    await showPage(page);
    const site = siteIn(page);
    await site.getByText('Hostile').click();
    await site.locator('body').evaluate(() => {
      try {
        (window.top as Window).location.href = 'about:blank';
      } catch {}
    });
    expect(await page.getByLabel(/^Name/).first().inputValue()).toBe('Ann');
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-src'));
    await site.locator('body').evaluate(() => {
      setTimeout(() => location.assign(location.href.replace('127.0.0.1', 'localhost')));
    });
    await refused;
    expect(
      page
        .frames()
        .some((frame) => frame.url().startsWith('http://localhost') && frame.parentFrame() === page.mainFrame()),
    ).toBe(false);
    expect(page.url()).toContain(documentId);
  });
});

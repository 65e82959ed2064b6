/**
 * @module Every screen of every content type, filled and empty: no text of JavaScript for nothing is on any of them.
 */
import { beforeAll, describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { api, type Studio, test, unique } from './fixture.ts';
import { plantRecipes } from './recipes.ts';

/** Hashes of a document of each content type, by segment. */
const documents = new Map<string, string>();

beforeAll(async () => {
  const make = async (segment: string, data: object): Promise<string> => {
    const { documentId } = (await api('POST', `/api/${segment}`, { data })).data;
    documents.set(segment, `#/content/${segment}/${documentId}`);
    return documentId;
  };
  const put = async (segment: string, data: object): Promise<void> => {
    await api('PUT', `/api/${segment}`, { data });
    documents.set(segment, `#/content/${segment}`);
  };
  const form = new FormData();
  form.append('files', new File(['words'], `${unique('words')}.txt`, { type: 'text/plain' }));
  const [{ id: file }] = await api('POST', '/api/upload', form);
  const link = { label: 'Home', href: '/' };
  const tags = [await make('tags', { name: unique('Ships') })];
  const author = await make('authors', { name: 'Ilse Marr', links: [link] });
  const category = await make('categories', { name: 'Harbours' });
  const seo = { metaTitle: 'By night', card: { title: 'Card', link } };
  const article = await make('articles', {
    ...{ title: unique('Night ferry'), content: [{ type: 'paragraph', children: [{ type: 'text', text: 'Text' }] }] },
    ...{ extra: { depth: 1 }, attachment: file, author, tags, categories: [category], seo },
    ...{
      facts: [{ label: 'One' }],
      sections: [{ __component: 'blocks.gallery' }, { __component: 'blocks.callout', title: 'Note' }],
    },
  });
  await api('PUT', `/api/articles/${article}?status=draft`, {
    data: { summary: 'Changed', facts: [{}, { value: 1 }] },
  });
  await make('comments', { text: 'Well said', article });
  await make('issues', { title: 'Spring', number: Date.now() % 1_000_000, coverStory: article });
  await make('bookmarks', { article, tags, image: file, box: [link, link] });
  const { recipe, cook } = await plantRecipes(unique('tart'));
  documents.set('recipes', `#/content/recipes/${recipe}`).set('cooks', `#/content/cooks/${cook}`);
  await make('ingredients', { name: 'Salt' });
  await make('mentions', { label: 'Night', subject: { __type: 'api::author.author', documentId: author } });
  await put('homepage', { heading: 'Welcome', sections: [{ __component: 'blocks.quote', text: 'Words' }] });
  await put('site-setting', { siteName: 'Harbour' });
});

/** Runs in the page. Returns its texts, the values of its inputs, and what names its elements. */
function textsOfPage(): readonly string[] {
  const texts: string[] = [document.title, location.hash];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.nodeValue ?? '');
  for (const element of document.body.querySelectorAll('*')) {
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'href', 'value', 'lang', 'id', 'for', 'name'])
      texts.push(element.getAttribute(name) ?? '');
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) texts.push(element.value);
  }
  return texts;
}

/** The explorer and the reference show JSON, in which `null` is a value. */
const isOfApi = (hash: string): boolean => /^#\/(explorer|reference)/.test(hash);

async function expectNoneShown(page: Page, hash: string): Promise<void> {
  await expect.poll(() => page.getByText('Loading …').count()).toBe(0);
  const nothing = isOfApi(hash) ? /undefined|\bNaN\b|\[object/ : /undefined|\bnull\b|\bNaN\b|\[object/;
  const found = (await page.evaluate(textsOfPage)).filter((text) => nothing.test(text));
  expect({ hash, found }).toEqual({ hash, found: [] });
}

/** Opens a screen, then each of its tabs. */
async function expectScreen(studio: Studio, hash: string): Promise<void> {
  const page = await studio.open(hash);
  await page.locator('h1').waitFor();
  await expectNoneShown(page, hash);
  const tabs = page.getByRole('main').getByRole('tab');
  for (const tab of (await tabs.all()).slice(1)) {
    await tab.click();
    await page.waitForLoadState('networkidle');
    await expectNoneShown(page, `${hash} ${await tab.textContent()}`);
  }
}

describe('every screen', () => {
  test('shows no undefined, null, NaN or object as text, for every content type', async ({ studio }) => {
    const { 'x-content-types': types } = await api('GET', '/openapi.json');
    const own = types.filter(({ plugin }: { plugin?: string }) => plugin === undefined);
    const segments: string[] = own.map(({ schema: { kind, singularName, pluralName } }: (typeof own)[number]) =>
      kind === 'singleType' ? singularName : pluralName,
    );
    expect([...documents.keys()].sort()).toEqual(segments.sort());
    await studio.signIn();
    for (const hash of ['#/', '#/media', '#/reference']) await expectScreen(studio, hash);
    for (const [segment, hash] of documents) {
      for (const each of new Set([`#/content/${segment}`, `#/content/${segment}/new`, hash])) {
        await expectScreen(studio, each);
      }
      await expectScreen(studio, `#/explorer?request=${encodeURIComponent(`/api/${segment}?populate=*`)}`);
    }
  });
});

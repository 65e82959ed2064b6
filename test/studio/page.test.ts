/**
 * @module The page of Studio: its headers, its weight, and that it keeps its own policy.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { invisible } from '../../src/features/preview/invisible.ts';
import { previewScript } from '../../studio/preview/preview-script.ts';
import { test } from './fixture.ts';

/** Bytes, gzipped: of the code that a list waits for, and with that of panels, dialogs and messages. */
const BUDGET = { start: 150 * 1024, whole: 222 * 1024 };

async function weigh(urls: readonly string[]): Promise<number> {
  const sizes = urls.map(async (url) => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const policyWith = (frames: string) =>
  "default-src 'self'; img-src 'self' data: blob:; media-src 'self' data: blob:; style-src 'self'; " +
  `frame-src ${frames}; ` +
  "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

describe('the page of Studio', () => {
  test('opens without a complaint, signed in or not', async ({ studio, another }) => {
    const page = await studio.open();
    expect(await page.title()).toContain('Studio');
    const other = await another();
    await other.signIn();
    await other.open();
    expect(await other.page.locator('body').textContent()).toContain('Article');
  });

  test('has a strict policy, and files that never change', async ({ studio }) => {
    const html = await fetch(`${studio.url}/studio/`);
    expect(html.headers.get('content-security-policy')).toBe(policyWith(studio.site));
    expect(html.headers.get('cache-control')).toBe('no-cache');
    const [, script = ''] = /src="\.\/(assets\/main-\w+\.js)"/.exec(await html.text()) ?? [];
    const file = await fetch(`${studio.url}/studio/${script}`);
    const names = ['content-type', 'cache-control', 'x-content-type-options', 'referrer-policy'];
    expect(names.map((name) => file.headers.get(name))).toEqual([
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
      'nosniff',
      'no-referrer',
    ]);
    const redirected = await fetch(`${studio.url}/studio`, { redirect: 'manual' });
    expect([redirected.status, redirected.headers.get('location')]).toEqual([307, '/studio/']);
  });

  test('loads at most 222 KB at first, of which a list waits for 150 KB', async ({ studio }) => {
    const requested: string[] = [];
    studio.page.on('request', (request) => requested.push(request.url()));
    await studio.open();
    const files = requested.filter((url) => new URL(url).pathname.startsWith('/studio/'));
    const html = await (await fetch(`${studio.url}/studio/`)).text();
    const start = [...html.matchAll(/"\.\/(assets\/[^"]+)"/g)].map(([, path]) => `${studio.url}/studio/${path}`);
    expect(start.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(2);
    expect(files).toEqual(expect.arrayContaining(start));
    expect(await weigh(start)).toBeLessThanOrEqual(BUDGET.start);
    expect(await weigh(files)).toBeLessThanOrEqual(BUDGET.whole);
  });
});

describe('the script of a preview', () => {
  test('shows what Studio sends, and nothing that another origin does', async ({ studio }) => {
    const { page } = studio;
    await page.goto(studio.site);
    const source = 'documentId=shown&path=title';
    const payload = { field: 'title', value: 'typed', type: 'string' };
    /** Runs the script in a page that is its own parent, and sends it a message. */
    const shownWith = (parentOrigin: string): Promise<string> =>
      page.evaluate(`new Promise((resolve) => {
        document.body.innerHTML = '<p data-strapi-source="${source}">stored</p>';
        (${previewScript})(${JSON.stringify({ parentOrigin, documentId: 'shown' })});
        window.postMessage(${JSON.stringify({ type: 'strapiFieldChange', payload })}, '*');
        window.postMessage('', '*');
        window.addEventListener('message', ({ data }) => data === '' && resolve(document.body.textContent));
      })`);
    expect(await shownWith('https://other.test')).toBe('stored');
    expect(await shownWith(studio.site)).toBe('typed');
  });

  test('knows a picture by the addresses in its `srcset`, and shows another one', async ({ studio }) => {
    const { page } = studio;
    await page.goto(studio.site);
    const source = 'documentId=shown&path=cover';
    const address = `${studio.site}/uploads/a.png${invisible({ strapiSource: source })}`;
    const payload = { field: 'cover', value: [{ url: '/uploads/b.png' }], type: 'media' };
    const shown = await page.evaluate(`new Promise((resolve) => {
      const [picture, other] = [new Image(), new Image()];
      picture.srcset = ${JSON.stringify(`${address}?w=640 640w, ${address}?w=1280 1280w`)};
      document.body.replaceChildren(picture, other);
      (${previewScript})(${JSON.stringify({ parentOrigin: studio.site, documentId: 'shown' })});
      const { srcset } = picture;
      window.postMessage(${JSON.stringify({ type: 'strapiFieldChange', payload })}, '*');
      window.postMessage('', '*');
      window.addEventListener('message', ({ data }) => {
        if (data !== '') return;
        resolve([srcset, picture.getAttribute('data-strapi-source'), picture.srcset, picture.src, other.src]);
      });
    })`);
    expect(shown).toEqual([
      `${studio.site}/uploads/a.png?w=640 640w, ${studio.site}/uploads/a.png?w=1280 1280w`,
      source,
      '',
      `${studio.site}/uploads/b.png`,
      '',
    ]);
  });
});

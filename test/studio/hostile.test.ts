/**
 * @module Content that wants to be run.
 */
import { describe, expect } from 'vitest';
import { api, test, unique } from './fixture.ts';

const SCRIPT = '"><img src=x onerror="window.ran=1"><script>window.ran=1</script>';
const LINK = 'javascript:window.ran=1';

describe('hostile content', () => {
  test('is shown as text, wherever it stands', async ({ studio }) => {
    await studio.signIn();
    studio.allow(/\/uploads\//);
    const name = unique('hostile');
    const form = new FormData();
    const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    form.append('files', new File([picture], `${name}.txt`, { type: 'text/plain' }));
    form.append('fileInfo', JSON.stringify({ name: `${SCRIPT}.txt`, alternativeText: SCRIPT, caption: SCRIPT }));
    await api('POST', '/api/upload', form).catch(() => undefined);
    const { data } = await api('POST', '/api/articles?status=draft', {
      data: {
        title: `${name} ${SCRIPT}`.slice(0, 80),
        summary: SCRIPT,
        subtitle: LINK,
        body: `# ${SCRIPT}\n\n[link](${LINK}) ![picture](${LINK}) <a href="${LINK}">x</a>\n\n${SCRIPT}`,
        content: [
          { type: 'paragraph', children: [{ type: 'text', text: SCRIPT }] },
          {
            type: 'paragraph',
            children: [{ type: 'link', url: 'https://example.com', children: [{ type: 'text', text: 'link' }] }],
          },
        ],
        extra: { [SCRIPT]: SCRIPT, constructor: { prototype: 1 }, long: 'x'.repeat(300_000) },
        sections: [{ __component: 'blocks.quote', text: SCRIPT }],
      },
    });
    const id = data.documentId;
    const page = await studio.open('#/content/articles');
    for (const hash of [
      '#/',
      `#/content/articles?filters[documentId]=${id}&fields[0]=summary&fields[1]=body&fields[2]=content&fields[3]=extra`,
      `#/content/articles/${id}`,
      '#/media',
      `#/explorer?request=${encodeURIComponent(`/api/articles/${id}?status=draft&populate=*`)}`,
    ]) {
      await studio.open(hash);
      await page.waitForTimeout(300);
      if (hash.endsWith(id)) await page.getByRole('button', { name: 'Preview' }).first().click();
      expect(await page.locator('[href^="javascript:"], [src^="javascript:"]').count()).toBe(0);
      expect(await page.locator('#root script').count()).toBe(0);
    }
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });
});

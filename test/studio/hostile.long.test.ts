/**
 * @module Content that wants to be run.
 */
import { describe, expect } from 'vitest';
import { accountOf, api, test, unique } from './fixture.ts';

const SCRIPT = '"><img src=x onerror="window.ran=1"><script>window.ran=1</script>';
/** Names of files have no slash. */
const FILE = '"><img src=x onerror="window.ran=1">';
const LINK = 'javascript:window.ran=1';

/** Returns the token of a user with this name. */
async function tokenOf(name: string): Promise<string> {
  const { username, password, jwt } = await accountOf('editor');
  const { user } = await api('POST', '/api/auth/local', { identifier: username, password });
  await api('PUT', `/api/users/${user.id}`, { username: name });
  return jwt;
}

describe('hostile content', () => {
  test('is shown as text, wherever it stands', async ({ studio }) => {
    await studio.signIn();
    const name = unique('hostile');
    const form = new FormData();
    form.append('files', new File(['words'], `${name}.txt`, { type: 'text/plain' }));
    form.append('fileInfo', JSON.stringify({ name: `${name}${FILE}`, alternativeText: SCRIPT, caption: SCRIPT }));
    const [file] = await api('POST', '/api/upload', form);
    expect(file).toMatchObject({ name: `${name}${FILE}`, caption: SCRIPT });
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
    const author = (await api('POST', '/api/authors', { data: { name: `${name} ${SCRIPT}` } })).data.documentId;
    await api('PUT', `/api/articles/${id}?status=draft`, { data: { author } });
    const user = `${SCRIPT}${name}`;
    const token = await tokenOf(user);
    const expectNothing = async () => {
      expect(await page.locator('[href^="javascript:"], [src^="javascript:"]').count()).toBe(0);
      expect(await page.locator(':is(#root, [role=dialog], .popup) script, [onerror]').count()).toBe(0);
    };
    for (const [hash, shown] of [
      ['#/', name],
      [`#/content/articles?filters[summary][$contains]=${encodeURIComponent(SCRIPT)}`, 'Summary contains "><img'],
      ['#/people', user],
      [
        `#/content/articles?filters[documentId]=${id}&fields[0]=summary&fields[1]=body&fields[2]=content&fields[3]=extra`,
        SCRIPT,
      ],
      [`#/content/articles/${id}`, name],
      ['#/media', `${name}${FILE}`],
      [`#/explorer?request=${encodeURIComponent(`/api/articles/${id}?status=draft&populate=*`)}`, name],
    ] as const) {
      await studio.open(hash);
      await page.getByText(shown).first().waitFor();
      if (hash.endsWith(id)) await page.getByRole('button', { name: 'Preview' }).first().click();
      await expectNothing();
    }
    await studio.open(`#/content/articles?filters[author][documentId][$eq]=${author}`);
    await page.getByText(`Author is ${name}`).waitFor();
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await page.getByLabel('Name', { exact: true }).fill(SCRIPT.slice(0, 60));
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: SCRIPT.slice(0, 60), exact: true })
      .first()
      .waitFor();
    await expectNothing();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Search all content types' }).click();
    await page.getByRole('dialog').getByRole('searchbox').fill(name);
    await page.getByRole('dialog').getByRole('link', { name }).first().waitFor();
    await expectNothing();
    await page.keyboard.press('Escape');
    await studio.open(`#/content/articles/${id}`);
    await page.getByRole('button', { name: `Edit ${name}` }).click();
    await page
      .getByRole('dialog', { name: `${name} ${SCRIPT}` })
      .getByLabel(/^Name/)
      .waitFor();
    await expectNothing();
    await page.keyboard.press('Escape');
    await page.getByLabel(/^Summary/).fill('mine');
    await api('PUT', `/api/articles/${id}?status=draft`, { data: { summary: `${SCRIPT} theirs` } }, token);
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog').getByText(`${SCRIPT} theirs`).waitFor();
    await page.getByRole('dialog').getByText(user).waitFor();
    await expectNothing();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('button', { name: 'Undo changes' }).click();
    const emptied = { summary: null, body: null, content: null, extra: null, sections: [] };
    await api('PUT', `/api/articles/${id}?status=draft`, { data: emptied }, token);
    await page.reload();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText(user).first().waitFor();
    await page.getByRole('link', { name: 'Created' }).click();
    await page.locator('del', { hasText: SCRIPT }).first().waitFor();
    expect(await page.locator('#root :is(script, del img, bdi img)').count()).toBe(0);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });
});

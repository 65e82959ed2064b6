/**
 * @module Markdown in the editor of blocks, with the keys of a browser.
 */
import { describe, expect } from 'vitest';
import type { Page } from '../clients/browser.ts';
import { api, type Studio, test, unique } from './fixture.ts';

const text = (value: string, marks = {}) => ({ type: 'text', text: value, ...marks });
const paragraph = (...children: unknown[]) => ({ type: 'paragraph', children });

/** Opens an article without blocks, with the focus in their editor. */
async function openBlocks(studio: Studio) {
  const { documentId } = (await api('POST', '/api/articles?status=draft', { data: { title: unique('Blocks') } })).data;
  await studio.signIn();
  const page = await studio.open(`#/content/articles/${documentId}`);
  const editor = page.getByRole('textbox', { name: 'Content' });
  await editor.click();
  const save = async () => {
    await page.keyboard.press('Control+s');
    await page.locator('.toast', { hasText: 'Saved' }).first().waitFor();
    return (await api('GET', `/api/articles/${documentId}?status=draft`)).data.content;
  };
  return { page, editor, save };
}

/** Types as one does: Enter for each new line. */
async function typeLines(page: Page, lines: readonly string[]): Promise<void> {
  for (const [index, line] of lines.entries()) {
    if (index > 0) await page.keyboard.press('Enter');
    await page.keyboard.type(line);
  }
}

describe('Markdown in the editor of blocks', () => {
  test('becomes blocks and marks as one types', async ({ studio }) => {
    const { page, editor, save } = await openBlocks(studio);
    await typeLines(page, [
      '# One',
      '## Two',
      'A **bold** and _slanted_ `word` more',
      '- first',
      'second',
      '',
      '1. third',
    ]);
    await typeLines(page, ['', '', '> wise', '', '```ts', 'const **a** = 1;']);
    expect(await editor.locator('.heading-1, .heading-2, li, blockquote, pre').allInnerTexts()).toEqual([
      'One',
      'Two',
      'first',
      'second',
      'third',
      'wise',
      'const **a** = 1;',
    ]);
    const list = (format: string, ...items: string[]) => ({
      type: 'list',
      format,
      children: items.map((item) => ({ type: 'list-item', children: [text(item)] })),
    });
    expect(await save()).toEqual([
      { type: 'heading', level: 1, children: [text('One')] },
      { type: 'heading', level: 2, children: [text('Two')] },
      paragraph(
        text('A '),
        text('bold', { bold: true }),
        text(' and '),
        text('slanted', { italic: true }),
        text(' '),
        text('word', { code: true }),
        text(' more'),
      ),
      list('unordered', 'first', 'second'),
      list('ordered', 'third'),
      { type: 'quote', children: [text('wise')] },
      { type: 'code', language: 'ts', children: [text('const **a** = 1;')] },
    ]);
  });

  test('is there again after undo, and stays in the middle of a word', async ({ studio }) => {
    const { page, editor, save } = await openBlocks(studio);
    await page.keyboard.type('## ');
    await editor.locator('.heading-2').waitFor();
    await page.keyboard.press('Control+z');
    await editor.locator('.heading-2').waitFor({ state: 'detached' });
    await page.keyboard.type('stays');
    await page.keyboard.press('Enter');
    await page.keyboard.type('**bold**');
    await editor.locator('strong').waitFor();
    await page.keyboard.press('Control+z');
    await editor.locator('strong').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+y');
    await editor.locator('strong').waitFor();
    await page.keyboard.press('Control+z');
    await page.keyboard.type(' snake_case_ word');
    for (let step = 0; step < 'word'.length; step += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('_a_');
    expect(await save()).toEqual([paragraph(text('## stays')), paragraph(text('**bold** snake_case_ _a_word'))]);
  });
});

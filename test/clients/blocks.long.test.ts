/**
 * @module `@strapi/blocks-react-renderer`: what was stored as blocks comes back so that it renders.
 */
import { createRequire } from 'node:module';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PNG, token, unique, url } from './requests.ts';

const { BlocksRenderer } = createRequire(import.meta.url)('@strapi/blocks-react-renderer');

const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more });
const item = (value: string) => ({ type: 'list-item', children: [text(value)] });

const CONTENT = [
  { type: 'heading', level: 2, children: [text('Title')] },
  {
    type: 'paragraph',
    children: [
      text('Plain '),
      text('bold', { bold: true }),
      text('all', { italic: true, underline: true, strikethrough: true, code: true }),
      { type: 'link', url: 'https://example.com/?a=1&b=2', children: [text('link')] },
    ],
  },
  {
    type: 'list',
    format: 'unordered',
    children: [item('one'), { type: 'list', format: 'ordered', indentLevel: 1, children: [item('two')] }],
  },
  { type: 'quote', children: [text('Quote')] },
  { type: 'code', language: 'javascript', children: [text('const a = "<b>";\nb')] },
];

const render = (content: unknown): string => renderToStaticMarkup(createElement(BlocksRenderer, { content }));

interface Author {
  readonly documentId: string;
  readonly bio: unknown;
}

async function stored(bio: unknown): Promise<Author> {
  const body = JSON.stringify({ data: { name: 'Blocks', slug: unique('blocks'), bio } });
  const made = await fetch(`${url}/api/authors`, { method: 'POST', headers, body });
  const { documentId } = ((await made.json()) as { data: Author }).data;
  const { data } = (await (await fetch(`${url}/api/authors/${documentId}`)).json()) as { data: Author };
  await fetch(`${url}/api/authors/${documentId}`, { method: 'DELETE', headers });
  return data;
}

describe('blocks', () => {
  it('of the demo render', async () => {
    const response = await fetch(`${url}/api/authors?filters[bio][$notNull]=true`);
    const { data } = (await response.json()) as { data: readonly Author[] };
    expect(data.map(({ bio }) => render(bio)).join('').length).toBeGreaterThan(100);
  });

  it('of every kind come back as they were written, and render', async () => {
    const { bio } = await stored(CONTENT);
    expect(bio).toEqual(CONTENT);
    const link = '<a href="https://example.com/?a=1&amp;b=2">link</a>';
    for (const part of ['<h2>Title</h2>', '<strong>bold</strong>', link, '<ol>', '<blockquote>', '&lt;b&gt;'])
      expect(render(bio)).toContain(part);
  });

  it('show a file that was uploaded', async () => {
    const form = new FormData();
    form.append('files', new Blob([PNG], { type: 'image/png' }), 'dot.png');
    const request = { method: 'POST', headers: { Authorization: headers.Authorization }, body: form };
    const [image] = (await (await fetch(`${url}/api/upload`, request)).json()) as { url: string; id: number }[];
    const { bio } = await stored([{ type: 'image', image, children: [text('')] }]);
    expect(render(bio)).toContain(`src="${image?.url}"`);
    await fetch(`${url}/api/upload/files/${image?.id}`, { method: 'DELETE', headers });
  });
});

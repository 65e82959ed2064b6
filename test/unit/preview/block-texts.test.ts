/**
 * @module Which texts of blocks get a source map: the first of each block and of each item of a list.
 */
import { expect, it } from 'vitest';
import { changeBlocks } from '../../../src/features/preview/block-texts.ts';

const text = (value: unknown, more: object = {}) => ({ type: 'text', text: value, ...more });
const block = (type: string, ...children: unknown[]) => ({ type, level: 1, children });
const changed = (...blocks: readonly unknown[]) => changeBlocks(blocks, (value) => `<${value}>`);

it.each(['paragraph', 'heading', 'quote'])('of a %s the first text is changed, and nothing else', (type) => {
  expect(changed(block(type, text('a', { bold: true }), text('b')), block(type, text('c')))).toEqual([
    block(type, text('<a>', { bold: true }), text('b')),
    block(type, text('<c>')),
  ]);
});

it('the first text may be inside a link, after what has none', () => {
  const link = (...children: unknown[]) => ({ type: 'link', url: '/', text: 'no text node', children });
  expect(changed(block('paragraph', null, text(5), link(), link(text('a')), text('b')))).toEqual([
    block('paragraph', null, text(5), link(), link(text('<a>')), text('b')),
  ]);
});

it('of a list each item is changed, at each level', () => {
  const list = (...children: unknown[]) => ({ type: 'list', format: 'ordered', children });
  const item = (...children: unknown[]) => block('list-item', ...children);
  expect(
    changed(list(item(text('a'), text('b')), list(item(text('c'))), item(), block('other', text('d')), 'e')),
  ).toEqual([list(item(text('<a>'), text('b')), list(item(text('<c>'))), item(), block('other', text('d')), 'e')]);
});

it('of an image the alternative text is changed, if it has one', () => {
  const image = (alternativeText: unknown) => ({
    ...block('image', text('')),
    image: { url: '/a.png', alternativeText },
  });
  expect(changed(image('a'))).toEqual([image('<a>')]);
  for (const value of ['', null, 5]) expect(changed(image(value))).toEqual([image(value)]);
  expect(changed(block('image'))).toEqual([block('image')]);
});

it.each([
  ['code', block('code', text('a'))],
  ['a block of another type', block('other', text('a'))],
  ['a block without texts', block('paragraph')],
  ['a block whose children are no list', { type: 'paragraph', children: {} }],
  ['a list whose children are no list', { type: 'list', children: {} }],
  ['what is no block', 'text'],
])('%s stays as it is', (_, value) => {
  expect(changed(value)).toEqual([value]);
});

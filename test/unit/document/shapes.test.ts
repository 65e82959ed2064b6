/**
 * @module The shapes of documents, which are made once for all that have the same keys.
 */
import { expect, it } from 'vitest';
import { IDENTITY, shapeOf } from '../../../src/content/document/document.ts';
import type { Selection } from '../../../src/content/plan/model/read-plan.ts';
import { scalarOf } from '../../support/recorded-registry.ts';
import { typeOf } from '../../support/schema-files.ts';

const type = typeOf({ title: { type: 'string' }, open: { type: 'boolean' } });
const attributes = [scalarOf(type, 'title'), scalarOf(type, 'open')];
let reads = 0;

/** A selection whose names are counted as they are read. */
const selecting = (...names: readonly string[]) => {
  const nodes = names.map((name) => ({
    get name() {
      reads += 1;
      return name;
    },
  }));
  return { attributes, populate: nodes } as unknown as Selection;
};

it('have all keys, null, in the order of a response', () => {
  const { template, fields } = shapeOf(selecting('author', 'tags'), IDENTITY);
  expect(Object.entries(template)).toEqual(
    ['id', 'documentId', 'title', 'open', 'author', 'tags'].map((name) => [name, null]),
  );
  expect(fields.map(({ name, read }) => [name, read?.(1)])).toEqual([
    ['title', undefined],
    ['open', true],
  ]);
});

it('are those of another selection with the same keys, and of no other', () => {
  const shape = shapeOf(selecting('author'), IDENTITY);
  expect(shapeOf(selecting('author'), IDENTITY)).toBe(shape);
  expect(shapeOf(selecting(), IDENTITY)).toBe(shapeOf(selecting(), IDENTITY));
  const keys = [
    shapeOf(selecting('author'), ['id']),
    shapeOf(selecting(), IDENTITY),
    shapeOf(selecting('tags'), IDENTITY),
  ];
  expect(keys.map(({ template }) => Object.keys(template).join())).toEqual([
    'id,title,open,author',
    'id,documentId,title,open',
    'id,documentId,title,open,tags',
  ]);
});

it('are found by their selection without reading it again', () => {
  const selection = selecting('author', 'tags');
  const shape = shapeOf(selection, IDENTITY);
  reads = 0;
  expect(shapeOf(selection, IDENTITY)).toBe(shape);
  expect(reads).toBe(0);
});

import { expect, it } from 'vitest';
import { inOrder } from '../../../src/content/plan/validate/issue-order.ts';
import { typeOf } from '../../support/schema-files.ts';

const text = { type: 'string' };
const { attributes } = typeOf({ name: text, size: text, nickname: text, part: text, parts: text, other: text });

const order = (paths: readonly string[], at: readonly string[] = []) =>
  inOrder(
    paths.map((path) => ({ path: [...at, ...path.split('.')], message: path })),
    attributes,
    at,
  ).map(({ message }) => message);

it('is that of the attributes', () => {
  expect(order(['other', 'size', 'name'])).toEqual(['name', 'size', 'other']);
});

it('has an attribute at the place of an earlier one whose name is in its own', () => {
  expect(order(['size', 'nickname'])).toEqual(['nickname', 'size']);
});

it('has the later one first at one place, and first of all what is less deep', () => {
  expect(order(['part', 'parts'])).toEqual(['parts', 'part']);
  expect(order(['part.size', 'parts.0.size'])).toEqual(['part.size', 'parts.0.size']);
  expect(order(['part.size', 'parts'])).toEqual(['parts', 'part.size']);
});

it('looks at the whole path, and keeps what is wrong with one attribute together', () => {
  expect(order(['name', 'size'], ['parts', '0'])).toEqual(['name', 'size']);
  expect(order(['parts.0.name', 'parts.1.name', 'size'])).toEqual(['size', 'parts.0.name', 'parts.1.name']);
});

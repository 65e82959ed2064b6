import { expect, it } from 'vitest';
import { byAttribute } from '../../../src/plan/write/publication.ts';
import { typeOf } from '../../support/schema-files.ts';

it('lists issues in the order of the attributes, and those of one attribute in the order in which they came', () => {
  const type = typeOf({ name: { type: 'string' }, size: { type: 'string' }, other: { type: 'string' } });
  const issues = ['other', 'size.1', 'name', 'size.0'].map((path) => ({ path: path.split('.'), message: path }));
  expect(byAttribute(issues, type).map(({ message }) => message)).toEqual(['name', 'size.1', 'size.0', 'other']);
});

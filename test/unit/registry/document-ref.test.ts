/**
 * @module A reference to a document never means all of a type.
 */
import { expect, it } from 'vitest';
import { isDocument, rowCondition } from '../../../src/content/sql/versions.ts';
import { single } from '../../../src/schema/document-ref.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([contentType('note', {}), contentType('home', {}, { single: true })]);
const typeOf = (name: string): ContentType => registry.contentTypes.get(`api::${name}.${name}`) as ContentType;
const note = typeOf('note');
const home = typeOf('home');

it('is none of a single type for a collection type', () => {
  expect(single(home)).toEqual({ kind: 'single' });
  expect(() => single(note)).toThrow('api::note.note is no single type');
});

it('becomes no condition of SQL without a documentId for a collection type', () => {
  const document = single(home);
  expect(() => isDocument({ type: note, document })).toThrow('no single type');
  expect(() => rowCondition({ type: note, document, locale: undefined, status: 'published' })).toThrow(
    'no single type',
  );
});

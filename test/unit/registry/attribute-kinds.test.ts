/**
 * @module What is known of each kind of attribute.
 */
import { describe, expect, it } from 'vitest';
import {
  hasColumn,
  hasComponents,
  isDocumentList,
  isHidden,
  isLine,
  isLinkAttribute,
  isOwner,
  isPassword,
} from '../../../src/schema/attribute-kinds.ts';
import type { Attribute } from '../../../src/schema/model.ts';
import { FILE_UID } from '../../../src/schema/system-types.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';

const { contentTypes } = registryOf(
  [
    contentType('thing', {
      ...{ line: { type: 'string' }, text: { type: 'text' }, number: { type: 'integer' } },
      ...{ option: { type: 'enumeration', enum: ['a'] }, password: { type: 'password' } },
      hidden: { type: 'string', private: true },
      one: relation('manyToOne', 'thing', { inversedBy: 'many' }),
      many: relation('oneToMany', 'thing', { mappedBy: 'one' }),
      ...{ parent: { type: 'relation', relation: 'morphToOne' }, items: { type: 'relation', relation: 'morphToMany' } },
      ...{ cover: { type: 'media' }, pictures: { type: 'media', multiple: true } },
      part: { type: 'component', component: 'shared.part' },
      zone: { type: 'dynamiczone', components: ['shared.part'] },
    }),
  ],
  [component('shared.part', {})],
);
const all = new Map<string, Attribute>([
  ...(contentTypes.get('api::thing.thing')?.attributes ?? []),
  ...[...(contentTypes.get(FILE_UID)?.attributes ?? [])].filter(([name]) => name === 'related'),
]);

const LINES = ['line', 'hidden', 'locale'];
const SCALARS = [...LINES, 'text', 'number', 'option', 'password', 'createdAt', 'updatedAt', 'publishedAt'];

describe('an attribute', () => {
  it.each<[string, (attribute: Attribute) => boolean, readonly string[]]>([
    ['has a column', hasColumn, [...SCALARS, 'part', 'zone']],
    ['has links', isLinkAttribute, ['one', 'many', 'parent', 'items', 'cover', 'pictures']],
    ['has components', hasComponents, ['part', 'zone']],
    ['is a list of documents', isDocumentList, ['many', 'items', 'pictures', 'localizations']],
    ['owns a link table', isOwner, ['one', 'parent', 'items', 'cover', 'pictures']],
    ['is a password', isPassword, ['password']],
    ['is a line of text', isLine, LINES],
    ['is hidden', isHidden, ['hidden', 'password', 'createdBy', 'updatedBy', 'locale', 'localizations']],
  ])('%s', (_, is, names) => {
    expect(
      [...all.values()]
        .filter(is)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted());
  });

  it('that is not there has neither links nor components', () => {
    expect([isLinkAttribute(undefined), hasComponents(undefined)]).toEqual([false, false]);
  });
});

/**
 * @module A type with each kind of link, and one of each kind of document.
 */
import type { ContentType } from '../../../src/schema/model.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';

const CARD = { type: 'component', component: 'parts.card' };
export const registry = registryOf(
  [
    contentType(
      'x',
      {
        one: relation('oneToOne', 'y'),
        oneBoth: relation('oneToOne', 'y', { inversedBy: 'backOne' }),
        many: relation('manyToOne', 'y'),
        manyBoth: relation('manyToOne', 'y', { inversedBy: 'backMany' }),
        list: relation('manyToMany', 'y'),
        listBoth: relation('manyToMany', 'y', { inversedBy: 'backList' }),
        cover: { type: 'media' },
        covers: { type: 'media', multiple: true },
        any: { type: 'relation', relation: 'morphToMany' },
        anyOne: { type: 'relation', relation: 'morphToOne' },
        title: { type: 'string' },
        pin: { type: 'password' },
        card: CARD,
        cards: { ...CARD, repeatable: true },
        zone: { type: 'dynamiczone', components: ['parts.card'] },
      },
      { plural: 'xs' },
    ),
    contentType('y', {
      backOne: relation('oneToOne', 'x', { mappedBy: 'oneBoth' }),
      backMany: relation('oneToMany', 'x', { mappedBy: 'manyBoth' }),
      backList: relation('manyToMany', 'x', { mappedBy: 'listBoth' }),
      marks: relation('morphMany', 'x', { morphBy: 'any' }),
    }),
    contentType('draft', {}, { drafts: true }),
    contentType('place', {}, { localized: true }),
  ],
  [component('parts.card', { label: { type: 'string' } }), component('parts.other', { label: { type: 'string' } })],
);

/** `x` links to `y` in each way. */
export const [x, y, draft, place] = ['x', 'y', 'draft', 'place'].map((name) =>
  registry.contentTypes.get(`api::${name}.${name}`),
) as [ContentType, ContentType, ContentType, ContentType];

/**
 * @module A page builder: a zone that allows many components, of which a page uses three, and a menu whose entries have
 * entries.
 */
import type { SchemaFile } from '../../src/schema/build.ts';
import type { Registry } from '../../src/schema/model.ts';
import { component, contentType, registryOf } from './schema-files.ts';

const localized = { pluginOptions: { i18n: { localized: true } } };
const relation = (target: string, kind = 'oneToMany') => ({ type: 'relation', relation: kind, target });

const link = component('part.link', {
  label: { type: 'string' },
  page: relation('api::page.page', 'oneToOne'),
  icon: { type: 'media' },
});

const card = component('part.card', {
  title: { type: 'string' },
  image: { type: 'media' },
  link: { type: 'component', component: 'part.link' },
});

const entry = component('menu.entry', {
  label: { type: 'string' },
  page: relation('api::page.page', 'oneToOne'),
  entries: { type: 'component', component: 'menu.entry', repeatable: true },
  more: { type: 'component', component: 'menu.more' },
});

const more = component('menu.more', {
  image: { type: 'media' },
  entry: { type: 'component', component: 'menu.entry' },
});

/** Every third has `note` as a text, where the others have a relation of that name. */
const block = (index: number): SchemaFile =>
  component(`block.b${index}`, {
    heading: { type: 'string' },
    image: { type: 'media' },
    author: relation('api::author.author', 'oneToOne'),
    pages: relation('api::page.page'),
    place: relation('api::place.place', 'oneToOne'),
    link: { type: 'component', component: 'part.link' },
    cards: { type: 'component', component: 'part.card', repeatable: true },
    note: index % 3 === 0 ? { type: 'string' } : relation('api::author.author', 'oneToOne'),
    extra: { type: 'json' },
  });

export const blocksOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `block.b${index}`);

/** Pages of `count` components; places have locales, authors drafts. */
export function pageBuilder(count: number): Registry {
  const page = {
    title: { type: 'string', ...localized },
    zone: { type: 'dynamiczone', components: blocksOf(count), ...localized },
    menu: { type: 'component', component: 'menu.entry', repeatable: true, ...localized },
    owner: relation('api::author.author', 'oneToOne'),
  };
  return registryOf(
    [
      contentType('page', page, { drafts: true, localized: true }),
      contentType(
        'author',
        { name: { type: 'string' }, bio: { type: 'text' }, photo: { type: 'media' } },
        { drafts: true },
      ),
      contentType('place', { name: { type: 'string', ...localized } }, { localized: true }),
    ],
    [link, card, entry, more, ...blocksOf(count).map((_, index) => block(index))],
  );
}

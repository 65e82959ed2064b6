/**
 * @module A content model with attributes of every kind to populate, and populated nodes as short texts.
 */
import type { Populate, PopulateCommon, Selection } from '../../../src/content/plan/model/read-plan.ts';
import { planNamed } from '../../../src/content/plan/read/plan-read.ts';
import { parseQueryParams } from '../../../src/content/request/query-params.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { listPlan, printCondition, type ReaderOptions, readerOf } from './support.ts';

const text = { type: 'string' };
const box = { type: 'component', component: 'kit.box' };
const tag = relation('oneToOne', 'tag');

export const populateRegistry = registryOf(
  [
    contentType(
      'page',
      {
        ...{ title: text, slug: text, secret: { ...text, private: true } },
        ...{ author: relation('manyToOne', 'person', { inversedBy: 'pages' }), tags: relation('manyToMany', 'tag') },
        ...{
          hidden: { ...tag, private: true },
          picture: { type: 'media' },
          pictures: { type: 'media', multiple: true },
        },
        ...{ box, boxes: { ...box, repeatable: true } },
        zone: { type: 'dynamiczone', components: ['kit.box', 'kit.quote'] },
        any: { type: 'relation', relation: 'morphToMany' },
        one: { type: 'relation', relation: 'morphToOne' },
      },
      { drafts: true, localized: true },
    ),
    contentType('person', {
      ...{ name: text, avatar: { type: 'media' }, box, friend: relation('oneToOne', 'person') },
      pages: relation('oneToMany', 'page', { mappedBy: 'author' }),
    }),
    contentType('tag', { name: text, weight: { type: 'integer' } }),
  ],
  [
    component('kit.box', {
      label: text,
      tag,
      page: relation('oneToOne', 'page'),
      inner: { type: 'component', component: 'kit.inner' },
    }),
    component('kit.quote', { text, tag, author: relation('oneToOne', 'person') }),
    component('kit.inner', {
      mark: text,
      tags: relation('oneToMany', 'tag'),
      any: { type: 'relation', relation: 'morphToMany' },
    }),
  ],
);

const PLUGINS: Readonly<Record<string, string>> = {
  file: 'plugin::upload.file',
  user: 'plugin::users-permissions.user',
};
export const uidOf = (name: string): string => PLUGINS[name] ?? `api::${name}.${name}`;

const SYSTEM = ['createdAt', 'updatedAt', 'publishedAt', 'locale'];
const FILE = ['alternativeText', 'caption', 'ext', 'url', 'width', 'height', 'size', 'mime', 'hash', 'formats'];

/** `{title, slug}`, without the attributes that all types, or all files, have. */
function printSelection({ attributes, populate }: Selection): string {
  const names = attributes.map(({ name }) => name).filter((name) => ![...SYSTEM, ...FILE].includes(name));
  const below = populate.length > 0 ? ` > (${populate.map(printNode).join('; ')})` : '';
  return `{${names.join(', ').replace(/name, focalPoint.*/, 'file')}}${below}`;
}

function printShown({ count, slice, withCount }: Pick<PopulateCommon, 'count' | 'slice' | 'withCount'>): string {
  const part = slice ? ` from ${slice.start}${slice.limit === undefined ? '' : ` at most ${slice.limit}`}` : '';
  return `${count ? ' count' : ''}${part}${withCount ? ' with count' : ''}`;
}

/** `tags{name} where name $eq "a" by name`. */
export function printNode(node: Populate): string {
  switch (node.kind) {
    case 'related': {
      const uses = node.uses.map(({ type, tables, drafts, attributes, visible }) => {
        const rows = `${drafts ? ' drafts' : ''}${visible ? ` [${printCondition(visible)}]` : ''}`;
        return `${type.singularName}${printSelection({ attributes, populate: [] })} of ${tables.length}${rows}`;
      });
      return `${node.name}(${uses.join('; ')})`;
    }
    case 'dynamiczone': {
      const parts = [...node.parts].map(
        ([uid, part]) => `${uid}${printSelection(part)}${part.where ? ` where ${printCondition(part.where)}` : ''}`,
      );
      return `${node.name}(${parts.join('; ')})`;
    }
    case 'polymorphic': {
      const parts = node.parts.map((part) => {
        const { target } = part.kind === 'link' ? part.link : part;
        return `${target.singularName}${printSelection(part.selection)}${part.count ? ' count' : ''}${part.where ? ` where ${printCondition(part.where)}` : ''}`;
      });
      return `${node.name}${node.multiple ? '[]' : ''}${printShown(node)}(${parts.join('; ')})`;
    }
    default: {
      const where = node.where ? ` where ${printCondition(node.where)}` : '';
      const order = node.order.map(
        ({ attribute, steps, descending }) =>
          `${'.'.repeat(steps.length)}${attribute.name}${descending ? ' desc' : ''}`,
      );
      const by = order.length > 0 ? ` by ${order.join(', ')}` : '';
      return `${node.name}${node.multiple ? '[]' : ''}${printShown(node)}${printSelection(node.selection)}${where}${by}`;
    }
  }
}

/** The nodes of `GET /api/<type>?<search>`, or of a read of one user or file. */
export function populatedOf(uid: string, search: string, options: ReaderOptions = {}): readonly string[] {
  const type = populateRegistry.contentTypes.get(uid);
  if (!type) throw new Error(uid);
  const all = { registry: populateRegistry, ...options };
  if (!type.system) return listPlan(type, search, all).selection.populate.map(printNode);
  const reader = readerOf(all);
  const params = parseQueryParams(parseQueryString(search, reader.settings.api.rest.limits), 'one', reader.settings);
  return planNamed(params, type, 1, reader).selection.populate.map(printNode);
}

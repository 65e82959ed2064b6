/**
 * @module Values inside components that change: their types, kinds, and the targets of their links.
 */
import { component, contentType } from '../schema-files.ts';
import type { Change } from './change.ts';
import type { AttributeJson } from './content.ts';
import { type Declared, documents, found, modelChange } from './rows.ts';
import { SHOWN_CONVERSIONS, STRING, toAuthor } from './values.ts';

type Attributes = Readonly<Record<string, AttributeJson>>;

const INTEGER = { type: 'integer' };
const URL = { url: STRING };
const single = (uid: string): AttributeJson => ({ type: 'component', component: uid, repeatable: false });
const list = (uid: string): AttributeJson => ({ type: 'component', component: uid, repeatable: true });
const held = (seo: Attributes, ...more: Declared[0]): Declared => [
  [contentType('page', { seo: single('shared.seo') }), ...more],
  [component('shared.seo', seo), component('shared.link', URL)],
];
const AUTHOR = contentType('author', { name: STRING });
const files = (multiple: boolean): AttributeJson => ({ type: 'media', multiple });
const seoRows = (...values: readonly object[]) => [
  documents('pages', 'seo', ...values.map((value, at) => [`p${at}`, 1, { id: 1, ...value }] as const)),
];
const seoFound = (...values: readonly object[]) => [
  found('document_id, seo FROM pages', ...values.map((value, at) => [`p${at}`, { id: 1, ...value }])),
];
const [X, Y] = [{ documentId: 'x' }, { documentId: 'y' }];
const converted = (side: 0 | 1): Declared =>
  held(Object.fromEntries(SHOWN_CONVERSIONS.map((item, index) => [`v${index}`, { type: item[side] }])));
const conversions = (side: 2 | 3) =>
  Object.fromEntries(SHOWN_CONVERSIONS.map((item, index) => [`v${index}`, item[side]]));
const named = (name: string) => contentType(name, {}, { table: 'things' });
const toOne = (name: string) => ({ top: toAuthor('oneToOne', name) });

export const componentValueChanges: readonly Change[] = [
  modelChange({
    title: 'types and kinds inside a component that hold less',
    before: held({ size: STRING, links: list('shared.link'), at: { type: 'datetime' } }),
    after: held({ size: INTEGER, links: single('shared.link'), at: { type: 'date' } }),
    fill: seoRows(
      { size: '12', links: [{ id: 2, url: 'u' }], at: '2024-01-02T00:00:00.000Z' },
      { size: 'twelve', links: [{ id: 2 }, { id: 3 }], at: '2024-01-02T03:00:00.000Z' },
      { size: null, links: [], at: null },
      {},
    ),
    loses: { 'shared.seo.size': 2, 'shared.seo.links': 2, 'shared.seo.at': 2 },
  }),
  modelChange({
    title: 'a text inside a component that becomes a list of components, and a list that becomes one of others',
    before: held({ size: STRING, parts: list('shared.link') }),
    after: held({ size: list('shared.link'), parts: list('shared.seo') }),
    fill: seoRows({ size: 'twelve', parts: [{ id: 2, url: 'u' }] }, { size: null, parts: [] }, {}),
    loses: { 'shared.seo.size': 1, 'shared.seo.parts': 1 },
    survives: seoFound({ size: [], parts: [] }, { size: [], parts: [] }, { size: [], parts: [] }),
  }),
  modelChange({
    title: 'links inside a component that may be one only',
    before: held({ authors: toAuthor('oneToMany'), files: files(true) }, AUTHOR),
    after: held({ authors: toAuthor('oneToOne'), files: files(false) }, AUTHOR),
    fill: seoRows({ authors: [X, Y], files: [Y] }, { authors: [X], files: [Y, X] }, {}),
    loses: { 'shared.seo.authors': 2, 'shared.seo.files': 2 },
    survives: seoFound(...[1, 2, 3].map(() => ({ authors: [], files: [] }))),
  }),
  modelChange({
    title: 'another uid of a type that components link to',
    before: held(toOne('thing'), named('thing')),
    after: held(toOne('item'), named('item')),
    fill: seoRows({ top: [X] }),
    survives: seoFound({ top: [X] }),
  }),
  modelChange({
    title: 'another target of a relation inside a component',
    before: held(toOne('thing'), named('thing'), AUTHOR),
    after: held(toOne('author'), named('thing'), AUTHOR),
    fill: seoRows({ top: [X] }, {}),
    loses: { 'shared.seo.top': 1 },
    survives: seoFound({}, {}),
  }),
  modelChange({
    title: 'other types inside a component',
    before: converted(0),
    after: converted(1),
    fill: seoRows(conversions(2)),
    loses: Object.fromEntries(
      SHOWN_CONVERSIONS.flatMap(([, , before, after], index) =>
        after === null ? [[`shared.seo.v${index}`, before === null ? 0 : 1]] : [],
      ),
    ),
    survives: seoFound(conversions(3)),
  }),
];

import { describe, expect, it } from 'vitest';
import { differencesOf, longestRun, piecesOf } from '../../../studio/history/differences.ts';
import type { Attributes } from '../../../studio/model/attribute.ts';
import type { Model, Values } from '../../../studio/model/model.ts';

const fact = {
  name: 'Fact',
  attributes: {
    label: { type: 'string' },
    pages: { type: 'relation', relation: 'oneToMany', target: 'api::page.page' },
  },
};
const note = { name: 'Note', attributes: { label: { type: 'string' } } };
const components = new Map(Object.entries({ 'part.fact': fact, 'part.note': note }));
const types = new Map([['api::page.page', { titleAttribute: 'title' }]]);
const model = { types, components } as unknown as Model;

const attributes: Attributes = {
  title: { type: 'string' },
  size: { type: 'integer' },
  content: { type: 'blocks' },
  constructor: { type: 'string' } as const,
  pages: { type: 'relation', relation: 'manyToMany', target: 'api::page.page' },
  files: { type: 'media', multiple: true },
  fact: { type: 'component', component: 'part.fact' },
  facts: { type: 'component', component: 'part.fact', repeatable: true },
  zone: { type: 'dynamiczone', components: ['part.fact', 'part.note'] },
};

const differences = (before: Values, after: Values) => differencesOf(model, Object.entries(attributes), before, after);

/** `changes title from→to` of the entries of one attribute. */
const entries = (before: Values, after: Values): readonly string[] =>
  (differences(before, after)[0]?.entries ?? []).map(
    ({ changes, title, from, to }) => `${changes.join('+')} ${title} ${from ?? ''}→${to ?? ''}`,
  );

const pages = (...names: readonly string[]) => names.map((name) => ({ documentId: name, title: name }));
const facts = (...items: readonly (readonly [id: number, label: string])[]) =>
  items.map(([id, label]) => ({ id, label }));

describe('two versions', () => {
  it('have no difference if they are the same, also under other ids of components', () => {
    const before = {
      title: 'a',
      size: null,
      facts: facts([1, 'x'], [2, 'y']),
      zone: [{ __component: 'part.note', id: 1, label: 'n' }],
    };
    const after = {
      title: 'a',
      facts: facts([8, 'x'], [9, 'y']),
      zone: [{ __component: 'part.note', id: 7, label: 'n' }],
    };
    expect(differences(before, after)).toEqual([]);
  });

  it('differ in texts by word, and in other values as a whole', () => {
    const [title, size] = differences({ title: 'by night here', size: 12 }, { title: 'by day here', size: 13 });
    const marked = (difference: typeof title) =>
      difference &&
      piecesOf(difference).map(({ added, removed, value }) => `${added ? '+' : removed ? '-' : ''}${value}`);
    expect(marked(title)).toEqual(['by ', '-night', '+day', ' here']);
    expect(marked(size)).toEqual(['-12', '+13']);
  });

  it('differ in long texts by line, and those without a common line are replaced', () => {
    const lines = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${prefix}${index}\n`).join('');
    const [one] = differences(
      { title: lines('line ', 5000) },
      { title: lines('line ', 5000).replace('line 7\n', 'line x\n') },
    );
    expect(
      one &&
        piecesOf(one)
          .filter(({ added, removed }) => added || removed)
          .map(({ value }) => value),
    ).toEqual(['line 7\n', 'line x\n']);
    const [all] = differences({ title: lines('a', 9000) }, { title: lines('b', 9000) });
    expect(all && piecesOf(all)).toHaveLength(2);
  });

  it('differ in the format of blocks, if not in their text', () => {
    const content = (format: object) => [{ type: 'paragraph', children: [{ type: 'text', text: 'word', ...format }] }];
    expect(differences({ content: content({}) }, { content: content({ bold: true }) })).toMatchObject([
      { name: 'content', before: 'word', after: 'word' },
    ]);
  });

  it('differ in attributes with names of objects', () => {
    expect(differences({}, { constructor: 'x' })).toMatchObject([{ name: 'constructor', before: '', after: 'x' }]);
  });
});

describe('lists', () => {
  it('differ by target: added, removed and moved', () => {
    expect(entries({ pages: pages('a', 'b', 'c') }, { pages: pages('c', 'a', 'd') })).toEqual([
      'moved c 3→1',
      'removed b 2→',
      'added d →3',
    ]);
    expect(entries({ files: [{ id: 1, name: 'f' }] }, { files: [{ id: 2, name: 'f' }] })).toEqual([
      'removed f 1→',
      'added f →1',
    ]);
  });

  it('take as many entries as possible as unmoved', () => {
    expect(entries({ pages: pages('a', 'b', 'c', 'd') }, { pages: pages('b', 'c', 'd', 'a') })).toEqual([
      'moved a 1→4',
    ]);
    expect([...longestRun([3, 0, 1, 4, 2])].toSorted()).toEqual([0, 1, 2]);
    expect([...longestRun([])]).toEqual([]);
  });

  it('recognize components by id, then by content, then by order', () => {
    const before = facts([1, 'one'], [2, 'two'], [3, 'three']);
    expect(entries({ facts: before }, { facts: facts([3, 'three'], [1, 'uno'], [2, 'two']) })).toEqual([
      'moved Fact 3→1',
      'changed Fact 1→2',
    ]);
    expect(entries({ facts: before }, { facts: facts([7, 'three'], [8, 'uno'], [9, 'two']) })).toEqual([
      'moved Fact 3→1',
      'changed Fact 1→2',
    ]);
    expect(entries({ facts: before }, { facts: before.slice(1) })).toEqual(['removed Fact 1→']);
  });

  it('tell the components of a zone apart', () => {
    const before = [{ __component: 'part.note', id: 1, label: 'x' }];
    const after = [{ __component: 'part.fact', id: 1, label: 'x' }];
    expect(entries({ zone: before }, { zone: after })).toEqual(['removed Note 1→', 'added Fact →1']);
  });

  it('show what differs inside of a component', () => {
    const [difference] = differences(
      { fact: { id: 1, label: 'a', pages: pages('p') } },
      { fact: { id: 2, label: 'a', pages: [] } },
    );
    expect(difference?.entries).toMatchObject([
      { changes: ['changed'], inside: [{ name: 'pages', entries: [{ changes: ['removed'], title: 'p' }] }] },
    ]);
    expect(differences({ fact: null }, { fact: { id: 1, label: 'new' } })[0]?.entries).toMatchObject([
      { changes: ['added'], text: '  Label: new' },
    ]);
  });
});

/**
 * @module `populate=@deep:3`: where it goes in models that lead back to themselves, and how it is described.
 */
import { describe, expect, it } from 'vitest';
import { only } from '../../../src/access/grants.ts';
import { rulesOf } from '../../../src/access/rule.ts';
import { selectionsOf } from '../../../src/content/plan/model/node-kinds.ts';
import type { Populate, Selection } from '../../../src/content/plan/model/read-plan.ts';
import type { ContentType, Registry } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { describeApi } from '../../support/describe-api.ts';
import { recordedRegistry } from '../../support/recorded-registry.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { listPlan, type ReaderOptions } from './support.ts';

const settings = parseSettings({ api: { rest: { deepPopulate: true } } });

/** The populated paths, each once. */
function pathsOf({ populate }: Selection, above = ''): readonly string[] {
  const below = (node: Populate) =>
    selectionsOf(node).flatMap((selection) => pathsOf(selection, `${above}${node.name}.`));
  return [...new Set(populate.flatMap((node) => [`${above}${node.name}`, ...below(node)]))];
}

function planned(registry: Registry, name: string, depth: number, options: ReaderOptions = {}, more = '') {
  const type = registry.contentTypes.get(`api::${name}.${name}`) as ContentType;
  const { selection } = listPlan(type, `populate=@deep:${depth}${more}`, { registry, settings, ...options });
  return { paths: pathsOf(selection), ...selection.populated };
}

const text = { type: 'string' };

describe('all levels', () => {
  it('reach no content type twice on a way, but each on several ways', () => {
    const registry = registryOf([
      contentType('a', { b: relation('oneToOne', 'b'), c: relation('oneToMany', 'c', { mappedBy: 'a' }) }),
      contentType('b', { c: relation('oneToOne', 'c'), self: relation('oneToMany', 'b') }),
      contentType('c', { a: relation('manyToOne', 'a', { inversedBy: 'c' }), b: relation('oneToOne', 'b') }),
    ]);
    expect(planned(registry, 'a', 3)).toEqual({
      paths: ['b', 'b.c', 'c', 'c.b'],
      depth: 3,
      leftOut: ['b.self', 'c.a', 'b.c.a', 'b.c.b', 'c.b.c', 'c.b.self'],
      leftOutCount: 6,
    });
    expect(planned(registry, 'a', 1)).toMatchObject({ paths: ['b', 'c'], leftOut: [] });
  });

  it('have components within themselves, as deep as the request says', () => {
    const items = { type: 'component', repeatable: true, component: 'menu.item' };
    const registry = registryOf([contentType('a', { items })], [component('menu.item', { label: text, items })]);
    expect(planned(registry, 'a', 3)).toEqual({
      paths: ['items', 'items.items', 'items.items.items'],
      depth: 3,
      leftOut: [],
      leftOutCount: 0,
    });
  });

  it('reach each type of a polymorphic relation but those on the way', () => {
    const registry = registryOf([
      contentType('a', { items: { type: 'relation', relation: 'morphToMany' } }),
      contentType('b', { name: text, a: relation('oneToOne', 'a'), c: relation('oneToOne', 'c') }),
      contentType('c', { name: text }),
    ]);
    const { paths, leftOut } = planned(registry, 'a', 2);
    expect(paths).toEqual(['items', 'items.role', 'items.c']);
    expect(leftOut).toEqual(['items.on[api::a.a]', 'items.a']);
  });

  it('name no polymorphic relation to types that the caller may not find', () => {
    const items = { type: 'relation', relation: 'morphToMany' };
    const registry = registryOf([contentType('a', { name: text, items })]);
    const cut = parseSettings({ api: { rest: { deepPopulate: true, limits: { populateNodes: 1 } } } });
    const grants = { allows: (action: string) => action.startsWith('api::b') };
    const many = { a: relation('oneToOne', 'b'), items };
    const both = registryOf([contentType('a', many), contentType('b', { name: text })]);
    expect(planned(both, 'a', 1, { settings: cut, grants }).leftOut).toEqual(['items']);
    expect(planned(registry, 'a', 1, { settings: cut, grants })).toMatchObject({ paths: [], leftOut: [] });
  });

  it('name no more than a hundred paths of what they leave out', () => {
    const names = Array.from({ length: 150 }, (_, index) => `own${index}`);
    const selves = Object.fromEntries(names.map((name) => [name, relation('oneToOne', 'a')]));
    const { paths, leftOut, leftOutCount } = planned(registryOf([contentType('a', selves)]), 'a', 1);
    expect({ paths, leftOut, leftOutCount }).toEqual({ paths: [], leftOut: names.slice(0, 100), leftOutCount: 150 });
  });
});

const morphToMany = { type: 'relation', relation: 'morphToMany' };
const limitedTo = (limits: object) => ({ settings: parseSettings({ api: { rest: { deepPopulate: true, limits } } }) });
const finds = (...names: readonly string[]) => only(names.map((name) => `api::${name}.${name}.find`));

describe('all levels, of each kind,', () => {
  const part = { type: 'component', component: 'kit.part' };
  const registry = registryOf(
    [
      contentType(
        'a',
        {
          ...{ title: text, file: { type: 'media' }, part, secret: relation('oneToOne', 'b', { private: true }) },
          ...{ zone: { type: 'dynamiczone', components: ['kit.part', 'kit.other'] }, b: relation('oneToOne', 'b') },
        },
        { localized: true },
      ),
      contentType('b', { d: relation('oneToOne', 'd'), items: morphToMany, e: relation('oneToOne', 'e') }),
      contentType('e', { title: text }),
      contentType('d', { title: text }, { drafts: true }),
    ],
    [component('kit.part', { c: relation('oneToOne', 'b') }), component('kit.other', { label: text })],
  );

  it('are those of each kind of attributes, but for what is hidden and the other locales', () => {
    expect(planned(registry, 'a', 1)).toMatchObject({
      ...{ paths: ['file', 'part', 'zone', 'b'], leftOut: ['localizations'] },
    });
    expect(planned(registry, 'a', 2, { grants: finds('a', 'b', 'd') })).toMatchObject({
      paths: ['file', 'part', 'part.c', 'zone', 'zone.c', 'b', 'b.d', 'b.items'],
      leftOut: ['localizations', 'b.items.on[api::a.a]', 'b.items.on[api::b.b]'],
    });
  });

  it('are those of the types that the caller may list', () => {
    expect(planned(registry, 'a', 2, { grants: finds('a') })).toMatchObject({
      ...{ paths: ['file', 'part', 'zone'], leftOut: ['localizations'] },
    });
  });

  it('are those of the attributes that the grants of the caller have', () => {
    const rule = rulesOf([{ action: 'api::b.b.find', fields: ['e'] }])?.({ user: undefined, now: 0 });
    expect(planned(registry, 'a', 2, { grants: { ...finds('a', 'b', 'd', 'e'), rule } })).toMatchObject({
      ...{ paths: ['file', 'part', 'part.c', 'zone', 'zone.c', 'b', 'b.e'], leftOut: ['localizations'] },
    });
  });

  it.each<[string, readonly string[]]>([
    ['', ['d', 'items', 'e']],
    ['&status=draft', ['items', 'e']],
    ['&publicationFilter=modified', ['items', 'e']],
  ])('have no drafts that the caller may not read, without an error: %j', (search, paths) => {
    const grants = finds('b', 'd', 'e');
    expect(planned(registry, 'b', 1, { grants }, search)).toMatchObject({ paths });
    const editor = { allows: (id: string) => grants.allows(id) || id === 'api::d.d.readDrafts' };
    expect(planned(registry, 'b', 1, { grants: editor }, search)).toMatchObject({ paths: ['d', 'items', 'e'] });
  });

  it('leave out links to any type if nothing of them is left', () => {
    const many = registryOf([
      contentType('a', { items: morphToMany }),
      contentType('b', { a: relation('oneToOne', 'a') }),
    ]);
    expect(planned(many, 'a', 1, { grants: finds('a') })).toMatchObject({ paths: [], leftOut: ['items.on[api::a.a]'] });
  });

  const on = (name: string) => `items.on[api::${name}.${name}]`;

  it.each<[string, object, readonly string[], readonly string[]]>([
    ['no key is left', { populateNodes: 1 }, [], [on('b'), on('c'), on('d'), 'b']],
    ['one for a type', { populateNodes: 2 }, ['items'], [on('c'), on('d'), 'b', 'items.c']],
    ['one for each type', { populateNodes: 4 }, ['items'], ['b', 'items.c', 'items.list']],
    ['one for a relation, too', { populateNodes: 5 }, ['items', 'b'], ['items.c', 'items.list', 'b.c']],
    ['no level is left', { populateDepth: 1 }, ['items', 'b'], ['items.c', 'items.list', 'b.c']],
    [
      'one list is left',
      { populateLists: 1 },
      ['items', 'items.c', 'b', 'b.c', 'b.c.list'],
      ['items.list', 'items.c.list'],
    ],
  ])('are as many as the limits allow: %s', (_, limits, paths, leftOut) => {
    const list = relation('oneToMany', 'd');
    const many = registryOf([
      contentType('a', { items: morphToMany, b: relation('oneToOne', 'b') }),
      contentType('b', { c: relation('oneToOne', 'c') }),
      contentType('c', { list }),
      contentType('d', { title: text }),
    ]);
    const options = { ...limitedTo(limits), grants: finds('b', 'c', 'd') };
    const seen = planned(many, 'a', 3, options);
    expect(seen.paths).toEqual(paths);
    expect(seen.leftOut).toEqual(leftOut);
  });

  it('count a zone once, whatever components it has', () => {
    expect(planned(registry, 'a', 1, limitedTo({ populateNodes: 3 }))).toMatchObject({
      ...{ paths: ['file', 'part', 'zone'], leftOut: ['b', 'localizations'] },
    });
  });

  it('count no links that the caller may not follow', () => {
    const many = registryOf([contentType('a', { items: morphToMany, file: { type: 'media' } })]);
    const options = { ...limitedTo({ populateNodes: 1 }), grants: finds('b') };
    expect(planned(many, 'a', 1, options)).toMatchObject({ paths: ['file'], leftOut: [] });
  });

  it('name nothing of a file, which leads to no level', () => {
    const many = registryOf([contentType('a', { items: morphToMany })]);
    expect(planned(many, 'a', 2, limitedTo({ populateNodes: 3 })).leftOut).toEqual([
      ...['items.on[api::a.a]', 'items.role'],
    ]);
  });
});

it('all levels are described where the setting is on', () => {
  const on = describeApi(recordedRegistry, settings);
  const list = JSON.stringify(on.paths['/api/articles']?.get);
  expect(list).toContain('"populated":{"$ref":"#/components/schemas/Populated"}');
  expect(JSON.stringify(on.paths['/api/articles/{documentId}']?.get)).toContain('schemas/Populated');
  expect(JSON.stringify(on.components.parameters?.Populate)).toContain('@deep:5');
  for (const rest of [{}, { deepPopulate: true, extensions: false }]) {
    const off = JSON.stringify(describeApi(recordedRegistry, parseSettings({ api: { rest } })));
    expect(off).not.toContain('@deep');
    expect(off).not.toContain('Populated"');
  }
});

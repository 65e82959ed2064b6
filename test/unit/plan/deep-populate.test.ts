/**
 * @module `populate=@deep:3`: where it goes in models that lead back to themselves, and how it is described.
 */
import { describe, expect, it } from 'vitest';
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

function planned(registry: Registry, name: string, depth: number, options: ReaderOptions = {}) {
  const type = registry.contentTypes.get(`api::${name}.${name}`) as ContentType;
  const { selection } = listPlan(type, `populate=@deep:${depth}`, { registry, settings, ...options });
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

/**
 * @module The order in which the items of a list are told: that in which the reference is done with them.
 */
import { describe, expect, it } from 'vitest';
import { validateInput } from '../../../src/plan/validate-input.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';

const part = { type: 'component', component: 'parts.part' };
const registry = registryOf(
  [
    contentType('thing', {
      parts: { ...part, repeatable: true, max: 1 },
      zone: { type: 'dynamiczone', components: ['parts.part', 'parts.coded'] },
      text: { type: 'blocks' },
    }),
  ],
  [
    component('parts.part', {
      label: { type: 'string' },
      leaf: { type: 'component', component: 'parts.leaf' },
      leaves: { type: 'component', component: 'parts.leaf', repeatable: true },
    }),
    component('parts.leaf', { label: { type: 'string' } }),
    component('parts.coded', { label: { type: 'string' }, code: { type: 'string', unique: true } }),
  ],
);
const type = registry.contentTypes.get('api::thing.thing');
if (!type) throw new Error('the type was not built');

function placesOf(data: Readonly<Record<string, unknown>>, draft = false): readonly string[] {
  const context = { draft, operation: 'create', taken: new Set<string>(), registry, strictRelations: true } as const;
  return validateInput(data, type as NonNullable<typeof type>, context).issues.map(({ path }) => path.join('.'));
}

describe('mistakes in several items of a list', () => {
  it('tells those with less inside them first, and then how many there are', () => {
    const parts = [
      { label: 5, leaves: [{ label: 'a' }] },
      { label: 5, leaf: {} },
      { label: 5, leaves: [] },
      { label: 5, leaf: null },
      5,
    ];
    expect(placesOf({ parts })).toEqual([
      'parts.4',
      'parts.2.label',
      'parts.3.label',
      'parts.1.label',
      'parts.0.label',
      'parts',
    ]);
  });

  it('tells what names no component first, and what the database is asked about last', () => {
    const zone = [
      { __component: 'parts.coded', label: 5, code: 'a' },
      { __component: 'parts.part', label: 5, leaf: {} },
      { __component: 'parts.part', label: 5 },
      { __component: 'parts.nope' },
    ];
    const rest = ['zone.2.label', 'zone.1.label'];
    expect(placesOf({ zone })).toEqual(['zone.3.__component', ...rest, 'zone.0.label']);
    expect(placesOf({ zone }, true)).toEqual(['zone.3.__component', 'zone.0.label', ...rest]);
  });

  it('tells blocks with less inside them first', () => {
    const link = { type: 'link', url: 'x', children: [{ type: 'text', text: 'a' }] };
    const text = [
      { type: 'paragraph', children: [link] },
      { type: 'paragraph', children: [{ type: 'text' }] },
      { type: 'nope' },
    ];
    expect(placesOf({ text })).toEqual(['text.2', 'text.1.children.0.text', 'text.0.children.0.url']);
  });
});

/**
 * @module The order of issues about the items of a list.
 */
import { describe, expect, it } from 'vitest';
import { validateInput } from '../../../src/content/plan/validate/validate-input.ts';
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

function placesOf(data: Readonly<Record<string, unknown>>): readonly string[] {
  const context = {
    draft: false,
    operation: 'create',
    taken: new Set<string>(),
    registry,
    strictRelations: true,
  } as const;
  return validateInput(data, type as NonNullable<typeof type>, context).issues.map(({ path }) => path.join('.'));
}

describe('mistakes in several items of a list come in the order of the items', () => {
  it('of a repeatable component, and then how many there are', () => {
    const parts = [{ label: 5, leaves: [{ label: 'a' }] }, { label: 5, leaf: {} }, 5, { label: 5, leaf: null }];
    expect(placesOf({ parts })).toEqual(['parts.0.label', 'parts.1.label', 'parts.2', 'parts.3.label', 'parts']);
  });

  it('of a dynamic zone', () => {
    const zone = [
      { __component: 'parts.coded', label: 5, code: 'a' },
      { __component: 'parts.part', label: 5 },
      { __component: 'parts.nope' },
    ];
    expect(placesOf({ zone })).toEqual(['zone.0.label', 'zone.1.label', 'zone.2.__component']);
  });

  it('of blocks', () => {
    const link = { type: 'link', url: 'x', children: [{ type: 'text', text: 'a' }] };
    const text = [
      { type: 'paragraph', children: [link] },
      { type: 'paragraph', children: [{ type: 'text' }] },
      { type: 'nope' },
    ];
    expect(placesOf({ text })).toEqual(['text.0.children.0.url', 'text.1.children.0.text', 'text.2']);
  });
});

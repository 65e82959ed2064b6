/**
 * @module Presets of types below a polymorphic relation.
 */
import { expect, it } from 'vitest';
import { selectionsOf } from '../../../src/content/plan/model/node-kinds.ts';
import { buildRegistry } from '../../../src/schema/build.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { MORPH } from '../../conformance/embedded.ts';
import { listPlan } from './support.ts';

it('show their own fields below on, and those of the request before', () => {
  const registry = buildRegistry(MORPH.schemaFiles, CHECKED);
  const settings = parseSettings({ populates: { 'api::product.product': { card: { fields: ['name'] } } } });
  const badge = registry.contentTypes.get('api::badge.badge');
  const namesWith = (rest: string) => {
    const on = 'populate[holders][on][api::product.product]';
    const plan = badge && listPlan(badge, `${on}[populate]=@card${rest.replace('ON', on)}`, { registry, settings });
    const [node] = plan?.selection.populate ?? [];
    return node ? selectionsOf(node).flatMap(({ attributes }) => attributes.map(({ name }) => name)) : [];
  };
  expect(namesWith('')).toEqual(['name']);
  expect(namesWith('&ON[fields]=price')).toEqual(['price']);
});

/**
 * @module The request to write a row of a system type, by who sends it.
 */
import { describe, expect, it } from 'vitest';
import { systemWrite } from '../../../src/content/operations/system-rows.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([contentType('gadget', { name: { type: 'string' } })]);
const gadget = registry.routes.get('gadgets') as ContentType;
const settings = parseSettings({ api: { documents: { mixedRelations: 'strapi' } } });

describe('a write of a system row', () => {
  it.each([
    [undefined, false],
    [true, true],
  ])('clears a relation by an empty set, with mixedRelations: strapi, if a tool sends it: %s', (isOfTool, clears) => {
    const { emptySetClears } = systemWrite({ registry, settings, isOfTool }, gadget, { documentId: 'a' }, {});
    expect(emptySetClears).toBe(clears);
  });
});

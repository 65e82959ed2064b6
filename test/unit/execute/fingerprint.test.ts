/**
 * @module The fingerprint of a deployment.
 */
import { expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/content/runtime/fingerprint.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([contentType('topic', { name: { type: 'string' } })]);
const settings = parseSettings({});

it('is that of the project, whose content types are not read for it', () => {
  const unread = {
    ...registry,
    fingerprint: 'known',
    toJSON() {
      throw new Error('content types were stringified');
    },
  };
  expect(fingerprintOf({ registry: unread, settings })).toMatch(/known$/);
});

it('follows content types and settings without a project', () => {
  const others = registryOf([contentType('topic', { title: { type: 'string' } })]);
  const all = [
    fingerprintOf({ registry, settings }),
    fingerprintOf({ registry: others, settings }),
    fingerprintOf({ registry, settings: parseSettings({ api: { rest: { maxLimit: 50 } } }) }),
  ];
  expect(new Set(all).size).toBe(3);
  const indexedBy = (...names: string[]) => {
    const types = [...registry.contentTypes].map(([uid, type]) => [uid, { ...type, indexed: new Set(names) }] as const);
    return fingerprintOf({ registry: { ...registry, contentTypes: new Map(types) }, settings });
  };
  expect(indexedBy('name')).not.toBe(indexedBy());
  expect(fingerprintOf({ registry, settings })).toBe(all[0]);
});

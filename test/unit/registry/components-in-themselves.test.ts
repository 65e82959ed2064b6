/**
 * @module Walks over a model whose components contain themselves, directly and around a corner: each of them ends.
 */
import { expect, it } from 'vitest';
import { diffSchemas, EMPTY_STATE, stateOf } from '../../../cli/migrations/migration.ts';
import { NO_RENAMES } from '../../../cli/migrations/rename-options.ts';
import { describeTypes } from '../../../cli/project/client-types.ts';
import { builderSchemas } from '../../../src/features/description/content-type-builder.ts';
import { populateAll } from '../../../src/features/webhooks/populate-all.ts';
import type { Attribute, ContentType, Registry } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { newEntry } from '../../../studio/document/fields/form-values.ts';
import { populates } from '../../../studio/document/populate.ts';
import { type Description, readModel } from '../../../studio/model/model.ts';
import { gapOf } from '../../../testing/gaps.ts';
import { describeApi } from '../../support/describe-api.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';

const inside = (uid: string, more: object = {}) => ({ type: 'component', component: uid, ...more });
const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** Five components in a ring, and one that requires itself. */
const modelOf = (label: string): Registry =>
  registryOf(
    [
      contentType('site', {
        zone: { type: 'dynamiczone', components: NAMES.map((name) => `menu.${name}`) },
        menu: inside('menu.a', { repeatable: true }),
        endless: inside('menu.endless'),
      }),
    ],
    [
      ...NAMES.map((name, index) => {
        const next = inside(`menu.${NAMES[(index + 1) % NAMES.length]}`, { repeatable: true });
        return component(`menu.${name}`, { [label]: { type: 'string' }, image: { type: 'media' }, next });
      }),
      component('menu.endless', { [label]: { type: 'string' }, next: inside('menu.endless', { required: true }) }),
    ],
  );

const registry = modelOf('label');
const site = registry.contentTypes.get('api::site.site') as ContentType;
const settings = parseSettings({});
const studio = readModel(describeApi(registry, settings) as unknown as Description, {
  isReadOnly: false,
  checksLinks: true,
});

it('the populate of a webhook has as many levels as it may have keys', () => {
  const keys = JSON.stringify(populateAll(site.attributes, registry)).match(/"true"/g)?.length ?? 0;
  expect(keys).toBeGreaterThan(5);
  expect(keys).toBeLessThan(2_000);
});

it('the populates of Studio fit in URLs', () => {
  const texts = populates(studio, studio.types.get(site.uid)?.attributes ?? {}).map((each) => JSON.stringify(each));
  expect(texts.join()).toContain('image');
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(20_000);
});

it('a new entry of Studio ends where a component requires itself', () => {
  expect(newEntry(studio, 'menu.endless')).toMatchObject({ label: null, next: null });
});

it('descriptions and client types name each component once', () => {
  expect(describeTypes(registry, parseSettings({})).length).toBeLessThan(100_000);
  expect(builderSchemas(registry).components).toHaveLength(NAMES.length + 1);
});

it('samples know that a component requires itself', () => {
  expect(gapOf(site.attributes.get('endless') as Attribute, { registry, settings } as never)).toContain(
    'requires itself',
  );
});

it('a migration that renames an attribute of one is written', async () => {
  const attributes = ['menu.endless'].map((type) => ({ type, from: 'label', to: 'title' }));
  const renames = { ...NO_RENAMES, attributes };
  const previous = stateOf(registry);
  expect(Object.keys(previous.layout.components)).toHaveLength(NAMES.length + 1);
  const { parts } = await diffSchemas(previous, stateOf(modelOf('title')), { renames, defaultLocale: 'en' });
  expect(parts.flatMap(({ statements }) => statements).join()).toContain('json_set');
});

it('a migration ends with an error where its statement would be too long for D1', async () => {
  const denseModel = (label: string) => {
    const all = NAMES.map((name) => [name, inside(`menu.${name}`, { repeatable: true })] as const);
    const attributes = { [label]: { type: 'string' }, ...Object.fromEntries(all) };
    return registryOf(
      [contentType('site', { menu: inside('menu.a', { repeatable: true }) })],
      NAMES.map((name) => component(`menu.${name}`, attributes)),
    );
  };
  const renames = { ...NO_RENAMES, attributes: [{ type: 'menu.a', from: 'label', to: 'title' }] };
  const [before, after] = [stateOf(denseModel('label')), stateOf(denseModel('title'))];
  for (const names of [renames, NO_RENAMES])
    await expect(diffSchemas(before, after, { renames: names, defaultLocale: 'en' })).rejects.toThrow(
      /^menu\.\w has too many components within components: D1 takes no statement of more than 100 KB/,
    );
});

it('a first migration is written', async () => {
  const { parts } = await diffSchemas(EMPTY_STATE, stateOf(registry), { renames: NO_RENAMES, defaultLocale: 'en' });
  expect(parts.length).toBeGreaterThan(0);
});

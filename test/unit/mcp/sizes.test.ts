/**
 * @module What a model reads about a large content model stays small.
 */
import { expect, it } from 'vitest';
import { describeType } from '../../../src/features/mcp/describe.ts';
import { TOOLS } from '../../../src/features/mcp/tools.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const KINDS = [
  { type: 'string', required: true, minLength: 3, maxLength: 200 },
  { type: 'enumeration', required: true, enum: Array.from({ length: 60 }, (_, index) => `value-number-${index}`) },
  { type: 'relation', relation: 'manyToMany', target: 'api::type1.type1' },
  { type: 'decimal', min: 0, max: 1_000, default: 12.5 },
] as const;
const attributes = Object.fromEntries(
  Array.from({ length: 80 }, (_, index) => [`anAttributeNumber${index}`, KINDS[index % KINDS.length]]),
);
const registry = registryOf(
  Array.from({ length: 60 }, (_, index) => contentType(`type${index}`, attributes, { drafts: true, localized: true })),
);
const view = { registry, grants: { allows: () => true } } as unknown as Parameters<typeof describeType>[1];

it('the list of tools has 14 KB at most', () => {
  const tools = [...TOOLS].map(([name, { actions: _, run: __, plainInput: ___, ...tool }]) => ({ name, ...tool }));
  expect(JSON.stringify({ tools }).length).toBeLessThanOrEqual(14 * 1_024);
});

it('the description of each of 60 types with 80 attributes has 10 KB at most', () => {
  const types = [...registry.contentTypes.values()].filter(({ system }) => !system);
  expect(types).toHaveLength(60);
  for (const type of types) expect(JSON.stringify(describeType(type, view)).length).toBeLessThanOrEqual(10 * 1_024);
});

it('a line that is shortened keeps its rules', () => {
  const type = registry.contentTypes.get('api::type0.type0');
  const { attributes: lines } = describeType(type as NonNullable<typeof type>, view);
  expect(lines.anAttributeNumber1).toMatch(/^one of value-number-0.*…; required$/);
});

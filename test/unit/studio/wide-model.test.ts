import { describe, expect, it } from 'vitest';
import { EMPTY_STATE } from '../../../cli/migrations/migration.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { populates } from '../../../studio/document/populate.ts';
import { type Description, ownTypes, readModel } from '../../../studio/model/model.ts';
import { describeApi } from '../../support/describe-api.ts';
import { type Attributes, component, contentType } from '../../support/schema-files.ts';
import { registryAfter } from '../cli/content-model.ts';

const TYPES = 60;
const ATTRIBUTES = 80;

const inner = component('part.inner', { label: { type: 'string' }, file: { type: 'media' } });
const outer = component('part.outer', {
  title: { type: 'string' },
  inner: { type: 'component', component: 'part.inner' },
});

function attributeAt(type: number, index: number): Attributes[string] {
  const target = `api::kind${(type + index) % TYPES}.kind${(type + index) % TYPES}`;
  if (index % 4 === 0) return { type: 'relation', relation: index % 8 ? 'manyToMany' : 'manyToOne', target };
  if (index % 4 === 1) return { type: 'component', component: index % 8 === 1 ? 'part.outer' : 'part.inner' };
  return index % 4 === 2 ? { type: 'media', multiple: index % 8 === 2 } : { type: 'string' };
}

const wide = (type: number): Attributes =>
  Object.fromEntries(Array.from({ length: ATTRIBUTES }, (_, index) => [`a${index}`, attributeAt(type, index)]));

/** As the API counts them: each attribute that is named. */
function nodesOf(populate: unknown): number {
  if (typeof populate !== 'object' || populate === null) return 0;
  const entries = Object.entries(populate);
  return entries.reduce((sum, [, value]) => sum + 1 + nodesOf((value as { populate?: unknown }).populate), 0);
}

describe('a model of 60 types with 80 attributes', () => {
  const types = Array.from({ length: TYPES }, (_, index) => contentType(`kind${index}`, wide(index)));
  const registry = registryAfter(EMPTY_STATE, { types, components: [inner, outer] });
  const description = describeApi(registry, parseSettings({})) as unknown as Description;
  const model = readModel(description, { isReadOnly: false, checksLinks: true });

  it('is read from its description', () => {
    expect(ownTypes(model).length).toBe(TYPES);
    for (const { attributes, shown, creatable } of ownTypes(model))
      expect([Object.keys(attributes).length, shown.size > ATTRIBUTES, creatable.size]).toEqual([80, true, 80]);
  });

  it('is read as whole documents, in requests that the API takes', () => {
    for (const { attributes } of ownTypes(model)) {
      const requests = populates(model, attributes);
      expect(requests.flatMap((populate) => Object.keys(populate)).length).toBe(60);
      expect(Math.max(...requests.map(nodesOf))).toBeLessThanOrEqual(100);
    }
  });
});

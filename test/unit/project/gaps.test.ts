import { describe, expect, it } from 'vitest';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { gapOfType } from '../../../testing/gaps.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';

const to = (name: string, more = {}) => ({
  type: 'relation',
  relation: 'manyToOne',
  target: `api::${name}.${name}`,
  required: true,
  ...more,
});

function gaps(registry: ReturnType<typeof registryOf>, input: SettingsInput = {}): Readonly<Record<string, unknown>> {
  const model = { registry, settings: parseSettings(input) };
  const types = new Set(registry.routes.values());
  return Object.fromEntries([...types].map((type) => [type.singularName, gapOfType(type, model)]));
}

describe('a content type of which nothing can be made', () => {
  it('requires itself, and the relations that lead back are named', () => {
    const files = [
      contentType('a', { b: to('b') }),
      contentType('b', { a: to('a') }),
      contentType('c', { a: to('a') }),
    ];
    expect(gaps(registryOf(files))).toEqual({
      a: 'api::a.a requires b, and api::b.b requires a, and it requires itself: api::a.a → api::b.b → api::a.a',
      b: 'api::b.b requires a, and api::a.a requires b, and it requires itself: api::b.b → api::a.a → api::b.b',
      c: 'api::c.c requires a, and api::a.a requires b, and api::b.b requires a, and it requires itself: api::a.a → api::b.b → api::a.a',
    });
  });

  it('requires a value that no rule lets pass, also in a component', () => {
    const code = { type: 'string', regex: '^(?=x)y$', required: true };
    const one = component('shared.one', { code });
    const part = { type: 'component', component: 'shared.one', required: true };
    const registry = registryOf([contentType('a', { code }), contentType('b', { part })], [one]);
    const reason = 'requires code, and no value was found that its rules accept, with /^(?=x)y$/';
    expect(gaps(registry)).toEqual({ a: `api::a.a ${reason}`, b: `api::b.b requires part, and shared.one ${reason}` });
  });

  it('requires a file that the settings let nobody upload', () => {
    const registry = registryOf([
      contentType('a', { film: { type: 'media', allowedTypes: ['videos'], required: true } }),
    ]);
    expect(gaps(registry)).toEqual({ a: undefined });
    expect(gaps(registry, { upload: { allowedTypes: ['image/*'] } })).toEqual({
      a: 'api::a.a requires film, and `upload` of the settings accepts no test file of its kind (videos)',
    });
  });

  it('is none that requires itself only where it may be left out', () => {
    const zone = { type: 'dynamiczone', components: ['shared.a', 'shared.b'], required: true };
    const again = { type: 'component', component: 'shared.a', required: true };
    const parts = [component('shared.a', { again }), component('shared.b', {})];
    const files = [contentType('a', { a: to('a', { required: false }), zone })];
    expect(gaps(registryOf(files, parts))).toEqual({ a: undefined });
  });
});

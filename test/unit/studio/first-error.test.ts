import { describe, expect, it } from 'vitest';
import { firstError } from '../../../studio/document/first-error.ts';
import type { Attributes } from '../../../studio/model/attribute.ts';
import type { Model } from '../../../studio/model/model.ts';

const row = (...names: readonly string[]) => names.map((name) => ({ name, size: 6 }));
const fact = {
  name: 'Fact',
  attributes: { label: { type: 'string' }, value: { type: 'integer' } },
  config: { layouts: { edit: [row('value', 'label')] } },
};
const model = { types: new Map(), components: new Map([['kit.fact', fact]]) } as unknown as Model;
const attributes: Attributes = {
  title: { type: 'string' },
  constructor: { type: 'string' } as const,
  fact: { type: 'component', component: 'kit.fact' },
  facts: { type: 'component', repeatable: true, component: 'kit.fact' },
  zone: { type: 'dynamiczone', components: ['kit.fact'] },
  note: { type: 'string', conditions: { visible: { '==': [{ var: 'title' }, 'long'] } } },
};
const wrong = { type: 'rule', message: 'Wrong' };
const values = { title: 'short', fact: {}, facts: [{}, {}], zone: [{ __component: 'kit.fact' }] };

const first = (errors: object, layout = [row('zone'), row('title')]) =>
  firstError(model, attributes, layout, values, errors as Record<string, unknown>);

describe('the first error of a form', () => {
  it.each([
    ['that of an attribute, in the order of the layout', { title: wrong, facts: [{ label: wrong }] }, 'title'],
    ['that of an entry before it', { title: wrong, zone: [{ label: wrong }] }, 'zone.0.label'],
    ['in an entry, in the order of its own layout', { fact: { label: wrong, value: wrong } }, 'fact.value'],
    ['in the first entry that has one', { facts: [undefined, { label: wrong }] }, 'facts.1.label'],
    ['that of a list whose entries have none', { facts: { root: wrong } }, 'facts'],
    ['under the name in the form', { $constructor: wrong }, '$constructor'],
    ['none that is not shown', { note: wrong }, undefined],
    ['none of an attribute that is not in the form', { gone: wrong }, undefined],
  ])('is %s', (_, errors, path) => {
    expect(first(errors)).toBe(path);
  });
});

/**
 * @module What a message to a webhook populates.
 */
import { describe, expect, it } from 'vitest';
import { populateAll } from '../../../src/features/webhooks/populate-all.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';

const inside = (uid: string) => ({ type: 'component', component: uid });
const MEDIA = { type: 'media' };

/** @param components by uid */
function populateOf(attributes: object, components: Readonly<Record<string, object>> = {}) {
  const files = Object.entries(components).map(([uid, each]) => component(uid, each as Record<string, unknown>));
  const registry = registryOf([contentType('thing', attributes as Record<string, unknown>)], files);
  return populateAll(registry.contentTypes.get('api::thing.thing')?.attributes ?? new Map(), registry);
}

describe('a message populates', () => {
  it('nothing of a type that has scalars alone', () => {
    expect(populateOf({ title: { type: 'string' } })).toBe('true');
  });

  it('relations and media of each kind, but none that is private', () => {
    const attributes = {
      ...{ title: { type: 'string' }, other: relation('manyToOne', 'thing'), picture: MEDIA },
      ...{ any: { type: 'relation', relation: 'morphToOne' }, secret: { ...MEDIA, private: true } },
    };
    expect(populateOf(attributes)).toEqual({ other: 'true', picture: 'true', any: 'true' });
  });

  it('components and zones, with what they link to and contain', () => {
    const components = {
      'a.plain': { text: { type: 'string' } },
      'a.card': { text: { type: 'string' }, image: MEDIA, plain: inside('a.plain') },
      'a.seo': { card: inside('a.card') },
    };
    const zone = { type: 'dynamiczone', components: ['a.plain', 'a.card'] };
    const card = { populate: { image: 'true', plain: 'true' } };
    expect(populateOf({ seo: inside('a.seo'), zone }, components)).toEqual({
      seo: { populate: { card } },
      zone: { on: { 'a.plain': 'true', 'a.card': card } },
    });
  });

  it('ten levels of a component that contains itself', () => {
    const text = JSON.stringify(populateOf({ menu: inside('a.menu') }, { 'a.menu': { next: inside('a.menu') } }));
    expect(text.match(/next/g)).toHaveLength(10);
  });

  it.each([
    [1_998, true],
    [1_999, false],
  ])('up to 2,000 links in all: %i in the second component: %s', (count, isPopulated) => {
    const links = Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${index}`, MEDIA]));
    const populate = populateOf(
      { first: inside('a.first') },
      { 'a.first': { second: inside('a.second') }, 'a.second': links },
    );
    expect(JSON.stringify(populate).includes('l0')).toBe(isPopulated);
  });
});

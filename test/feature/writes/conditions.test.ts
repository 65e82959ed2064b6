/**
 * @module Attributes that count under a condition, `conditions.visible`: elsewhere nothing requires them and no rule holds
 * their values, which are stored all the same.
 */
import { describe, expect, it } from 'vitest';
import { documentOf, errorOf } from '../../support/client.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const isLink = { conditions: { visible: { '==': [{ var: 'kind' }, 'link'] } } };
const isOpen = { conditions: { visible: { '==': [{ var: 'open' }, true] } } };
const kind = { type: 'enumeration', enum: ['link', 'text'], default: 'link' } as const;

const attributes = {
  kind,
  open: { type: 'boolean', default: false },
  url: { type: 'string', required: true, maxLength: 10, ...isLink },
  code: { type: 'string', unique: true, default: 'free', ...isOpen },
  tone: { type: 'enumeration', enum: ['a'], ...isOpen },
  count: { type: 'integer', min: 3, ...isOpen },
  place: relation('manyToOne', 'place', { required: true, ...isOpen }),
  part: { type: 'component', component: 'shared.link', required: true, ...isOpen },
  links: { type: 'component', component: 'shared.link', repeatable: true },
} as const;

const registry = registryOf(
  [
    contentType('place', { name: { type: 'string' } }),
    contentType('card', attributes, { drafts: true }),
    contentType('note', attributes),
  ],
  [
    component('shared.link', {
      kind,
      url: { type: 'string', required: true, unique: true, ...isLink },
      place: relation('oneToOne', 'place', { required: true, ...isLink }),
    }),
  ],
);
const { client } = openWorld(registry);
const paths = async (response: Promise<Response>) => {
  const { message, details } = await errorOf(response);
  const errors = (details?.errors ?? []) as readonly { readonly path: readonly string[] }[];
  return errors.length > 0 ? errors.map(({ path }) => path.join('.')) : message;
};

describe('an attribute whose condition does not hold', () => {
  it('is not required for publication', async () => {
    const { url, part, place } = await documentOf(
      client.create('/api/cards?populate=*', { kind: 'text', links: [{ kind: 'text' }] }),
    );
    expect({ url, part, place }).toEqual({ url: null, part: null, place: null });
  });

  it('is held to no rule, and keeps its value and its default', async () => {
    const { url, code, tone, count } = await documentOf(
      client.create('/api/cards', { kind: 'text', url: 'far too long', tone: 'b', count: 1 }),
    );
    expect({ url, code, tone, count }).toEqual({ url: 'far too long', code: 'free', tone: 'b', count: 1 });
  });

  it('may have a value that is taken, in components too', async () => {
    const links = [{ kind: 'text', url: 'same' }];
    await documentOf(client.create('/api/cards', { kind: 'text', code: 'same', links }));
    await documentOf(client.create('/api/cards', { kind: 'text', code: 'same', links }));
  });

  it('has a value of its type all the same', async () => {
    expect(await paths(client.create('/api/cards', { kind: 'text', url: 5 }))).toEqual(['url']);
  });
});

describe('an attribute whose condition holds', () => {
  it('is required, compared and held to its rules', async () => {
    await documentOf(client.create('/api/cards', { kind: 'text', code: 'taken' }));
    const data = { open: true, code: 'taken', tone: 'b', links: [{}] };
    expect(await paths(client.create('/api/cards', data))).toEqual(['tone']);
    expect(await paths(client.create('/api/cards', { ...data, tone: 'a', count: 1 }))).toEqual([
      ...['url', 'code', 'count', 'place', 'part', 'links.0.url', 'links.0.place'],
    ]);
  });

  it('is required once another attribute makes it count', async () => {
    const { documentId } = await documentOf(client.create('/api/cards', { kind: 'text' }));
    expect(await paths(client.update(`/api/cards/${documentId}`, { kind: 'link' }))).toEqual(['url']);
    await documentOf(client.update(`/api/cards/${documentId}`, { kind: 'link', url: '/x' }));
  });
});

describe('a type without drafts', () => {
  it('looks at the body alone: a default decides nothing, nor does what is stored', async () => {
    const { documentId, url } = await documentOf(client.create('/api/notes', {}));
    expect(url).toBeNull();
    expect(await paths(client.create('/api/notes', { kind: 'link' }))).toEqual(['url']);
    await documentOf(client.update(`/api/notes/${documentId}`, { url: 'far too long' }));
    expect(await paths(client.update(`/api/notes/${documentId}`, { kind: 'link', url: 'far too long' }))).toEqual([
      'url',
    ]);
  });

  it('sees defaults in the entries of a list', async () => {
    const data = { kind: 'text', code: 'listed', links: [{}] };
    expect(await paths(client.create('/api/notes', data))).toEqual(['links.0.url', 'links.0.place']);
  });

  it('requires relations under the same condition', async () => {
    expect(await paths(client.create('/api/notes', { open: true, code: 'own' }))).toEqual(['place', 'part']);
  });
});

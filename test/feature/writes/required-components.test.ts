/**
 * @module A required component waits for the publication, which finds an empty draft as the draft is stored: with null, or
 * with an empty list.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { documentOf, errorOf } from '../../support/client.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const part = { type: 'component', component: 'shared.part' };
const registry = registryOf(
  [
    contentType(
      'front',
      { title: { type: 'string' }, part: { ...part, required: true } },
      { single: true, drafts: true },
    ),
    contentType('page', { parts: { ...part, repeatable: true, required: true } }, { drafts: true }),
    contentType('note', { part: { ...part, required: true } }),
  ],
  [component('shared.part', { name: { type: 'string' } })],
);
const { client } = openWorld(registry);
const MISSING = 'part must be a `object` type, but the final value was: `null`.';

it('is told as null, whether it was sent as null or not at all', async () => {
  for (const data of [{ title: 'a' }, { title: 'a', part: null }]) {
    const { message, details } = await errorOf(client.update('/api/front', data));
    expect(message).toBe(MISSING);
    expect(details?.errors).toEqual([{ path: ['part'], message: MISSING, name: 'ValidationError', value: null }]);
  }
});

it('is missing in a draft, and published once it is there', async () => {
  await documentOf(client.update('/api/front?status=draft', { title: 'a' }));
  expect((await errorOf(client.update('/api/front', {}))).message).toBe(MISSING);
  await documentOf(client.update('/api/front', { part: {} }));
});

it('must be defined where there are no drafts', async () => {
  expect((await errorOf(client.create('/api/notes', {}))).message).toBe('part must be defined.');
});

it('is an empty list where a draft is older than the attribute', async () => {
  const { documentId } = await documentOf(client.create('/api/pages?status=draft', { parts: [] }));
  await env.DB.prepare('update "pages" set "parts" = null').run();
  expect((await documentOf(client.update(`/api/pages/${documentId}?populate=parts`, {}))).parts).toEqual([]);
});

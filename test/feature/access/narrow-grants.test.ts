/**
 * @module Errors of a caller whose grants list attributes: they show no value of another one.
 */
import { expect, it } from 'vitest';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { register } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';
import { id } from '../../support/worlds/rights-model.ts';

const page = contentType(
  'page',
  { title: { type: 'string' }, secret: { type: 'string', minLength: 5 } },
  { drafts: true },
);
const { client: full, send } = openWorld(registryOf([page]), {
  roles: {
    authenticated: [
      { action: [id('page', 'find'), id('page', 'findOne'), id('page', 'update')], fields: ['title'] },
      id('page', 'publish'),
      id('page', 'readDrafts'),
    ],
  },
});

it('errors show no stored value of an attribute that the caller may not read', async () => {
  const client = clientOf(send, (await register(send, 'anna')).jwt);
  const draft = await documentOf(full.create('/api/pages?status=draft', { title: 'x', secret: 'tiny' }));
  const path = `/api/pages/${draft.documentId}`;
  for (const rejected of [
    await errorOf(client.update(`${path}?status=published`, { title: 'y' })),
    await errorOf(client.create(`${path}/actions/publish`, {})),
  ]) {
    expect(rejected.message).toBe('secret must be at least 5 characters');
    expect(JSON.stringify(rejected)).not.toContain('tiny');
  }
  expect(JSON.stringify(await errorOf(full.update(`${path}?status=published`, {})))).toContain('tiny');
  expect(JSON.stringify(await errorOf(client.update(path, { title: 7 })))).toContain('"value":7');
});

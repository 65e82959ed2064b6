/**
 * @module What a create answers with: as was promised to Edgewise's users, or as the reference does.
 */
import { describe, expect, it } from 'vitest';
import { sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

openMagazine();

async function create(createResponse: 'documented' | 'strapi' | undefined, name: string) {
  const send = serve(createResponse ? { api: { rest: { createResponse } } } : {});
  const response = await send('/api/tags', sendJson('POST', 'full', { data: { name } }));
  const { data } = (await response.json()) as { data: Record<string, unknown> };
  return { status: response.status, keys: Object.keys(data) };
}

describe('createResponse', () => {
  it.each([undefined, 'documented'] as const)('%s answers 200 without the numeric id', async (setting) => {
    const { status, keys } = await create(setting, `tag ${setting}`);
    expect(status).toBe(200);
    expect(keys[0]).toBe('documentId');
    expect(keys).not.toContain('id');
  });

  it('strapi answers 201 with the numeric id', async () => {
    const { status, keys } = await create('strapi', 'tag strapi');
    expect(status).toBe(201);
    expect(keys.slice(0, 2)).toEqual(['id', 'documentId']);
  });

  it('has no say in updates, which show the id', async () => {
    const send = serve();
    const created = await send('/api/tags', sendJson('POST', 'full', { data: { name: 'to update' } }));
    const { data } = (await created.json()) as { data: { documentId: string } };
    const updated = await send(`/api/tags/${data.documentId}`, sendJson('PUT', 'full', { data: {} }));
    expect(updated.status).toBe(200);
    expect(await updated.json()).toMatchObject({ data: { id: expect.any(Number) } });
  });
});

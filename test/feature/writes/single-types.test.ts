/**
 * @module Types of one document.
 */
import { describe, expect, it } from 'vitest';
import { documentOf, errorOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
const NOT_FOUND = { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} };

describe('a single type', () => {
  it('is not there before it is written', async () => {
    expect(await errorOf(client.get('/api/site-setting'))).toEqual(NOT_FOUND);
    expect((await client.remove('/api/site-setting')).status).toBe(204);
  });

  it('is created by its first PUT, which is checked in full', async () => {
    expect(await errorOf(client.update('/api/site-setting', { tagline: 'No name' }))).toMatchObject({ status: 400 });
    expect(await errorOf(client.get('/api/site-setting'))).toEqual(NOT_FOUND);
    const response = await client.update('/api/site-setting', { siteName: 'Edge' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: { siteName: 'Edge', tagline: null, perPage: 10 }, meta: {} });
  });

  it('is changed in part by the next, and stays one document', async () => {
    const before = await documentOf(client.get('/api/site-setting'));
    const after = await documentOf(client.update('/api/site-setting', { tagline: 'Wise' }));
    expect(after).toMatchObject({ documentId: before.documentId, siteName: 'Edge', tagline: 'Wise' });
  });

  it('shows no private attribute', async () => {
    await documentOf(client.update('/api/site-setting', { apiSecret: 'canary7f3a' }));
    const shown = JSON.stringify(await documentOf(client.get('/api/site-setting?populate=*')));
    expect(shown).toContain('Wise');
    expect(shown).not.toContain('canary7f3a');
  });

  it('is found by a search or a filter that it matches, or not at all', async () => {
    expect(await errorOf(client.get('/api/site-setting?_q=nope'))).toEqual(NOT_FOUND);
    expect(await documentOf(client.get('/api/site-setting?filters[siteName]=Edge'))).toHaveProperty('tagline');
  });

  it('is gone after DELETE, and can be written again', async () => {
    expect((await client.remove('/api/site-setting')).status).toBe(204);
    expect(await errorOf(client.get('/api/site-setting'))).toEqual(NOT_FOUND);
    expect(await documentOf(client.update('/api/site-setting', { siteName: 'Again' }))).toMatchObject({
      tagline: null,
    });
  });
});

describe('a single type with drafts', () => {
  it('is published by PUT and keeps a draft beside', async () => {
    await documentOf(client.update('/api/homepage', { heading: 'Live' }));
    await documentOf(client.update('/api/homepage?status=draft', { heading: 'Draft' }));
    expect(await documentOf(client.get('/api/homepage'))).toMatchObject({ heading: 'Live' });
    expect(await documentOf(client.get('/api/homepage?status=draft'))).toMatchObject({ heading: 'Draft' });
  });
});

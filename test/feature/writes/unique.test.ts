/**
 * @module Unique attributes: among published versions, and in a race.
 */
import { describe, expect, it } from 'vitest';
import { documentOf, errorOf, totalOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
const taken = (name: string, value: unknown) => ({
  status: 400,
  name: 'ValidationError',
  message: 'This attribute must be unique',
  details: { errors: [{ path: [name], message: 'This attribute must be unique', name: 'ValidationError', value }] },
});

describe('a value that another document has', () => {
  it('is refused on create and on update', async () => {
    await documentOf(client.create('/api/tags', { name: 'taken' }));
    expect(await errorOf(client.create('/api/tags', { name: 'taken' }))).toEqual(taken('name', 'taken'));
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'free' }));
    expect(await errorOf(client.update(`/api/tags/${documentId}`, { name: 'taken' }))).toEqual(taken('name', 'taken'));
    expect(await documentOf(client.get(`/api/tags/${documentId}`))).toMatchObject({ name: 'free' });
  });

  it('is refused when it is a number that was sent as text', async () => {
    await documentOf(client.create('/api/issues', { title: 'First', number: 5 }));
    expect(await errorOf(client.create('/api/issues', { title: 'Second', number: '5' }))).toEqual(taken('number', 5));
  });

  it('may be its own', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'own' }));
    expect(await documentOf(client.update(`/api/tags/${documentId}`, { name: 'own' }))).toMatchObject({ name: 'own' });
  });

  it('may differ in case only', async () => {
    await documentOf(client.create('/api/tags', { name: 'case' }));
    expect((await client.create('/api/tags', { name: 'Case' })).status).toBe(200);
  });

  it.each([null, ''])('is none when it is %j', async (code) => {
    for (const title of ['One of two', 'Two of two'])
      expect((await client.create('/api/articles', { title, code })).status).toBe(200);
  });
});

describe('a value that all locales share', () => {
  it('is compared in the locale that is published alone', async () => {
    const data = { title: 'In one locale', code: 'once' };
    const english = await documentOf(client.create('/api/articles', data));
    const { documentId } = await documentOf(client.create('/api/articles?locale=fr', data));
    expect(await errorOf(client.create('/api/articles?locale=fr', data))).toEqual(taken('code', 'once'));
    expect((await client.update(`/api/articles/${documentId}?locale=fr`, {})).status).toBe(200);
    expect(await errorOf(client.update(`/api/articles/${documentId}`, data))).toEqual(taken('code', 'once'));
    await documentOf(client.get(`/api/articles/${english.documentId}`));
  });

  it('is compared in published locales of the document, to which it is carried', async () => {
    await documentOf(client.create('/api/articles', { title: 'English', code: 'carried' }));
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'Both', code: 'other' }));
    const french = (code: string) =>
      client.update(`/api/articles/${documentId}?locale=fr`, { title: 'Tous deux', code });
    expect(await errorOf(french('carried'))).toEqual(taken('code', 'carried'));
    expect((await french('free of both')).status).toBe(200);
  });
});

describe('a value that a new locale takes over', () => {
  it('is compared in that locale', async () => {
    const data = { title: 'Taken over', code: 'taken over' };
    await documentOf(client.create('/api/articles?locale=fr', data));
    const { documentId } = await documentOf(client.create('/api/articles?status=draft', data));
    const { details } = await errorOf(client.update(`/api/articles/${documentId}?locale=fr`, { title: 'Repris' }));
    expect(details?.errors).toMatchObject([{ message: 'This attribute must be unique', value: 'taken over' }]);
    expect((await client.update(`/api/articles/${documentId}?locale=de`, { title: 'Genommen' })).status).toBe(200);
  });
});

describe('drafts', () => {
  it('may share a value, and only one of them can be published', async () => {
    const data = { title: 'Shared', number: 77 };
    const [first, second] = [
      await documentOf(client.create('/api/issues?status=draft', data)),
      await documentOf(client.create('/api/issues?status=draft', data)),
    ];
    expect((await client.update(`/api/issues/${first.documentId}`, {})).status).toBe(200);
    expect(await errorOf(client.update(`/api/issues/${second.documentId}`, {}))).toEqual(taken('number', 77));
    expect((await client.get(`/api/issues/${second.documentId}`)).status).toBe(404);
  });

  it('with an empty text are all published', async () => {
    for (const title of ['One of two drafts', 'Two of two drafts']) {
      const { documentId } = await documentOf(client.create('/api/articles?status=draft', { title, code: '' }));
      expect((await client.create(`/api/articles/${documentId}/actions/publish`, {})).status).toBe(200);
    }
  });

  it('do not hold a value that no published version has any more', async () => {
    const { documentId } = await documentOf(client.create('/api/issues', { title: 'Moves', number: 80 }));
    await client.update(`/api/issues/${documentId}`, { number: 81 });
    expect((await client.create('/api/issues', { title: 'Follows', number: 80 })).status).toBe(200);
  });

  it('leave the value to the version that is published with it', async () => {
    const { documentId } = await documentOf(client.create('/api/issues', { title: 'Live', number: 90 }));
    await client.update(`/api/issues/${documentId}?status=draft`, { number: 91 });
    expect(await errorOf(client.create('/api/issues', { title: 'Late', number: 90 }))).toEqual(taken('number', 90));
    expect((await client.create('/api/issues', { title: 'Early', number: 91 })).status).toBe(200);
    expect(await errorOf(client.update(`/api/issues/${documentId}`, {}))).toEqual(taken('number', 91));
  });
});

describe('a race', () => {
  it.each(['/api/tags', '/api/issues'])('of creates of one value at %s has exactly one winner', async (path) => {
    const name = `race at ${path}`;
    const data = path === '/api/tags' ? { name } : { title: name, number: 4_711 };
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.create(path, data)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [key = '', value] = Object.entries(data).at(-1) ?? [];
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(await errorOf(Promise.resolve(answer))).toEqual(taken(key, value));
    expect(await totalOf(client.get(`${path}?filters[${key}]=${encodeURIComponent(value ?? '')}`))).toBe(1);
  });

  it('of publications of one value has exactly one winner', async () => {
    const drafts = await Promise.all(
      Array.from({ length: 6 }, () =>
        documentOf(client.create('/api/issues?status=draft', { title: 'Racer', number: 99 })),
      ),
    );
    const answers = await Promise.all(drafts.map(({ documentId }) => client.update(`/api/issues/${documentId}`, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    expect(await totalOf(client.get('/api/issues?filters[number]=99'))).toBe(1);
  });
});

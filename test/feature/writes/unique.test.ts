/**
 * @module Unique attributes: where a value is carried to, when it is empty, and in a race of publications.
 */
import { expect, it } from 'vitest';
import { documentOf, errorOf, totalOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();

it('a value that all locales share is compared in published locales of the document, to which it is carried', async () => {
  await documentOf(client.create('/api/articles', { title: 'English', code: 'carried' }));
  const { documentId } = await documentOf(client.create('/api/articles', { title: 'Both', code: 'other' }));
  const french = (code: string) => client.update(`/api/articles/${documentId}?locale=fr`, { title: 'Tous deux', code });
  const message = 'This attribute must be unique';
  expect(await errorOf(french('carried'))).toEqual({
    status: 400,
    name: 'ValidationError',
    message,
    details: { errors: [{ path: ['code'], message, name: 'ValidationError', value: 'carried' }] },
  });
  expect((await french('free of both')).status).toBe(200);
});

it('drafts with an empty text are all published', async () => {
  for (const title of ['One of two drafts', 'Two of two drafts']) {
    const { documentId } = await documentOf(client.create('/api/articles?status=draft', { title, code: '' }));
    expect((await client.create(`/api/articles/${documentId}/actions/publish`, {})).status).toBe(200);
  }
});

it('a race of publications of one value has exactly one winner', async () => {
  const drafts = await Promise.all(
    Array.from({ length: 6 }, () =>
      documentOf(client.create('/api/issues?status=draft', { title: 'Racer', number: 99 })),
    ),
  );
  const answers = await Promise.all(drafts.map(({ documentId }) => client.update(`/api/issues/${documentId}`, {})));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  expect(await totalOf(client.get('/api/issues?filters[number]=99'))).toBe(1);
});

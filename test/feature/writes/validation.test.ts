/**
 * @module What dates, times and targets are refused with, and that nothing is written then.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { clientOf, errorOf, totalOf } from '../../support/client.ts';
import { serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client } = openMagazine();
let before = 0;
const articles = () => totalOf(client.get('/api/articles?status=draft'));

beforeEach(async () => {
  before = await articles();
});

const refuse = async (data: object) => {
  const error = await errorOf(client.create('/api/articles', data));
  expect(await articles()).toBe(before);
  return error;
};

const entry = (name: string, message: string, value: unknown) => ({
  path: [name],
  message,
  name: 'ValidationError',
  value,
});

const strapi = clientOf(serve({ api: { rest: { errorDetails: 'strapi' } } }), 'full');

describe('a date or time in no known format', () => {
  it.each([
    [{ publishDate: '1/2/2024' }, 'Invalid format, expected yyyy-MM-dd'],
    [{ publishDate: '2024-02-30' }, 'Invalid date'],
    [{ eventAt: 'soon' }, 'Invalid format, expected a timestamp or an ISO date'],
    [{ eventAt: '2024-01-01t10:00:00z' }, 'Invalid format, expected a timestamp or an ISO date'],
    [{ airTime: '12:30' }, 'Invalid time format, expected HH:mm:ss.SSS'],
  ])('%j fails without details, as in Strapi, or with its attribute', async (data, message) => {
    const error = { status: 400, name: 'ValidationError', message };
    const sent = { title: 'Dates', ...data };
    expect(await errorOf(strapi.create('/api/articles', sent))).toEqual({ ...error, details: {} });
    const [[name = '', value] = []] = Object.entries(data);
    expect(await refuse(sent)).toEqual({ ...error, details: { errors: [entry(name, message, value)] } });
  });

  it('is listed with all other issues of the body', async () => {
    expect(await refuse({ title: 5, eventAt: 'soon', airTime: '9', tags: [4711] })).toMatchObject({
      message: '4 errors occurred',
      details: { errors: [{ path: ['title'] }, { path: ['eventAt'] }, { path: ['airTime'] }, { path: ['tags'] }] },
    });
  });
});

describe('targets that do not exist', () => {
  it('are all named with their attributes', async () => {
    expect(await refuse({ title: 'Targets', tags: ['nobody'], author: 'no-one' })).toMatchObject({
      message: '2 errors occurred',
      details: {
        errors: [
          { path: ['author'], message: 'Document with id "no-one", locale "null" not found' },
          { path: ['tags'], message: 'Document with id "nobody", locale "null" not found' },
        ],
      },
    });
    expect(await refuse({ title: 'Targets', tags: [4711], author: 4712 })).toMatchObject({
      details: { errors: [{ path: ['author'] }, { path: ['tags'] }] },
    });
  });
});

/**
 * @module What a body is refused with, and that nothing is written then.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { clientOf, documentOf, errorOf, totalOf } from '../../support/client.ts';
import { serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine();
let before = 0;
const articles = () => totalOf(client.get('/api/articles?status=draft'));

beforeEach(async () => {
  before = await articles();
});

const refuse = async (data: object, status = '') => {
  const error = await errorOf(client.create(`/api/articles${status}`, data));
  expect(await articles()).toBe(before);
  return error;
};

const entry = (name: string, message: string, value: unknown) => ({
  path: [name],
  message,
  name: 'ValidationError',
  value,
});

describe('one failed rule', () => {
  it.each([
    [{ title: 'ab' }, 'title', 'title must be at least 3 characters', 'ab'],
    [{ title: 'x'.repeat(81) }, 'title', 'title must be at most 80 characters', 'x'.repeat(81)],
    [{ title: 'abc', readingTime: 0 }, 'readingTime', 'readingTime must be greater than or equal to 1', 0],
    [{ title: 'abc', readingTime: 1.5 }, 'readingTime', 'readingTime must be an integer', 1.5],
    [{ title: 'abc', contactEmail: 'x' }, 'contactEmail', 'contactEmail must be a valid email', 'x'],
    [{ title: 'abc', contactEmail: 'a.bc' }, 'contactEmail', 'contactEmail must be a valid email', 'a.bc'],
    [{ title: 'abc', contactEmail: '' }, 'contactEmail', 'contactEmail cannot be empty', ''],
    [{ title: 'abc', sku: 'a' }, 'sku', 'sku must match the following: "/^[A-Z]{2}-\\d{4}$/"', 'a'],
    [{ title: 'abc', views: 'x' }, 'views', 'views must be a valid integer', 'x'],
    [
      { title: 'abc', tone: 'loud' },
      'tone',
      'tone must be one of the following values: neutral, playful, serious, in-depth, ',
      'loud',
    ],
    [{ title: null }, 'title', 'title must be a `string` type, but the final value was: `null`.', null],
  ])('of %j is the message of the error', async (data, name, message, value) => {
    expect(await refuse(data)).toEqual({
      status: 400,
      name: 'ValidationError',
      message,
      details: { errors: [entry(name, message, value)] },
    });
  });
});

describe('several failed rules', () => {
  it('are counted and listed in the order of the attributes', async () => {
    expect(await refuse({ rating: 'x', title: 5, premium: 'y' })).toEqual({
      status: 400,
      name: 'ValidationError',
      message: '3 errors occurred',
      details: {
        errors: [
          entry('title', 'title must be a `string` type, but the final value was: `5`.', 5),
          {
            path: ['rating'],
            message: 'rating must be a `number` type, but the final value was: `NaN` (cast from the value `"x"`).',
            name: 'ValidationError',
            value: null,
          },
          entry('premium', 'premium must be a `boolean` type, but the final value was: `"y"`.', 'y'),
        ],
      },
    });
  });

  it('of the draft hide those of publication', async () => {
    const { details } = await refuse({ title: 'ab', readingTime: 500 });
    expect(details?.errors).toEqual([entry('readingTime', 'readingTime must be less than or equal to 120', 500)]);
  });
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
  const missing = {
    title: 'Targets',
    tags: ['nobody'],
    author: 'no-one',
  };

  it('are all named with their attributes', async () => {
    expect(await refuse(missing)).toMatchObject({
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

  it('are reported as in Strapi where the settings say so: the first, without its attribute', async () => {
    expect(await errorOf(strapi.create('/api/articles', missing))).toMatchObject({
      message: 'Document with id "no-one", locale "null" not found',
      details: {},
    });
    expect(await errorOf(strapi.create('/api/articles', { title: 'Targets', tags: [4711] }))).toMatchObject({
      details: { errors: [{ path: [] }] },
    });
  });
});

describe('a key that may not be set', () => {
  it('is refused before any value is looked at', async () => {
    expect(await refuse({ title: 5, nope: 1 })).toMatchObject({
      message: 'Invalid key nope',
      details: { key: 'nope', path: null, source: 'body' },
    });
  });

  it.each(['id', 'documentId', 'createdAt', 'createdBy', 'localizations', 'status'])('%s is one', async (key) => {
    expect(await refuse({ title: 'Keys', [key]: 1 })).toMatchObject({ status: 400, message: `Invalid key ${key}` });
  });
});

describe('a draft', () => {
  it('takes what only publication refuses', async () => {
    const data = { title: 'ab', readingTime: 0, sku: 'a', contactEmail: 'x' };
    expect(await documentOf(client.create('/api/articles?status=draft', data))).toMatchObject(data);
  });

  it('refuses what is wrong in any case', async () => {
    expect(await refuse({ title: 'x'.repeat(81) }, '?status=draft')).toMatchObject({ status: 400 });
    expect(await refuse({ tone: 'loud' }, '?status=draft')).toMatchObject({ status: 400 });
  });
});

describe('a body that cannot be read', () => {
  const raw = (body: string, contentType = 'application/json') =>
    errorOf(
      send('/api/tags', {
        method: 'POST',
        headers: { authorization: 'Bearer full', 'content-type': contentType },
        body,
      }),
    );

  it('is a SyntaxError when it is malformed JSON', async () => {
    expect(await raw('{"data":')).toEqual({ status: 400, name: 'SyntaxError', message: expect.stringMatching(/JSON/) });
  });

  it.each(['{}', '[]', '{"data":null}', '{"name":"a"}'])('lacks data: %s', async (body) => {
    expect(await raw(body)).toEqual({
      status: 400,
      name: 'ValidationError',
      message: 'Missing "data" payload in the request body',
      details: {},
    });
  });

  it('lacks data when it is plain text', async () => {
    expect(await raw('{"data":{"name":"a"}}', 'text/plain')).toMatchObject({
      message: expect.stringContaining('data'),
    });
  });
});

describe('a form', () => {
  it('is read as JSON is, with numbers as text', async () => {
    const body = new URLSearchParams({ 'data[name]': 'from a form', 'data[weight]': '5' });
    const created = send('/api/tags', { method: 'POST', headers: { authorization: 'Bearer full' }, body });
    expect(await documentOf(created)).toMatchObject({ name: 'from a form', weight: 5 });
  });
});

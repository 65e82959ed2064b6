/**
 * @module Errors of tools: where a mistake is, by what the API says of it, and what to do next.
 */
import { describe, expect, it } from 'vitest';
import { apiError, leftToPerson, notGranted, ToolError, usedUp } from '../../../src/features/mcp/errors.ts';

const PERSON = expect.stringMatching(/^Ask a person/);

describe('an error of the API', () => {
  const errorOf = (details: object, status = 400, names: readonly string[] = []) =>
    apiError({ status, body: { error: { message: 'Wrong', details } } }, 'fallback', names);

  it.each<[object, string]>([
    [{}, 'fallback'],
    [{ header: 'If-Match' }, 'revision'],
    [{ header: 'If-None-Match', param: 'x' }, 'revision'],
    [{ header: 'If-Match', request: 2 }, 'requests.2.revision'],
    [{ source: 'body', param: 'x', path: 'title' }, 'data.title'],
    [{ source: 'query', param: 'filters', path: 'title' }, 'filters.title'],
    [{ param: 'filters', path: '', key: 'titel' }, 'filters.titel'],
    [{ param: 'fields', key: 'fields' }, 'fields'],
    [{ param: 'fields', path: 7 }, 'fields'],
    [{ key: 'titel', request: 0 }, 'requests.0.titel'],
    [{ request: 0 }, 'requests.0'],
    [{ errors: [{ path: ['seo', 0, 'title'], message: 'm' }] }, 'data.seo.0.title'],
    [{ errors: [{ path: ['title'], message: 'm' }], request: 1 }, 'requests.1.data.title'],
    [{ errors: [null, { path: 'title' }, { path: ['name'] }] }, 'data.name'],
    [{ errors: 'none', param: 'sort' }, 'sort'],
  ])('with %j is about %s', (details, path) => {
    expect(errorOf(details)).toMatchObject({ path, message: 'Wrong' });
  });

  it.each([null, 'x', {}, { error: null }, { error: 'x' }, { error: {} }])('without details, %j, is one', (body) => {
    expect(apiError({ status: 500, body }, 'type', [])).toMatchObject({ path: 'type', message: 'The request failed' });
  });

  it('lists several, and not one', () => {
    const [first, second] = ['a', 'b'].map((name) => ({ path: [name], message: name }));
    expect(errorOf({ errors: [first] }).details.errors).toBeUndefined();
    expect(errorOf({ errors: [first, second] }).details.errors).toEqual([
      { path: 'data.a', message: 'a' },
      { path: 'data.b', message: 'b' },
    ]);
  });

  it('names what was meant, if it is not what was sent', () => {
    const nearOf = (path: string) => errorOf({ source: 'body', path }, 400, ['name', 'title']).details.nearest;
    expect([nearOf('titel'), nearOf('title'), nearOf('x')]).toEqual(['title', undefined, undefined]);
  });

  it.each([
    [400, /^describe shows/],
    [403, /^The caller may not/],
    [404, /^find lists/],
    [405, /^get returns the documentId/],
    [409, /^call again/],
    [412, /^get returns the document as/],
    [429, /^call again/],
    [503, /^call again/],
  ])('of status %i says what is next: %s', (status, next) => {
    expect(errorOf({}, status).details).toMatchObject({ status, next: expect.stringMatching(next) });
  });
});

describe('what the caller may not do', () => {
  it.each(['publish', 'unpublish', 'delete'])('is left to a person if it is to %s', (action) => {
    expect(notGranted(action, 'articles')).toMatchObject({ path: 'type', details: { status: 403, next: PERSON } });
  });

  it.each(['update', 'readDrafts', 'discardDraft'])('is no matter of a person if it is to %s', (action) => {
    expect(notGranted(action, 'articles').details.next).not.toEqual(PERSON);
  });

  it('and has confirmed, is left to a person, and no other error is', () => {
    const [forbidden, missing] = [403, 404].map((status) => new ToolError('m', 'p', { status, next: 'n', errors: 1 }));
    expect(leftToPerson(forbidden)).toMatchObject({
      ...{ message: 'm', path: 'p', details: { status: 403, next: PERSON, errors: 1 } },
    });
    for (const error of [missing, new TypeError('lost')]) expect(leftToPerson(error)).toBe(error);
  });
});

it('an error of a confirmed action says that the confirmation is used up, and all that it said', () => {
  const failed = new ToolError('m', 'p', { status: 400, next: 'Mend it' });
  expect(usedUp(failed, 'ask again')).toMatchObject({
    ...{ message: 'm', path: 'p' },
    details: { status: 400, next: 'Mend it. The confirmation is used up: ask again' },
  });
  const lost = new TypeError('lost');
  expect(usedUp(lost, 'ask again')).toBe(lost);
});

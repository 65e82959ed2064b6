/**
 * @module What a path below `/api` names, and the methods that it has.
 */
import { describe, expect, it } from 'vitest';
import { allowedMethods, type Endpoint, endpointOf, pathOfType } from '../../../src/http/endpoint.ts';
import { knownDocumentId } from '../../../src/schema/document-ref.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([
  contentType('note', { slug: { type: 'uid' } }),
  contentType('home', { title: { type: 'string' } }, { single: true }),
]);
const settings = parseSettings({});

function print(endpoint: Endpoint | undefined): string {
  if (!endpoint) return '';
  const { kind, type } = endpoint;
  const words: unknown[] = [kind, type.singularName];
  if ('document' in endpoint) words.push(knownDocumentId(endpoint.document));
  if (endpoint.kind === 'lookup') words.push(endpoint.lookup?.attribute.name, endpoint.lookup?.value);
  if (endpoint.kind === 'action') words.push(endpoint.action);
  if (endpoint.kind === 'history') words.push(...Object.values(endpoint).slice(3));
  return words.map(String).join(' ');
}

describe('a path', () => {
  it.each([
    ['/api/notes', 'list note'],
    ['/API/Notes/', 'list note'],
    ['/api/notes/a1', 'one note a1'],
    ['/api/notes/A1/', 'one note A1'],
    ['/api/notes/%61%2F', 'one note a/'],
    ['/api/notes/%zz', 'one note %zz'],
    ['/api/home', 'one home null'],
    ['/api/notes/slug:night', 'lookup note slug night'],
    ['/api/notes/slug%3Anight', 'lookup note slug night'],
    ['/api/notes/nope:night', 'lookup note undefined undefined'],
    ['/api/notes/a1/actions/publish', 'action note a1 publish'],
    ['/api/notes/%61/Actions/Discard-Draft/', 'action note a discardDraft'],
    ['/api/notes/%zz/actions/publish', 'action note %zz publish'],
    ['/api/home/actions/unpublish', 'action home null unpublish'],
    ['/api/notes/a1/history', 'history note a1'],
    ['/api/notes/a1/History/5', 'history note a1 5'],
    ['/api/home/history', 'history home null'],
    ['/api/home/history/5', 'history home null 5'],
  ])('%s is %s', (path, endpoint) => {
    expect(print(endpointOf(path, { registry, settings }))).toBe(endpoint);
  });

  it.each([
    ...['/', '/api', '/api/', '/apis/notes', '/notes', '/api/note', '/api/homes', '/api/nope', '/api/nope/a1'],
    ...['/api/notes//', '/api/notes//actions/publish', '/api/notes//history', '/api/notes/a1/b', '/api/home/a1'],
    ...['/api/home//', '/api/home//history', '/api/home//actions/publish'],
    ...['/api/notes/a1/actions', '/api/notes/a1/actions/nope', '/api/notes/a1/actions/publish/b'],
    ...['/api/notes/a1/nope/publish', '/api/home/actions', '/api/home/actions/publish/b'],
    ...['/api/notes/a1/history/5/b', '/api/notes/a1/nope/5', '/api/home/history/5/b'],
  ])('%s is none of a content type', (path) => {
    expect(endpointOf(path, { registry, settings })).toBeUndefined();
  });

  it('with a colon names a document without api.rest.extensions', () => {
    const strapi = parseSettings({ api: { rest: { extensions: false } } });
    expect(print(endpointOf('/api/notes/slug:night', { registry, settings: strapi }))).toBe('one note slug:night');
  });

  it('of a content type is its own', () => {
    const paths = [...registry.routes.values()].map(pathOfType);
    expect(paths).toEqual(['/api/notes', '/api/home']);
    for (const path of paths) expect(endpointOf(path, { registry, settings })).toBeDefined();
  });
});

it.each([
  ['/api/notes', ['HEAD', 'GET', 'POST']],
  ['/api/notes/a1', ['HEAD', 'GET', 'PUT', 'DELETE']],
  ['/api/home', ['HEAD', 'GET', 'PUT', 'DELETE']],
  ['/api/notes/slug:night', ['HEAD', 'GET']],
  ['/api/notes/a1/actions/publish', ['POST']],
  ['/api/notes/a1/history', ['HEAD', 'GET']],
  ['/api/nope', ['HEAD', 'GET']],
])('%s has the methods %j', (path, methods) => {
  expect(allowedMethods(endpointOf(path, { registry, settings }))).toEqual(methods);
});

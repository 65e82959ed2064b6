/**
 * @module A path is answered by the routes of its section and those of every section, in the order in which they were added.
 */
import { describe, expect, it } from 'vitest';
import { SectionRouter } from '../../../src/http/section-router.ts';

const router = new SectionRouter<string>();
router.add('ALL', '/*', 'first');
router.add('GET', '/api/users/me', 'me');
router.add('GET', '/api/users/:id', 'user');
router.add('ALL', '/api/*', 'api');
router.add('ALL', '/uploads/:key', 'upload');
router.add('GET', '/', 'landing');
router.add('ALL', '/*', 'last');

const found = (method: string, path: string) => router.match(method, path)[0].map(([handler]) => handler);

describe('the routes of a path', () => {
  it.each([
    ['/api/articles', ['first', 'api', 'last']],
    ['/api/users/me', ['first', 'me', 'user', 'api', 'last']],
    ['/api/users/5', ['first', 'user', 'api', 'last']],
    ['/api/users', ['first', 'api', 'last']],
    ['/uploads/a.png', ['first', 'upload', 'last']],
    ['/users/5', ['first', 'last']],
    ['/', ['first', 'landing', 'last']],
    ['/api', ['first', 'api', 'last']],
  ])('%s', (path, handlers) => expect(found('GET', path)).toEqual(handlers));

  it('are those of its method', () => expect(found('PUT', '/api/users/5')).toEqual(['first', 'api', 'last']));

  it('have its parameters', () => expect(router.match('GET', '/api/users/5')[0][1]).toEqual(['user', { id: '5' }]));
});

/**
 * @module A path is answered by the same routes, in the same order, as if there were no sections.
 */
import { PatternRouter } from 'hono/router/pattern-router';
import { expect, it } from 'vitest';
import { SectionRouter } from '../../../src/http/section-router.ts';
import { ACCOUNT_ROUTES } from '../../../src/schema/account-routes.ts';

const PATHS = [
  '/*',
  '/*',
  '/api/i18n/locales',
  '/api/content-type-builder/content-types',
  '/api/content-type-builder/content-types/:uid',
  ...ACCOUNT_ROUTES.map(({ path }) => path),
  '/api/upload',
  '/api/upload/files',
  '/api/upload/files/page',
  '/api/upload/files/:id',
  '/uploads/:key',
  '/openapi.json',
  '/favicon.ico',
  '/',
  '/*',
];

const PIECES = [
  'api',
  'users',
  'me',
  'count',
  'upload',
  'uploads',
  'files',
  'page',
  'auth',
  'local',
  'i18n',
  'locales',
  '',
  '%2f',
  '%75sers',
  'API',
  'Users',
  '7',
  'a.b',
  'x y',
  '*',
  ':id',
  'users-permissions',
  'permissions',
  'sessions',
  'favicon.ico',
  'articles',
  '\n',
  '..',
  '?',
];

it('matches whatever is asked', () => {
  const [one, other] = [new SectionRouter<string>(), new PatternRouter<string>()];
  for (const [index, path] of PATHS.entries())
    for (const method of ['GET', 'ALL'])
      for (const router of [one, other]) router.add(method, path, `${index} ${path}`);
  const check = (path: string) => {
    for (const method of ['GET', 'POST'])
      expect([path, one.match(method, path)]).toEqual([path, other.match(method, path)]);
  };
  for (const a of PIECES)
    for (const b of PIECES) {
      for (const path of [`/${a}`, `/${a}/${b}`, `/${a}/${b}/`, `//${a}/${b}`]) check(path);
      for (const c of PIECES) check(`/${a}/${b}/${c}`);
    }
});

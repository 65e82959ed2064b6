import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isGenerated, strapiCode } from '../../../cli/new/strapi-code.ts';
import { projectFiles } from '../../../cli/new/strapi-files.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

let strapi: ScratchProject;
beforeEach(() => {
  strapi = scratchProject();
  return () => strapi.remove('.');
});

const GENERATED_JS = `'use strict';

/**
 * tag router
 */

const { createCoreRouter } = require('@strapi/strapi').factories;

module.exports = createCoreRouter('api::tag.tag');
`;
const GENERATED_TS = `/**
 * tag service
 */

import { factories } from '@strapi/strapi'

export default factories.createCoreService("api::tag.tag")
`;
const GENERATED_INDEX = `// import type { Core } from '@strapi/strapi';

export default {
  /** Runs before */
  register(/* { strapi }: { strapi: Core.Strapi } */) {},
  bootstrap(/* { strapi } */) {},
};
`;

describe('the code of a Strapi project', () => {
  it('is named file by file with what to do, except what is taken', () => {
    const files = [
      'src/api/book/controllers/book.js',
      'src/api/book/routes/01-custom.ts',
      'src/api/book/services/isbn.js',
      'src/api/book/policies/is-owner.js',
      'src/api/book/middlewares/log.js',
      'src/api/book/content-types/book/lifecycles.ts',
      'src/policies/global.js',
      'src/middlewares/timing.js',
      'src/index.ts',
      'src/extensions/upload/strapi-server.js',
      'src/extensions/upload/content-types/file/schema.json',
      'config/server.ts',
      'config/env/production/middlewares.js',
      'config/odd.js',
      'database/migrations/2026.js',
      'src/helpers/odd.js',
      'public/humans.txt',
    ];
    for (const path of files) strapi.write(path, 'module.exports = () => work();');
    const taken = ['src/api/book/content-types/book/schema.json', 'src/components/shared/seo.json'];
    const ignored = [
      'src/admin/app.example.tsx',
      'src/admin/tsconfig.json',
      'src/api/.gitkeep',
      'public/uploads/a.png',
    ];
    const users = 'src/extensions/users-permissions/content-types/user/schema.json';
    for (const path of [...taken, ...ignored, users, 'public/robots.txt']) strapi.write(path, '{}');
    const { leftovers, generated } = strapiCode(strapi.root);
    expect(leftovers.map(({ path }) => path)).toEqual([...files].sort());
    for (const { advice } of leftovers) expect(advice).toMatch(/^\S.{9,}[^.]$/);
    expect(generated).toBe(0);
  });

  it('has lifecycles and routes beside their places here', () => {
    const lifecycles = 'src/api/book/content-types/book/lifecycles.ts';
    const routes = 'src/api/book/routes/01-custom.ts';
    strapi.write(
      lifecycles,
      'export default { beforeCreate(event) {}, async afterDeleteMany() {}, beforeFindOne() {} };',
    );
    strapi.write(
      routes,
      `export default { routes: [
        { method: 'GET', path: '/books/:isbn/related', handler: 'book.related', config: { policies: [] } },
        { "path": "/orders", "method": "POST", handler: 'order.create' },
      ] };`,
    );
    expect(strapiCode(strapi.root).leftovers).toEqual([
      {
        path: lifecycles,
        advice: `in src/index.ts: beforeWrite['api::book.book'], afterCommit, a route in place of the standard one (docs/extending.md)`,
      },
      {
        path: routes,
        advice: `in src/index.ts: app.get('/api/books/:isbn/related', …), app.post('/api/orders', …) (docs/extending.md)`,
      },
    ]);
  });

  it('is counted where it is as Strapi generates it', () => {
    strapi.write('src/api/tag/routes/tag.js', GENERATED_JS);
    strapi.write('src/api/tag/services/tag.ts', GENERATED_TS);
    strapi.write('src/index.ts', GENERATED_INDEX);
    expect(strapiCode(strapi.root)).toEqual({ leftovers: [], generated: 3 });
  });

  it.each([
    ['an option', `export default factories.createCoreRouter('api::tag.tag', { only: ['find'] });`],
    ['an action', `module.exports = createCoreController('api::tag.tag', () => ({ async find() {} }));`],
    ['a second statement', `${GENERATED_JS}\nsetInterval(work, 1000);`],
    ['a start that works', 'export default { register() {}, bootstrap() { work(); } };'],
  ])('is its own with %s', (_, text) => expect(isGenerated(text)).toBe(false));

  it('is named by folder where it is a plugin or the admin panel', () => {
    for (const path of ['src/plugins/stars/server/index.js', 'src/plugins/stars/package.json', 'src/admin/app.js'])
      strapi.write(path, '{}');
    strapi.write('src/plugins/stars/node_modules/x/index.js', '');
    expect(strapiCode(strapi.root).leftovers.map(({ path }) => path)).toEqual(['src/admin/', 'src/plugins/stars/']);
  });
});

it('follows symbolic links, except in circles', () => {
  strapi.write('shared/controllers/book.js', 'work();');
  strapi.write('src/api/book/x.js', 'work();');
  symlinkSync(join(strapi.root, 'shared/controllers'), join(strapi.root, 'src/api/book/controllers'));
  symlinkSync(join(strapi.root, 'src'), join(strapi.root, 'src/api/book/again'));
  expect(projectFiles(strapi.root)).toEqual(['src/api/book/controllers/book.js', 'src/api/book/x.js']);
});

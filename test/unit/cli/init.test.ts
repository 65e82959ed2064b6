import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DISK, type Disk } from '../../../cli/core/disk.ts';
import { init } from '../../../cli/init/init.ts';
import { settleFiles } from '../../../cli/project/change-files.ts';
import { generate } from '../../../cli/project/generate.ts';
import { USER_FILE } from '../../../cli/project/project.ts';
import { copyDemo } from '../../support/demo.ts';
import { userFile } from '../../support/schema-files.ts';
import { type Attributes, contentType } from './content-model.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';
import { contentsOf, Stopped, stoppingAfter } from './stopping-disk.ts';

/** Nobody counts what a local database holds. */
const NOBODY = async () => ({ code: 1, stdout: '', stderr: '' });

const ROOT = join(import.meta.dirname, '../../..');

let project: ScratchProject;
let strapi: ScratchProject;
let said: string[];
beforeEach(() => {
  [project, strapi, said] = [scratchProject(), scratchProject(), []];
  project.write('src/settings/config.ts', `export { defineConfig } from '${join(ROOT, 'src/settings/config.ts')}';`);
  cpSync(join(ROOT, 'package.json'), join(project.root, 'package.json'));
  copyDemo(project.root);
  return () => {
    project.remove('.');
    strapi.remove('.');
  };
});

const run = (options: { readonly from?: string; readonly force?: boolean } = {}) =>
  init(project.root, options, (text) => void said.push(text));

const BOOK = { title: { type: 'string' }, seo: { type: 'component', component: 'shared.seo' } };

function writeStrapi(): void {
  const [, { json }] = ['', contentType('book', BOOK)] as const;
  strapi.write('src/api/book/content-types/book/schema.json', `\uFEFF${JSON.stringify(json)}`);
  const info = { displayName: 'Seo' };
  strapi.write('src/components/shared/seo.json', JSON.stringify({ info, attributes: { title: { type: 'string' } } }));
}

describe('npm run init', () => {
  it('refuses a folder that is not there, or has no content types, and changes nothing', async () => {
    await expect(run({ from: join(strapi.root, 'nowhere') })).rejects.toThrow('there is no such folder');
    await expect(run({ from: strapi.root })).rejects.toThrow('expected a Strapi project, with src/api/');
    strapi.write('src/api/book/content-types/book/schema.json', '{');
    await expect(run({ from: strapi.root })).rejects.toThrow(/schema\.json is not JSON/);
    expect(project.has('demo') && project.has('content-types/article')).toBe(true);
    expect(said).toEqual([]);
  });

  it('refuses where the demo is gone, or content types are there that are not its own', async () => {
    writeStrapi();
    project.schemas(contentType('page', { title: { type: 'string' } }));
    await expect(run({ from: strapi.root })).rejects.toThrow(/content types that are not the demo's.*--force/);
    project.remove('demo');
    await expect(run()).rejects.toThrow(/There is no demo\/ here, so drizzle\/ may hold migrations of yours.*--force/);
    expect(project.has('content-types/article')).toBe(true);
  });

  it('takes over a Strapi project, and leaves nothing of the demo', async () => {
    writeStrapi();
    strapi.write('src/extensions/upload/content-types/file/schema.json', '{}');
    strapi.write(
      'src/extensions/users-permissions/content-types/user/schema.json',
      JSON.stringify(userFile({ nickname: { type: 'string' } }).json),
    );
    project.write('.wrangler/state/v3/x', '');
    const next = await run({ from: strapi.root });
    expect(JSON.parse(project.read('content-types/book/schema.json')).attributes).toEqual(BOOK);
    expect(project.has('content-types/components/shared/seo.json')).toBe(true);
    expect(project.read(USER_FILE)).toContain('nickname');
    expect(project.has('content-types/article') || project.has('demo')).toBe(false);
    expect(project.migrations()).toContain('0001_initial.sql');
    expect(project.read('drizzle/0001_initial.sql')).not.toContain('articles');
    expect(project.read('edgewise.config.ts')).toContain('export default defineConfig({\n  roles: {},\n});');
    expect(project.has('.wrangler/state.old-1/v3/x')).toBe(true);
    expect(next.at(-2)).toBe('Next: npm run dev');
    expect(next.at(-1)).toContain(`roles: { public: ['api::book.book.find'] }`);
    expect(next.join('\n')).toContain('src/extensions/upload/content-types/file/schema.json: of the types of plugins');
  });

  it('calls types after their singular names, also where relations of other files lead to them', async () => {
    const post = { type: 'relation', relation: 'manyToMany', target: 'api::blog.post' };
    const file = (name: string, attributes: Attributes) => JSON.stringify(contentType(name, attributes).json);
    strapi.write('src/api/blog/content-types/post/schema.json', file('post', { next: { ...post } }));
    strapi.write('src/api/blog/content-types/tag/schema.json', file('tag', { posts: { ...post } }));
    strapi.write('src/components/shared/teaser.json', JSON.stringify({ info: {}, attributes: { posts: { ...post } } }));
    expect(await run({ from: strapi.root })).toContain('Next: npm run dev');
    for (const path of ['post/schema.json', 'tag/schema.json', 'components/shared/teaser.json'])
      expect(project.read(`content-types/${path}`)).toContain('"api::post.post"');
  });

  it('refuses two content types in folders of one name, and changes nothing', async () => {
    for (const api of ['blog', 'news'])
      strapi.write(`src/api/${api}/content-types/post/schema.json`, JSON.stringify(contentType(api, {}).json));
    await expect(run({ from: strapi.root })).rejects.toThrow(
      'src/api/blog/content-types/post/schema.json and src/api/news/content-types/post/schema.json would both be content-types/post/schema.json',
    );
    expect(project.has('demo') && project.has('content-types/article')).toBe(true);
  });

  it('stops at settings that cannot be loaded before it changes anything', async () => {
    writeStrapi();
    project.write('edgewise.config.ts', 'export default {');
    await expect(run({ from: strapi.root })).rejects.toThrow('edgewise.config.ts');
    expect(project.has('demo') && project.has('content-types/article')).toBe(true);
  });

  it('keeps no setting of the demo for a content type that has the same name', async () => {
    const attributes = { title: { type: 'string' }, rating: { type: 'integer' }, issueDate: { type: 'date' } };
    strapi.write(
      'src/api/article/content-types/article/schema.json',
      JSON.stringify(contentType('article', attributes).json),
    );
    await run({ from: strapi.root });
    expect(project.read('edgewise.config.ts')).toContain('export default defineConfig({\n  roles: {},\n});');
    expect(project.read('.edgewise/project.ts')).toContain('search: []');
  });

  it('keeps content types of your own that you have put there by hand', async () => {
    project.remove('content-types');
    project.schemas(contentType('page', { title: { type: 'string' } }));
    expect(await run()).toContain('Next: npm run dev');
    expect(project.has('content-types/page/schema.json')).toBe(true);
    expect(project.read('drizzle/0001_initial.sql')).toContain('`pages`');
  });

  it('leaves an empty project where there is nothing but the demo, and says what comes next', async () => {
    const [next] = await run();
    expect(next).toContain('Next: write content-types/<name>/schema.json');
    expect(project.has('content-types/article')).toBe(false);
  });

  it('names custom fields without a known type as the next thing to do', async () => {
    const attributes = { size: { type: 'customField', customField: 'global::size' } };
    strapi.write('src/api/book/content-types/book/schema.json', JSON.stringify(contentType('book', attributes).json));
    const next = (await run({ from: strapi.root })).join('\n');
    expect(next).toContain(`customFields: { 'global::size': 'string' }`);
    expect(JSON.parse(project.read('content-types/book/schema.json')).attributes).toEqual(attributes);
  });

  it('copies content types that have mistakes, and names the mistakes as the next thing to do', async () => {
    strapi.write(
      'src/api/book/content-types/book/schema.json',
      JSON.stringify(contentType('book', { title: { type: 'strin' } }).json),
    );
    const next = await run({ from: strapi.root });
    expect(next.join('\n')).toMatch(
      /content-types\/book\/schema\.json: attributes\.title[\s\S]*Next: correct what is named here/,
    );
    expect(project.has('drizzle')).toBe(false);
  });
});

describe('npm run init that is stopped at any point', () => {
  it('has done all or nothing after the next command', async () => {
    writeStrapi();
    project.write('demo/extra/.hidden', '');
    project.write('.wrangler/state/v3/x', 'rows');
    const template = `${project.root}-template`;
    cpSync(project.root, template, { recursive: true });
    const before = contentsOf(project.root);
    let steps = 0;
    const counting = new Proxy(DISK, {
      get: (disk, name) => {
        steps += 1;
        return Reflect.get(disk, name) as unknown;
      },
    });
    const start = (disk: Disk) => init(project.root, { from: strapi.root }, () => undefined, disk);
    await start(counting);
    const after = contentsOf(project.root);
    expect(Object.keys(after).filter((path) => /^demo|state\/v3/.test(path))).toEqual([]);
    const seen = { before: 0, after: 0 };
    for (const share of [0, 0.2, 0.4, 0.6, 0.8, 0.99]) {
      rmSync(project.root, { recursive: true });
      cpSync(template, project.root, { recursive: true });
      await expect(start(stoppingAfter(Math.floor(steps * share)))).rejects.toThrow(Stopped);
      settleFiles(project.root);
      const now = contentsOf(project.root);
      const isAfter = now['content-types/book/schema.json'] !== undefined;
      expect(now, `after ${share}`).toEqual(isAfter ? after : before);
      seen[isAfter ? 'after' : 'before'] += 1;
    }
    expect(Math.min(seen.before, seen.after)).toBeGreaterThan(1);
    rmSync(template, { recursive: true });
  });
});

describe('settings of the demo that were changed', () => {
  it('are left alone, and what they name of the demo is reported after what was done', async () => {
    const config = project.read('edgewise.config.ts').replace("'api::homepage.homepage.find',", '// no homepage');
    project.write('edgewise.config.ts', config);
    writeStrapi();
    const next = (await run({ from: strapi.root })).join('\n');
    expect(next).toMatch(
      /roles\.public: no content type has the action "api::article[\s\S]*Next: correct what is named here/,
    );
    expect(next).toContain('npx strapi export');
    expect(next).toContain('remove what is about them from edgewise.config.ts');
    expect(said).toContain('removed from edgewise.config.ts: i18n, indexes, search of the demo');
    expect(project.read('edgewise.config.ts')).toContain('// no homepage');
    expect(project.has('content-types/book')).toBe(true);
  });
});

describe('removing the demo by hand', () => {
  it('is rejected until the settings and the migrations of the demo are removed', async () => {
    project.remove('content-types');
    project.schemas(contentType('page', { title: { type: 'string' } }));
    await expect(generate(project.root)).rejects.toThrow(/roles\.public: no content type has/);
    project.write('edgewise.config.ts', 'export default {};');
    await expect(generate(project.root, { execute: NOBODY })).rejects.toThrow(/lose stored content/);
    expect(await run()).toContain('Next: npm run dev');
  });
});

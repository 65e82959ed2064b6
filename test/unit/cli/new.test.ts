/**
 * @module The files of a new project.
 */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { migrationNames } from '../../../cli/migrations/migration-files.ts';
import { assertFree, writeFolder } from '../../../cli/new/folder.ts';
import { projectName } from '../../../cli/new/package-json.ts';
import { planNew } from '../../../cli/new/project-files.ts';
import { archiveTypes, cloneTypes, starterTypes, strapiTypes, type Types } from '../../../cli/new/types.ts';
import { checkGenerated } from '../../../cli/project/generate.ts';
import demo from '../../../edgewise.config.ts';
import { archiveOf } from '../../support/archive.ts';
import { MAGAZINE } from './import/magazine.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const ROOT = join(import.meta.dirname, '../../..');

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

/** Writes a project into a folder of the scratch project. @returns the folder, and what is wrong with the types */
async function write(name: string, types: Types) {
  const root = join(project.root, name);
  const { outputs, problem } = await planNew(root, projectName(root), types, () => [
    '/elsewhere/edgewise-0.1.0.tgz',
    ...(types.site ? ['/elsewhere/edgewise-client-0.1.0.tgz'] : []),
  ]);
  writeFolder(root, outputs);
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  return { root, problem, read };
}

/** Of wrangler.toml. */
interface Limit {
  readonly namespace_id: string;
}

const schema = (attributes: object): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: 'posts',
    info: { singularName: 'post', pluralName: 'posts', displayName: 'Post' },
    attributes,
  });

const TYPE = 'strapi/src/api/post/content-types/post/schema.json';

describe('a new project', () => {
  it('is named after its folder, in its package, its Worker, its database and its bucket', async () => {
    const { root, read } = await write('My Site', starterTypes());
    expect(JSON.parse(read('package.json'))).toMatchObject({
      name: 'my-site',
      dependencies: { edgewise: 'file:edgewise-0.1.0.tgz' },
    });
    const { name, d1_databases, r2_buckets } = unstable_readConfig({ config: join(root, 'wrangler.toml') });
    expect([name, d1_databases[0]?.database_name, r2_buckets[0]?.bucket_name]).toEqual([
      'my-site',
      'my-site',
      'my-site-media',
    ]);
  });

  it('describes the API as its settings make it, with former versions', async () => {
    const { read } = await write('site', starterTypes());
    expect(read('edgewise.config.ts')).toContain('history: true,\n  upload: {\n    widths: true');
    expect(read('wrangler.toml')).toContain('binding = "PRIVATE_MEDIA"');
    expect(read('openapi.json')).toContain('"listHistoryArticle"');
  });

  it('has the bindings of this repository, and rate limits that it shares with no other Worker', async () => {
    const [site, other] = [await write('site', starterTypes()), await write('other', starterTypes())];
    const [own, here, there] = [ROOT, site.root, other.root].map((root) =>
      unstable_readConfig({ config: join(root, 'wrangler.toml') }),
    );
    const limits = (config: typeof own): readonly Limit[] => config?.ratelimits ?? [];
    const withoutIds = (config: typeof own) => limits(config).map(({ namespace_id: _, ...limit }) => limit);
    for (const key of [
      'compatibility_date',
      'compatibility_flags',
      'minify',
      'images',
      'cache',
      'observability',
    ] as const)
      expect(here?.[key], key).toEqual(own?.[key]);
    expect(withoutIds(here)).toEqual(withoutIds(own));
    const ids = [own, here, there].flatMap((config) => limits(config).map(({ namespace_id }) => namespace_id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has the content types of a Strapi project, and the generated files', async () => {
    project.write(TYPE, schema({ title: { type: 'string', required: true } }));
    const { read } = await write('site', strapiTypes(join(project.root, 'strapi')));
    expect(read('content-types/post/schema.json')).toContain('"required": true');
    expect(read('drizzle/0001_initial.sql')).toContain('CREATE TABLE `posts`');
    expect(read('types/content-types.d.ts')).toContain('Post');
    expect(read('.edgewise/built.ts')).toContain("from 'edgewise'");
    expect(read('.gitignore')).toContain('node_modules/');
  });

  it('has the content types of an archive, and a role for editors unless the archive has one', async () => {
    const role = (id: number, type: string) => ({
      ...{ type: 'plugin::users-permissions.role', id },
      data: { documentId: `role${type}`, type, name: type },
    });
    const settingsOf = async (...roles: readonly object[]) => {
      const path = join(project.root, 'archive.tar.gz');
      writeFileSync(path, await archiveOf({ ...MAGAZINE, entities: [...MAGAZINE.entities, ...roles] }));
      return (await archiveTypes(path)).settings;
    };
    const { roles, users } = await settingsOf();
    expect([Object.keys(roles ?? {}), roles?.editor, users]).toEqual([
      ['editor'],
      starterTypes().settings.roles?.editor,
      undefined,
    ]);
    expect(await settingsOf(role(90, 'editor'))).toEqual({});
  });

  it('has the role for editors of the demo', () => {
    expect(starterTypes().settings.roles?.editor).toEqual(demo.roles?.editor);
  });

  it('has no role where it comes from a Strapi project, but says how to have one', () => {
    project.write(TYPE, schema({ title: { type: 'string' } }));
    const { settings, notes } = strapiTypes(join(project.root, 'strapi'));
    expect(settings).toEqual({});
    expect(notes.at(-1)).toContain("roles: { editor: ['api::*', 'plugin::upload.*'] } in edgewise.config.ts");
  });

  it('has the content types, migrations, settings and wrangler.toml of a clone, with nothing to generate', async () => {
    const { root, read } = await write('site', cloneTypes(ROOT));
    const theirs = (path: string) => readFileSync(join(ROOT, path), 'utf8');
    expect(migrationNames(root)).toEqual(migrationNames(ROOT));
    for (const path of ['content-types/article/schema.json', 'edgewise.config.ts', 'drizzle/meta/_journal.json'])
      expect(read(path), path).toBe(theirs(path));
    await checkGenerated(root);
    const { name, build, alias } = unstable_readConfig({ config: join(root, 'wrangler.toml') });
    expect(name).toBe('edgewise');
    expect(build).toMatchObject({ command: 'npx edgewise build' });
    expect(alias).toEqual({ 'side-channel': 'edgewise/side-channel' });
    expect(read('wrangler.toml')).not.toMatch(/studio"|\.cjs/);
    expect(read('src/index.ts')).toContain("from 'edgewise'");
    expect(JSON.parse(read('package.json')).name).toBe('site');
  });

  it('has no placeholder left', async () => {
    const { root } = await write('site', starterTypes());
    const paths = globSync('**/*', { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(paths.length).toBeGreaterThan(12);
    const left = paths.filter(({ parentPath, name }) =>
      /\{\{(?!\s*secrets)/.test(readFileSync(join(parentPath, name), 'utf8')),
    );
    expect(left.map(({ name }) => name)).toEqual([]);
  });

  it('is written with content types that have mistakes, so that they can be corrected, and says which', async () => {
    project.write(TYPE, schema({ title: { type: 'strnig' } }));
    const { root, problem, read } = await write('site', strapiTypes(join(project.root, 'strapi')));
    expect(problem).toContain('content-types/post/schema.json');
    expect(read('content-types/post/schema.json')).toContain('strnig');
    expect(existsSync(join(root, 'drizzle'))).toBe(false);
  });
});

describe('the folder of a new project', () => {
  const OUTPUTS = [
    { path: 'a', text: 'text' },
    { path: 'a/b', text: 'below a file' },
  ];

  it('is absent again when a file cannot be written, with the folders above it', () => {
    expect(() => writeFolder(join(project.root, 'new/site'), OUTPUTS)).toThrow();
    expect(readdirSync(project.root)).not.toContain('new');
  });

  it('is empty again when it was empty', () => {
    const root = join(project.root, 'site');
    mkdirSync(root);
    expect(() => writeFolder(root, OUTPUTS)).toThrow();
    expect(readdirSync(root)).toEqual([]);
  });

  it('may have the package installed, and nothing else, which stays when a file cannot be written', () => {
    const root = join(project.root, 'site');
    const dependencies = { edgewise: '^1.0.0' };
    project.write('site/package.json', JSON.stringify({ dependencies }));
    project.write('site/node_modules/edgewise/package.json', '{}');
    expect(() => assertFree(root, 'site')).not.toThrow();
    expect(() => writeFolder(root, OUTPUTS)).toThrow();
    expect(readdirSync(root)).toEqual(['node_modules', 'package.json']);
    project.write('site/package.json', JSON.stringify({ dependencies: { ...dependencies, next: '16' } }));
    expect(() => assertFree(root, 'site')).toThrow('site is not empty');
  });

  it.each([
    [{ scripts: { test: 'echo "Error: no test specified" && exit 1' } }, true],
    [{ scripts: { dev: 'edgewise dev', test: 'edgewise test' }, devDependencies: { typescript: '7' } }, true],
    [{ scripts: { test: 'echo', build: 'next build' } }, false],
    [{ devDependencies: { prettier: '3' } }, false],
    [{ workspaces: ['site'] }, false],
  ])('has a package.json that is replaced only where nobody has written it: %j', (more, isReplaced) => {
    const root = join(project.root, 'site');
    project.write('site/package.json', JSON.stringify({ dependencies: { edgewise: '^1.0.0' }, ...more }));
    const check = expect(() => assertFree(root, 'site'));
    if (isReplaced) check.not.toThrow();
    else check.toThrow('site is not empty');
  });

  it.each([
    ['{ half', 'is not JSON'],
    ['[]', 'is no JSON object'],
  ])('has a package.json that is named where it cannot be read: %s', (text, problem) => {
    project.write('site/package.json', text);
    expect(() => assertFree(join(project.root, 'site'), 'site')).toThrow(`site/package.json ${problem}`);
  });

  it('may be empty, and holds nothing else', () => {
    mkdirSync(join(project.root, 'site'));
    expect(() => assertFree(join(project.root, 'site'), 'site')).not.toThrow();
    project.write('site/.env', '');
    expect(() => assertFree(join(project.root, 'site'), 'site')).toThrow('site is not empty');
  });
});

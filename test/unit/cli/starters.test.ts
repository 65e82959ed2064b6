/**
 * @module The starters: what a project has that is made of one. test/studio/magazine-starter.long.test.ts runs it.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { STARTER_NAMES } from '../../../cli/core/starter-names.ts';
import { writeFolder } from '../../../cli/new/folder.ts';
import { planNew } from '../../../cli/new/project-files.ts';
import { filesBelow, siteTypes } from '../../../cli/new/starters.ts';
import { checkGenerated } from '../../../cli/project/generate.ts';
import { runCommand } from './run-command.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const ROOT = join(import.meta.dirname, '../../..');
const theirs = (path: string) => readFileSync(join(ROOT, path));

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

/** Writes a project. @returns its files, and a function that reads one */
async function write(name: (typeof STARTER_NAMES)[number], packages: readonly string[]) {
  const root = join(project.root, 'my-site');
  const { outputs, problem } = await planNew(root, 'my-site', siteTypes(name), () => packages);
  expect(problem).toBeUndefined();
  writeFolder(root, outputs);
  const read = (path: string) => readFileSync(join(root, path));
  return { root, read, json: (path: string) => JSON.parse(String(read(path))) };
}

describe('a starter', () => {
  it('is a folder, and named where npm create asks for it', () => {
    expect(readdirSync(join(ROOT, 'starters'))).toEqual([...STARTER_NAMES].sort());
  });

  it.each(STARTER_NAMES)(
    '%s makes a project with nothing to generate, and one command for API and site',
    async (name) => {
      const { root, read, json } = await write(name, []);
      await checkGenerated(root);
      expect(siteTypes(name).settings.users?.allowRegistration).toBe(false);
      const { scripts, workspaces, devDependencies } = json('package.json');
      expect(workspaces).toEqual(['site']);
      expect(scripts.dev).toMatch(/^concurrently .*"edgewise dev \{@\}" "npm run dev -w site" --$/);
      expect(scripts.test).toBe('npm test -w site && edgewise test');
      expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(['concurrently', 'vitest', 'typescript']));
      expect(json('site/package.json').scripts).toMatchObject({ dev: expect.any(String), test: expect.any(String) });
      expect(String(read('README.md'))).toContain('| `site/` |');
      const worker = globSync('site/wrangler.jsonc', { cwd: root }).map((path) => String(read(path)));
      for (const text of worker) expect(text).toContain('"name": "my-site-site"');
      const names = globSync('**/{,.}gitignore', { cwd: root }).sort();
      expect(names).toEqual(['.gitignore', 'site/.gitignore']);
    },
  );

  it('depends on the client of its version, or on the file of it', async () => {
    const client = async (...packages: readonly string[]) => {
      const { json } = await write('magazine', packages);
      return json('site/package.json').dependencies['edgewise-client'];
    };
    expect(await client()).toBe(`^${JSON.parse(String(theirs('package.json'))).version}`);
    project.remove('my-site');
    expect(await client('/a/edgewise-0.1.0.tgz', '/a/edgewise-client-0.1.0.tgz')).toBe(
      'file:../edgewise-client-0.1.0.tgz',
    );
  });

  it('has the files of its site, but not what building and installing leave there', () => {
    for (const path of ['gitignore', 'src/dist.ts', 'src/pages/[slug].astro', 'node_modules/a/index.js', 'dist/a.js'])
      project.write(`made/${path}`, '');
    for (const path of ['.astro/types.d.ts', '.wrangler/a', 'package-lock.json']) project.write(`made/${path}`, '');
    const paths = filesBelow(join(project.root, 'made'), 'site').map(({ path }) => path);
    expect(paths.sort()).toEqual(['site/.gitignore', 'site/src/dist.ts', 'site/src/pages/[slug].astro']);
  });

  it('is not taken beside the content types of others, and a wrong name changes nothing', async () => {
    const wrong = await runCommand(project.root, 'new my-site --starter shop');
    expect(wrong.code).toBe(2);
    for (const name of STARTER_NAMES) expect(wrong.said).toContain(name);
    const both = await runCommand(project.root, 'new my-site --starter magazine --from strapi');
    expect([both.code, both.said]).toEqual([2, expect.stringContaining('--starter')]);
    expect(project.has('my-site')).toBe(false);
  });
});

describe('the magazine', () => {
  it('has the content types and the content of the demo, pictures byte by byte', async () => {
    const { read } = await write('magazine', []);
    expect(JSON.parse(String(read('content-types/article/schema.json')))).toEqual(
      JSON.parse(String(theirs('content-types/article/schema.json'))),
    );
    for (const path of globSync('demo/**/*.*', { cwd: ROOT })) expect(read(path).equals(theirs(path)), path).toBe(true);
  });
});

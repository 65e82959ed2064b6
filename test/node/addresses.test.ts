/**
 * @module Each page of the documentation that the product names to its users is in the package, at the path that is named: in
 * messages, on the page at `/`, in Studio, in the template and in the help of commands.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { docsPage } from '../../cli/core/docs-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] };

/** npm packs these without being told. */
const ALWAYS = ['README.md', 'LICENSE', 'package.json'];
const isPacked = (path: string): boolean =>
  [...files, ...ALWAYS].some((entry) => path === entry || path.startsWith(`${entry}/`)) && existsSync(join(ROOT, path));

const SERVED = globSync('{src,studio,testing}/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/dist'] });
const TEMPLATE = globSync('template/**/*.*', { cwd: ROOT });
const COMMANDS = globSync('cli/**/*.{ts,mjs}', { cwd: ROOT });

/** Comments of the sources are for who works on Edgewise. */
const withoutComments = (text: string): string => text.replaceAll(/^\s*(\/?\*|\/\/).*$/gm, '');

const linesOf = (path: string): readonly string[] =>
  (path.startsWith('template/') ? read(path) : withoutComments(read(path))).split('\n');

const named = (paths: readonly string[], pattern: RegExp) =>
  paths.flatMap((path) =>
    linesOf(path).flatMap((line) => [...line.matchAll(pattern)].map((found) => ({ path, found }))),
  );

const PAGE = /(\S*?)\b(docs\/[\w/-]*(?:\.md|\{own\}))/g;
/** Pages that Studio names by parameter. */
const STUDIO = [...read('studio/explorer/response.tsx').matchAll(/'([\w-]+\.md)#[\w-]+'/g)].map(
  ([, name]) => `docs/${name}`,
);

describe('a page of the documentation', () => {
  const places = named([...SERVED, ...TEMPLATE], PAGE);

  it('is named in several places', () => {
    expect(places.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'src/features/description/landing.ts',
        'src/features/files/private/uploads.ts',
        'studio/explorer/response.tsx',
        'template/src/index.ts',
      ]),
    );
    expect(STUDIO.length).toBeGreaterThan(2);
  });

  it.each(places.map(({ path, found }) => [path, found] as const))(
    'is where %s says that a project has it',
    (_, [, before = '', page = '']) => {
      expect(before).toMatch(/node_modules\/edgewise\/$/);
      for (const path of page.endsWith('}') ? STUDIO : [page]) expect(isPacked(path), path).toBe(true);
    },
  );

  it('is named by commands from the folder in which they run', () => {
    expect(named(COMMANDS, PAGE)).toEqual([]);
    const pages = named(COMMANDS, /docsPage\('([^']+)'\)/g).map(({ found: [, name = ''] }) => name);
    expect(pages).toContain('extending.md');
    expect(pages.filter((name) => !isPacked(relative(ROOT, join(process.cwd(), docsPage(name)))))).toEqual([]);
  });

  it('leads to no page that is not in the package', () => {
    const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => normalize(join(dirname(page), target))),
    );
    expect(links.length).toBeGreaterThan(100);
    expect([...new Set(links)].filter((path) => !isPacked(path))).toEqual([]);
  });
});

describe('an address in the repository', () => {
  const ADDRESS = /https:\/\/github\.com\/edgewise\/edgewise\/(?:blob|tree)\/main\/([\w./-]+)/g;
  const paths = [...SERVED, ...TEMPLATE, ...COMMANDS, 'README.md', ...globSync('*/README.md', { cwd: ROOT })];

  it('leads to a file of it', () => {
    const targets = named(paths, ADDRESS).map(({ found: [, target = ''] }) => target);
    expect(targets).toContain('docs/media.md');
    expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
  });
});

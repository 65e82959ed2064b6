/**
 * @module The documentation keeps up with the code: operators, settings and their defaults, commands, options, links.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { newProgram } from '../../cli/program.ts';
import { LOGIC, OPERATORS } from '../../src/content/request/operators.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { EXPECTED } from '../conformance/expected.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCS = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
const pagesIn = (folder: string): readonly string[] => globSync(`${folder}/*.md`, { cwd: ROOT });
/** For who works on Edgewise: they name files of the repository. */
const INNER_PAGES = ['CONTRIBUTING.md', 'test/README.md', 'docs/architecture.md', ...pagesIn('docs/decisions')];
const PAGES = [
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md', ...INNER_PAGES, ...pagesIn('docs/examples')],
  ...DOCS.filter((name) => name !== 'architecture.md').map((name) => `docs/${name}`),
];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const everything = PAGES.map(read).join('\n');

/** Rows of tables whose first cell is code, by that cell. */
function rowsByCode(text: string): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const code = /^\| `([^`]+)` \|/.exec(line)?.[1];
    if (code !== undefined) rows.set(code, [...(rows.get(code) ?? []), line]);
  }
  return rows;
}

const rows = rowsByCode(everything);
const settingRows = rowsByCode(read('docs/settings.md'));
const commandRows = rowsByCode(read('docs/commands.md'));

/** `{ api: { rest: … } }` → `api.rest.defaultLimit` and its default. Lists and empty records are values. */
function leaves(value: unknown, path: readonly string[] = []): readonly (readonly [string, unknown])[] {
  const isSection = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isSection ? Object.entries(value) : [];
  if (entries.length === 0) return [[path.join('.'), value]];
  return entries.flatMap(([key, item]) => leaves(item, [...path, key]));
}

const settings = leaves(parseSettings({}));

const scripts = Object.entries((JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts);

/** The options of the scripts that are no command of `edgewise`, as their source declares them. */
const scriptOptions = scripts.flatMap(([name, script]) => {
  const path = /&& node (\S+\.ts)$/.exec(script)?.[1];
  const calls = path === undefined ? [] : read(path).matchAll(/\b(?:option|requiredOption|Option)\(\s*'(--[a-z-]+)/g);
  return [...calls].map(([, option = '']) => [name, option] as const);
});

const optionsOf = (command: Command): readonly string[] => [
  ...command.options.map(({ long }) => long ?? ''),
  ...command.commands.flatMap(optionsOf),
];

const { commands } = newProgram();

const commandOptions = commands.flatMap((command) =>
  [...new Set(optionsOf(command))].map((option) => [command.name(), option] as const),
);

const options = [...commandOptions, ...scriptOptions];

const START = /^(npm run|npx edgewise) /;

/** Everything that the table of commands says about `npm run name`, or `npx edgewise name`. */
const rowsOf = (name: string): string =>
  [...commandRows]
    .flatMap(([code, lines]) => (START.test(code) && code.replace(START, '').split(' ')[0] === name ? lines : []))
    .join('\n');

const withoutCode = (text: string): string => text.replaceAll(/```.*?```/gs, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchor that a Markdown renderer gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (page: string): readonly string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const links = PAGES.flatMap((page) =>
  [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => [page, target] as const)
    .filter(([, target]) => !/^[a-z]+:/.test(target)),
);

/** A heading or a file that the link leads to is missing. */
function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

/** Names of all files, and of all folders that have some. */
const FILES = globSync(`{${['src', 'cli', 'test', 'studio', 'docs', 'testing', 'bench', 'scripts'].join()}}/**/*.*`, {
  cwd: ROOT,
  exclude: (path) => basename(path) === 'node_modules',
});
const FILE_NAMES = new Set(FILES.map((path) => basename(path)));
/** Paths are from one of these. */
const BASES = ['', 'src', 'cli', 'test', 'studio', 'docs'];
const FOLDER_NAMES = new Set(FILES.flatMap((path) => dirname(path).split('/')));
const isBegin = (name: string): boolean =>
  name !== '' && BASES.some((base) => FILES.some((path) => path.startsWith(`${join(base, name)}/`)));
/** Folders of the root, and packages. */
const isOutside = (name: string): boolean => ['', 'node_modules'].some((base) => existsSync(join(ROOT, base, name)));

/** Is the text a path of the repository that leads to nothing, or the name of a file or folder that it does not have? */
function isMissing(text: string): boolean {
  if (/^[\w-]+(\.test)?\.(tsx?|mjs)$/.test(text)) return !FILE_NAMES.has(text);
  if (/^[\w-]+\/$/.test(text)) return !FOLDER_NAMES.has(text.slice(0, -1)) && !isOutside(text);
  const [first = '', ...rest] = text.split('/');
  if (rest.length === 0 || !/^[\w./*<>-]+$/.test(text) || !isBegin(first)) return false;
  if (!/\.\w+$/.test(text) && !text.endsWith('/')) return false;
  const pattern = text.replaceAll(/<\w+>|NNNN/g, '*');
  return BASES.every((base) => globSync(pattern, { cwd: join(ROOT, base) }).length === 0);
}

describe('the documentation', () => {
  it.each(Object.keys(OPERATORS))('has a line for the operator %s', (name) => {
    expect(rows.has(name)).toBe(true);
  });

  it('names no operator that does not exist', () => {
    const named = [...rows.keys()].filter((code) => code.startsWith('$'));
    expect(named.filter((name) => !Object.hasOwn(OPERATORS, name))).toEqual([]);
  });

  it.each(Object.keys(LOGIC))('names %s', (name) => {
    expect(everything).toContain(`\`${name}\``);
  });

  it.each(settings)('has a line for the setting %s with its default', (key, value) => {
    expect(settingRows.get(key)?.[0]).toContain(`| \`${key}\` | \`${JSON.stringify(value)}\` |`);
  });

  it('names no setting that does not exist', () => {
    const known = new Set(settings.map(([key]) => key));
    expect([...settingRows.keys()].filter((key) => !known.has(key))).toEqual([]);
  });

  it.each(scripts)('names the command %s', (name) => {
    expect(everything).toMatch(new RegExp(`\`(npm (run )?|npx edgewise )${name}\\b`));
  });

  it('knows where scripts declare their options', () => {
    expect(options).toContainEqual(['token', '--permission']);
    expect(options).toContainEqual(['bench', '--quick']);
  });

  it.each(commands.map((command) => command.name()))('has a row for the command %s', (name) => {
    expect(rowsOf(name)).not.toBe('');
  });

  it.each(options)('names %s %s beside its command', (name, option) => {
    expect(rowsOf(name)).toMatch(new RegExp(`${option}(?![a-z-])`));
  });

  it('begins with a README that fits one page', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(60);
  });

  it('has an index of all its pages', () => {
    const index = read('docs/README.md');
    const pages = DOCS.filter((name) => name !== 'README.md');
    expect(pages.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });

  it.each(INNER_PAGES)('names no file that does not exist: %s', (page) => {
    const named = [...read(page).matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(' '));
    expect(named.filter(isMissing)).toEqual([]);
  });

  it('has links to other pages, and none that is broken', () => {
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(([page, link]) => isBroken(page, link))).toEqual([]);
  });
});

describe('recorded steps that are answered otherwise for good', () => {
  const page = read('docs/compatibility.md');
  const listed = page.slice(page.indexOf('## Recorded exchanges')).matchAll(/^\| `([^`]+)` \| `([^`]+)` \|/gm);

  it('are all listed, and no others', () => {
    const steps = EXPECTED.deliberate.map(({ scenario, step }) => `${scenario}: ${step}`);
    expect([...listed].map(([, scenario, step]) => `${scenario}: ${step}`)).toEqual(steps);
    expect(steps.length).toBeLessThanOrEqual(19);
  });
});

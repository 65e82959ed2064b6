/**
 * @module Blocks and command lines of the documentation that `node/pages.long.test.ts` does not run: each is of a kind that is checked,
 * and names no command, option, script or setting that does not exist.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Command } from 'commander';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { experimental_readRawConfig, unstable_splitSqlQuery } from 'wrangler';
import { newProgram } from '../../cli/program.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { type Block, blocksIn, type Kind } from '../support/pages.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const inFolder = (folder: string) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
const PAGES = [
  'README.md',
  ...[...inFolder('docs'), ...inFolder('docs/examples')].filter((path) => path.endsWith('.md')),
];

const blocks = PAGES.flatMap((page) => blocksIn(ROOT, page));
const of = (...kinds: readonly Kind[]) =>
  blocks.filter(({ kind }) => kinds.includes(kind)).map((block): [string, Block] => [block.name, block]);

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const program = newProgram();

/** Scripts of ours declare their options in their source; those of vitest have none here. */
function scriptSource(name: string): string {
  const [, path] = /&& node (\S+\.ts)$/.exec(scripts[name] ?? '') ?? [];
  return path === undefined ? '' : read(path);
}

const optionsOf = (command: Command): readonly string[] => [
  ...['--help', '--version'],
  ...command.options.map(({ long }) => long ?? ''),
];

/** What a command line names that does not exist: the command, or its options. */
function unknownIn(line: string): readonly string[] {
  const [, runner = '', name = '', rest = ''] =
    /^(npm run(?: -s| --silent)?|npx(?: --no)? edgewise) ([a-z][\w:-]*)(.*)$/.exec(line) ?? [];
  if (name === '') return [];
  const script = scripts[name];
  const own = program.commands.find((command) => command.name() === name);
  if (runner.startsWith('npm') ? script === undefined : own === undefined) return [`${runner} ${name}`];
  const words =
    rest
      .split(/[|;&#>]/)[0]
      ?.trim()
      .split(/\s+/) ?? [];
  const options = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/[=,.:].*$/, ''));
  if (!own)
    return options.filter(
      (option) => option !== '--help' && scriptSource(name) !== '' && !scriptSource(name).includes(`'${option}`),
    );
  const part = own.commands.find((command) => words.includes(command.name()));
  const known = [...optionsOf(own), ...(part ? [part] : own.commands).flatMap(optionsOf)];
  return options.filter((option) => !known.includes(option)).map((option) => `${runner} ${name} ${option}`);
}

/** Of other programs, which pages name alone. */
const OF_OTHERS: readonly string[] = ['--no-encrypt', '--default-non-nullable', '--force', '--project'];

const allOptions = new Set([
  ...program.commands.flatMap((command) => [command, ...command.commands].flatMap(optionsOf)),
  ...Object.keys(scripts).flatMap((name) =>
    [...scriptSource(name).matchAll(/'(--[a-z-]+)/g)].map(([, option]) => option),
  ),
  ...[...read('client/types-command.ts').matchAll(/^ {2}(--[a-z]+)/gm)].map(([, option]) => option),
  ...OF_OTHERS,
]);

const START = /(?=\b(?:npm run|npx(?: --no)? edgewise) )/;

/** Commands in a block or in code of a text; one may follow another on a line. */
const unknownInText = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => line.split(START).flatMap(unknownIn));

const inlineCode = (page: string): string =>
  [
    ...read(page)
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/`([^`\n]+)`/g),
  ]
    .map(([, code]) => code)
    .join('\n');

describe('a block of the documentation', () => {
  it('is of a kind that a test runs or parses', () => {
    expect(blocks.length).toBeGreaterThan(150);
  });

  it.each(of('commands', 'by hand'))('names commands and options that exist: %s', (_, { text }) => {
    expect(unknownInText(text)).toEqual([]);
  });

  it.each(of('fragment', 'settings'))('has settings that are accepted: %s', (_, { text }) => {
    const keys = /export default defineConfig\((\{[\s\S]*\})\);/.exec(text)?.[1] ?? `{${text}}`;
    const settings = new Function(`return (${keys})`)() as object;
    expect(Object.keys(settings).length).toBeGreaterThan(0);
    expect(() => parseSettings(settings)).not.toThrow();
  });

  it.each(of('ts', 'tsx', 'js', 'astro'))('is valid code: %s', async (_, { kind, text }) => {
    const code = kind === 'astro' ? (/^---\n([\s\S]*?)\n---$/m.exec(text)?.[1] ?? '') : text;
    const loader = kind === 'astro' ? 'ts' : (kind as 'ts' | 'tsx' | 'js');
    expect((await transform(code, { loader, format: 'esm' })).warnings).toEqual([]);
  });

  it.each(of('json'))('is valid JSON: %s', (_, { text }) => {
    expect(() => JSON.parse(text.trim().startsWith('{') ? text : `{${text}}`)).not.toThrow();
  });

  it.each(of('toml'))('is configuration that wrangler reads: %s', (_, { text }) => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-toml-'));
    writeFileSync(join(folder, 'wrangler.toml'), `name = "a"\n${text}`);
    const { rawConfig } = experimental_readRawConfig({ config: join(folder, 'wrangler.toml') });
    rmSync(folder, { recursive: true });
    expect(Object.keys(rawConfig).length).toBeGreaterThan(1);
  });

  it('is SQL that the database takes, once its marked places are completed', () => {
    const database = new DatabaseSync(':memory:');
    database.exec('create table "articles" ("size" text)');
    const statements = of('sql').flatMap(([, { text }]) => unstable_splitSqlQuery(text));
    const complete = statements.filter((statement) => !statement.includes('complete this migration by hand'));
    expect(complete.length).toBeGreaterThan(1);
    for (const statement of complete) database.exec(statement);
  });
});

describe('a page of the documentation', () => {
  it.each(PAGES)('names no command, option or script that does not exist: %s', (page) => {
    const alone = inlineCode(page)
      .split('\n')
      .map((code) => /^--[a-z][a-z-]*/.exec(code)?.[0] ?? '--help');
    expect([...unknownInText(inlineCode(page)), ...alone.filter((option) => !allOptions.has(option))]).toEqual([]);
  });

  it('would be seen to name one that is gone', () => {
    expect(allOptions.has('--merge')).toBe(false);
    expect(unknownInText('npm run init\nnpx edgewise init && npx edgewise import a.tar --merge')).toEqual([
      ...['npm run init', 'npx edgewise init', 'npx edgewise import --merge'],
    ]);
  });
});

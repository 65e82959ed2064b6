/**
 * @module The fenced blocks of the documentation, by what a test does with them (`test/node/docs.test.ts`, `test/node/pages.long.test.ts`).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Block {
  /** `docs/users.md: E-mail`, with a number where a heading has several. */
  readonly name: string;
  readonly page: string;
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
  readonly text: string;
}

/**
 * Info string → kind. `commands`, `settings` (keys for `edgewise.config.ts`) and `code` (the whole of `src/index.ts`) are run
 * in the order of reading. The others are parsed: `by hand` are commands that need an account, another folder or files of the
 * reader; `fragment` are settings beside those of the demo; `shown` is output.
 */
const KINDS = {
  sh: 'commands',
  'sh needs a content type menu': 'commands',
  'ts edgewise.config.ts': 'settings',
  'ts src/index.ts': 'code',
  'sh by hand': 'by hand',
  'ts settings': 'fragment',
  ...{ ts: 'ts', tsx: 'tsx', js: 'js', astro: 'astro' },
  ...{ json: 'json', toml: 'toml', sql: 'sql', http: 'shown', text: 'shown' },
} as const;

export type Kind = Block['kind'];

const RUN: ReadonlySet<Kind> = new Set(['commands', 'settings', 'code']);

const FENCED = /^(#+ .+)$|^```(.*)\n([\s\S]*?)^```$/gm;

/** @throws Error for a block that no test can run or parse. */
function blocksOf(page: string, text: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  for (const [, title, info = '', body = ''] of text.matchAll(FENCED)) {
    if (title !== undefined) heading = title.replace(/^#+ /, '');
    else if (!Object.hasOwn(KINDS, info)) throw new Error(`${page}, ${heading}: a block of the kind "${info}"`);
    else {
      const name = `${page}, ${heading} (${blocks.length + 1})`;
      blocks.push({ name, page, kind: KINDS[info as keyof typeof KINDS], text: body });
    }
  }
  return blocks;
}

export const blocksIn = (root: string, page: string): readonly Block[] =>
  blocksOf(page, readFileSync(join(root, page), 'utf8'));

/** The pages in the order in which the index of docs/ names them, after the README and the index itself. */
function pagesOf(root: string): readonly string[] {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const named = [...index.matchAll(/^\| \[.*?\]\(([\w/-]+\.md)\)/gm)].map(([, name]) => `docs/${name}`);
  return ['README.md', 'docs/README.md', ...named];
}

/** Every block that a reader would run, in the order of reading. */
export const runnableBlocks = (root: string): readonly Block[] =>
  pagesOf(root).flatMap((page) => blocksIn(root, page).filter(({ kind }) => RUN.has(kind)));

/** Returns the blocks of code below a heading of a page, whatever their language. */
export function codeBelow(page: string, heading: string): readonly string[] {
  const [, section = ''] = page.split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [text = ''] = section.split(/^#/m);
  return [...text.matchAll(/^ *```\w+\n([\s\S]*?)^ *```$/gm)].map(([, code = '']) => code);
}

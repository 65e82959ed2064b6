/**
 * @module What the pages of the documentation let their readers run: blocks of `sh`, and settings and code to put in first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Block {
  /** `docs/users.md: E-mail`, with a number where a heading has several. */
  readonly name: string;
  readonly page: string;
  /** `settings`: keys for `edgewise.config.ts`. `code`: the whole of `src/index.ts`. */
  readonly kind: 'commands' | 'settings' | 'code';
  readonly text: string;
}

const FENCED = /^(#+ .+)$|^```(.*)\n([\s\S]*?)^```$/gm;

function kindOf(info: string): Block['kind'] | undefined {
  if (info === 'sh' || info.startsWith('sh needs ')) return 'commands';
  if (info === 'ts src/index.ts') return 'code';
  return info === 'ts edgewise.config.ts' ? 'settings' : undefined;
}

function blocksOf(page: string, text: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  for (const [, title, info = '', body = ''] of text.matchAll(FENCED)) {
    if (title !== undefined) heading = title.replace(/^#+ /, '');
    const kind = title === undefined ? kindOf(info) : undefined;
    const name = `${page}, ${heading} (${blocks.length + 1})`;
    if (kind) blocks.push({ name, page, kind, text: body });
  }
  return blocks;
}

/** The pages in the order in which the index of docs/ names them, after the README and the index itself. */
function pagesOf(root: string): readonly string[] {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const named = [...index.matchAll(/^\| \[.*?\]\(([\w/-]+\.md)\)/gm)].map(([, name]) => `docs/${name}`);
  return ['README.md', 'docs/README.md', ...named];
}

/** Every block that a reader would run, in the order of reading. */
export const runnableBlocks = (root: string): readonly Block[] =>
  pagesOf(root).flatMap((page) => blocksOf(page, readFileSync(join(root, page), 'utf8')));

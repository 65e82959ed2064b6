/**
 * @module What `edgewise new` and `npm create edgewise` ask on a terminal: what no option has said, each thing once.
 */
import { statSync } from 'node:fs';
import { isStarterName, STARTER_NAMES, type StarterName } from '../core/starter-names.ts';
import { type Ask, askTerminal, UsageError } from '../core/terminal.ts';

export interface NewFlags {
  /** The folder of a Strapi project. */
  readonly from?: string;
  /** The folder of a clone of Edgewise. */
  readonly fromClone?: string;
  /** The path of an archive of `strapi export`. */
  readonly archive?: string;
  /** What the project begins with: content types, content and a site. */
  readonly starter?: StarterName;
  readonly git?: boolean;
  readonly install?: boolean;
  /** Asks nothing. */
  readonly yes?: boolean;
}

export type NewAnswers = Readonly<{ folder: string; git: boolean; install: boolean }> &
  Pick<NewFlags, 'from' | 'fromClone' | 'archive' | 'starter'>;

const isYes = (answer: string): boolean => !/^n/i.test(answer.trim());

/** Asks until the answer is a folder or file of content types, or empty: then the project has none of them. */
async function askSource(ask: NonNullable<Ask>): Promise<Pick<NewFlags, 'from' | 'archive'>> {
  let question =
    'Content types of a Strapi project, or of an archive of `strapi export`? Its path, or Enter for none: ';
  for (;;) {
    const path = (await ask(question)).trim();
    if (path === '') return {};
    const found = statSync(path, { throwIfNoEntry: false });
    if (found) return found.isDirectory() ? { from: path } : { archive: path };
    question = `There is no ${path}. The path of a Strapi project or an archive, or Enter for none: `;
  }
}

/** Asks until the answer is the name of a starter, or empty: then the project has no starter. */
async function askStarter(ask: NonNullable<Ask>): Promise<Pick<NewFlags, 'starter'>> {
  const names = STARTER_NAMES.join(', ');
  let question = `A finished site to begin with (${names})? Its name, or Enter for none: `;
  for (;;) {
    const name = (await ask(question)).trim();
    if (name === '') return {};
    if (isStarterName(name)) return { starter: name };
    question = `There is no starter "${name}". One of ${names}, or Enter for none: `;
  }
}

/**
 * Returns what was said in options, then on the terminal, then what goes without saying: git and npm are run.
 * @throws UsageError without a folder
 */
export async function askNew(
  given: string | undefined,
  { yes, ...flags }: NewFlags,
  terminal: Ask = process.stdin.isTTY ? askTerminal : undefined,
): Promise<NewAnswers> {
  const ask = yes ? undefined : terminal;
  const folder = given ?? (await ask?.('Folder of the new project? '))?.trim();
  if (!folder) throw new UsageError("Missing required argument 'folder'");
  const isSaid = (flags.from ?? flags.fromClone ?? flags.archive ?? flags.starter) !== undefined;
  const source = ask && !isSaid ? await askSource(ask) : {};
  const isOpen = !isSaid && Object.keys(source).length === 0;
  const starter = ask && isOpen ? await askStarter(ask) : {};
  const git = flags.git ?? (!ask || isYes(await ask('A git repository? (Y/n) ')));
  const install = flags.install ?? (!ask || isYes(await ask('Install the packages with npm? (Y/n) ')));
  return { ...flags, ...source, ...starter, folder, git, install };
}

/**
 * @module What `npm run import` was asked for.
 */
import { InvalidArgumentError } from 'commander';
import { looksEnciphered } from '../core/archive/archive-file.ts';
import { askTerminal } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';

/** As Strapi groups them: documents, users and their links; bytes; settings. */
const GROUPS = ['content', 'files', 'config'] as const;
export type Group = (typeof GROUPS)[number];

export interface Flags extends Target {
  readonly key?: string;
  readonly only?: readonly Group[];
  readonly exclude?: readonly Group[];
  readonly dryRun?: true;
  readonly replace?: true;
  readonly resume?: true;
  readonly force?: true;
  readonly replaceTypes?: true;
  readonly allowDrop?: true;
  /** False: `--no-backup`. */
  readonly backup: boolean;
}

export function groups(text: string): readonly Group[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.filter((name) => !GROUPS.some((group) => group === name));
  if (wrong.length > 0) throw new InvalidArgumentError(`Expected some of ${GROUPS.join(', ')}, with commas.`);
  return names as Group[];
}

export const isTaken = (group: Group, { only = GROUPS, exclude = [] }: Flags): boolean =>
  only.includes(group) && !exclude.includes(group);

const KEY_VARIABLE = 'EDGEWISE_IMPORT_KEY';

/** The key of an enciphered archive: from the options, the environment, or the terminal. */
export async function keyFor(path: string, { key }: Flags): Promise<string | undefined> {
  const given = key ?? process.env[KEY_VARIABLE];
  if (given !== undefined || !process.stdin.isTTY || !looksEnciphered(path)) return given;
  return askTerminal('Key of the archive (it is shown as you type): ');
}

/**
 * @module What `npm run import` was asked for.
 */
import { InvalidArgumentError } from 'commander';
import type { Target } from '../platform/wrangler.ts';
import { askTerminal, UserError } from '../terminal.ts';
import { looksEnciphered } from './archive-file.ts';

/** As Strapi groups them: documents, users and their links; bytes; settings. */
const GROUPS = ['content', 'files', 'config'] as const;
export type Group = (typeof GROUPS)[number];

export interface Flags extends Target {
  readonly key?: string;
  /** Of the API of a running Strapi. */
  readonly token?: string;
  /** ISO time. */
  readonly since?: string;
  readonly deletions?: true;
  readonly only?: readonly Group[];
  readonly exclude?: readonly Group[];
  readonly dryRun?: true;
  readonly merge?: true;
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
  if (wrong.length > 0) throw new InvalidArgumentError(`expected some of ${GROUPS.join(', ')}, with commas.`);
  return names as Group[];
}

/** What changed since a time is content: settings are taken with the whole. */
export const isTaken = (group: Group, { only, exclude = [], since }: Flags): boolean =>
  (only?.includes(group) ?? (group !== 'config' || since === undefined)) && !exclude.includes(group);

export function timeOf(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('expected a time such as 2026-01-31T12:00:00Z.');
  return new Date(time).toISOString();
}

const TOKEN_VARIABLE = 'EDGEWISE_IMPORT_TOKEN';

/** The token of a running Strapi. @throws UserError without one, and for what can be none. */
export function tokenFor({ token = process.env[TOKEN_VARIABLE] }: Flags): string {
  if (token === undefined || token === '')
    throw new UserError(
      `Set ${TOKEN_VARIABLE} to an API token of that Strapi (Settings, API Tokens: full access), or give it with --token`,
    );
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UserError('The token has characters in it that no token has');
  return token;
}

/** @throws UserError for options that mean nothing together. */
export function assertTogether(fromServer: boolean, { since, deletions, merge, replace, token, key }: Flags): void {
  if (!fromServer && (since !== undefined || deletions || token !== undefined))
    throw new UserError('--token, --since and --deletions are for the address of a running Strapi');
  if (fromServer && key !== undefined) throw new UserError('--key is for an archive that is enciphered');
  if (replace && (since !== undefined || deletions))
    throw new UserError('--replace takes everything, and leaves nothing else');
  if (deletions && since === undefined && !merge) throw new UserError('--deletions goes with --since or --merge');
}

const KEY_VARIABLE = 'EDGEWISE_IMPORT_KEY';

/** The key of an enciphered archive: from the options, the environment, or whoever sits there. */
export async function keyFor(path: string, { key }: Flags): Promise<string | undefined> {
  const given = key ?? process.env[KEY_VARIABLE];
  if (given !== undefined || !process.stdin.isTTY || !looksEnciphered(path)) return given;
  return askTerminal('Key of the archive (it is shown as you type): ');
}

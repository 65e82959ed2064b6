/**
 * @module Decides what an import does with the database: which groups of the archive it takes, and whether it begins, goes
 * on, or has nothing to do.
 */

import { GROUPS, type Group } from '../core/archive/groups.ts';
import { listed } from '../core/counted.ts';
import { unfinishedText } from '../core/storage/unfinished.ts';
import { UserError } from '../core/terminal.ts';
import type { Marker, Mode } from './marker.ts';

export interface GroupFlags {
  readonly only?: readonly Group[];
  readonly exclude?: readonly Group[];
  readonly replace?: true;
  readonly resume?: true;
}

/** An archive that is to be imported. */
interface Archive {
  readonly fingerprint: string;
  readonly file: { readonly name: string };
}

/** What the database has before an import. */
export interface Stored {
  /** Tables of content with rows. */
  readonly filled: readonly string[];
  readonly markers: readonly Marker[];
}

/** @throws UserError if the flags name other groups than the interrupted import has. */
function resumed(unfinished: Marker, { fingerprint }: Archive, { only, exclude }: GroupFlags): Marker {
  if (unfinished.archive !== fingerprint)
    throw new UserError(
      `--resume: the import that was interrupted is that of another file, ${unfinished.name}. To start over: --replace`,
    );
  if (only || exclude)
    throw new UserError(`--resume goes on with ${listed(unfinished.groups)}: leave out --only and --exclude`);
  return unfinished;
}

/**
 * Decides between a new import, one that is resumed, and one that is done already.
 * @throws UserError for content that the import would mix with other content.
 */
export function planImport({ filled, markers }: Stored, archive: Archive, flags: GroupFlags): Marker {
  const { fingerprint, file } = archive;
  const selected = GROUPS.filter((group) => (flags.only?.includes(group) ?? true) && !flags.exclude?.includes(group));
  if (selected.length === 0) throw new UserError('--only and --exclude leave nothing to import');
  const begin = (mode: Mode, groups: readonly Group[]): Marker => ({
    ...{ archive: fingerprint, groups, name: file.name, mode, stage: mode === 'replace' ? 'clear' : 'rows', done: 0 },
    ...{ startedAt: Date.now(), finishedAt: null },
  });
  const unfinished = markers.find(({ finishedAt }) => finishedAt === null);
  if (unfinished && flags.resume) return resumed(unfinished, archive, flags);
  if (unfinished && !(flags.replace && unfinished.groups.every((group) => selected.includes(group))))
    throw new UserError(
      `${unfinishedText(unfinished.name)}, or start over with --replace, and all of ${listed(unfinished.groups)}`,
    );
  if (flags.replace) return begin('replace', selected);
  if (filled.length === 0) return begin('fresh', selected);
  const own = markers.filter((marker) => marker.archive === fingerprint);
  const imported = new Set(own.flatMap(({ groups }) => groups));
  const missing = selected.filter((group) => !imported.has(group));
  const [last] = own;
  if (last && missing.length === 0) return last;
  // Settings are files of the project, and bytes belong to the rows that the archive has of them.
  if (missing.every((group) => group === 'config' || (group === 'files' && imported.has('content'))))
    return begin('fresh', missing);
  throw new UserError(
    missing.includes('content')
      ? `The database has content (${filled.join(', ')}). To delete it first: --replace`
      : `The database has content (${filled.join(', ')}) that is not of this archive. To store its files beside it: --replace`,
  );
}

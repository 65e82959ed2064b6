/**
 * @module What the installed version of Edgewise notes in the projects that it generates.
 */
import { sha256 } from '../../digest.ts';
import { buildRegistry, TRUSTED } from '../../registry/build.ts';
import { readPackage } from '../core/package.ts';
import { jsonText } from '../migrations/migration-files.ts';
import { snapshotOf } from '../migrations/snapshot.ts';
import { readVersionNote, type VersionNote } from './version-note.ts';

export function ownVersion(): VersionNote {
  const { tables } = snapshotOf(buildRegistry({ contentTypes: [], components: [] }, TRUSTED));
  return { version: readPackage().version, tables: sha256(jsonText(tables)) };
}

/** Has another version generated the project, or this one with other tables? */
export function isOtherVersion(root: string): boolean {
  const note = readVersionNote(root);
  return note !== undefined && jsonText(note) !== jsonText(ownVersion());
}

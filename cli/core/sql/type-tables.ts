/**
 * @module The content types whose documents exports, imports and backups carry, and their tables.
 */
import { isOwner, ownedTable } from '../../../src/schema/attribute-kinds.ts';
import type { ContentType, Registry } from '../../../src/schema/model.ts';
import { FILE_UID, FOLDER_UID, USER_UID } from '../../../src/schema/system-types.ts';

const ARCHIVED: ReadonlySet<string> = new Set([FILE_UID, FOLDER_UID, USER_UID]);

/** Types of which an archive has documents: those of the project, files, folders and users. */
export const archivedTypes = ({ contentTypes }: Registry): readonly ContentType[] =>
  [...contentTypes.values()].filter(({ system, uid }) => !system || ARCHIVED.has(uid));

/** The link tables of a type, by attribute. */
export function linkTablesOf({ table, attributes }: ContentType): ReadonlyMap<string, string> {
  const owned = [...attributes.values()].filter(isOwner);
  return new Map(owned.map((attribute) => [attribute.name, ownedTable(table, attribute)]));
}

/**
 * @module Roles of an archive → rows of roles, so that users are shown with the role that they had.
 */
import { rolesOf } from '../../auth/roles.ts';
import type { Settings } from '../../config.ts';
import type { Role } from '../../sql/accounts/roles.ts';
import type { Statement } from '../../sql/statement.ts';
import { columnList } from '../core/sql/row-lists.ts';
import { identifier } from '../core/sql/sql-text.ts';
import type { ArchiveRole } from './settings-of.ts';
import { timeOf } from './values.ts';

/** A role of the archive, and the one of the settings that it is here. */
export interface PlacedRole extends ArchiveRole {
  readonly here: Role;
}

/** Roles that the settings do not have are no roles; who has one of them has none. */
export function placedRoles(roles: readonly ArchiveRole[], settings: Settings): readonly PlacedRole[] {
  const known = new Map(rolesOf(settings).map((role) => [role.type, role]));
  return roles.flatMap((role) => {
    const here = known.get(role.type);
    return here ? [{ ...role, here }] : [];
  });
}

/** A role that is there under another documentId gets this one, and so do the users who have it. */
export const roleStatements = (roles: readonly PlacedRole[], now: number): readonly Statement[] =>
  roles.flatMap(({ data, here: { id, documentId, name, description, type } }) => {
    const created_at = timeOf(data.createdAt) ?? now;
    const [updated_at, published_at] = [timeOf(data.updatedAt) ?? created_at, timeOf(data.publishedAt) ?? created_at];
    const row = { id, document_id: documentId, created_at, updated_at, published_at, name, description, type };
    const names = Object.keys(row);
    const sets = names.slice(1).map((column) => `${identifier(column)} = excluded.${identifier(column)}`);
    return [
      {
        sql: 'update "up_users_role_lnk" set "target_document_id" = ? where "target_document_id" = (select "document_id" from "up_roles" where "id" = ?)',
        params: [documentId, id],
      },
      {
        sql: `insert into "up_roles" (${columnList(names)}) values (${names.map(() => '?').join(', ')}) on conflict ("id") do update set ${sets.join(', ')}`,
        params: Object.values(row),
      },
    ];
  });

/**
 * @module Roles of an archive → rows of roles, so that users are shown with the role that they had.
 */
import { rolesOf } from '../../auth/roles.ts';
import type { Settings } from '../../config.ts';
import type { Role } from '../../sql/accounts/roles.ts';
import type { Statement } from '../../sql/statement.ts';
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

const COLUMNS = [
  'id',
  'document_id',
  'created_at',
  'updated_at',
  'published_at',
  'name',
  'description',
  'type',
] as const;

/** A role that is there under another documentId gets this one, and so do the users who have it. */
export function roleStatements(roles: readonly PlacedRole[], now: number): readonly Statement[] {
  const names = COLUMNS.map(identifier).join(', ');
  const sets = COLUMNS.slice(1).map((name) => `${identifier(name)} = excluded.${identifier(name)}`);
  return roles.flatMap(({ data, here }) => {
    const { id, documentId, name, description, type } = here;
    const created = timeOf(data.createdAt) ?? now;
    const times = [created, timeOf(data.updatedAt) ?? created, timeOf(data.publishedAt) ?? created];
    return [
      {
        sql: 'update "up_users_role_lnk" set "target_document_id" = ? where "target_document_id" = (select "document_id" from "up_roles" where "id" = ?)',
        params: [documentId, id],
      },
      {
        sql: `insert into "up_roles" (${names}) values (${COLUMNS.map(() => '?').join(', ')}) on conflict ("id") do update set ${sets.join(', ')}`,
        params: [id, documentId, ...times, name, description, type],
      },
    ];
  });
}

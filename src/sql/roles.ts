/**
 * @module Rows of roles, which are there only so that users can be linked to them.
 */
import { asked, type Compiled } from './compiled.ts';
import { sql } from './fragment.ts';
import { type Statement, toStatement } from './statement.ts';

/** A role of the settings. */
export interface Role {
  /** The same on every deployment and in every order of the settings: it follows from the name. */
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly description: string;
  /** Action ids are granted under this name. */
  readonly type: string;
}

/** Roles become rows when the first user may be linked to them. */
export function ensureRoles(roles: readonly Role[], now: number): Statement {
  return toStatement(sql`
    insert into "up_roles"
      ("id", "document_id", "locale", "published_at", "created_at", "updated_at", "name", "description", "type")
    select value ->> 'id', value ->> 'documentId', '', ${now}, ${now}, ${now},
      value ->> 'name', value ->> 'description', value ->> 'type'
    from json_each(${JSON.stringify(roles)}) where true
    on conflict do nothing`);
}

/** documentId of a role → how many users have it. */
export const usersOfRoles: Compiled<ReadonlyMap<unknown, number>> = asked(
  toStatement(sql`
    select "target_document_id" as "role", count(*) as "users" from "up_users_role_lnk" group by "target_document_id"`),
  (rows) => new Map(rows.map(({ role, users }) => [role, Number(users)])),
);

/**
 * @module Rows of roles, which are there only so that users can be linked to them.
 */
import { sql } from 'drizzle-orm';
import { asked, type Compiled } from './compiled.ts';
import { toStatement } from './render.ts';
import type { Statement } from './statement.ts';

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

/** Roles become rows when the first user may be linked to them. Configuration has no time of its own: theirs is 0. */
export function ensureRoles(roles: readonly Role[]): Statement {
  return toStatement(sql`
    insert into "up_roles"
      ("id", "document_id", "locale", "published_at", "created_at", "updated_at", "name", "description", "type")
    select value ->> 'id', value ->> 'documentId', '', 0, 0, 0,
      value ->> 'name', value ->> 'description', value ->> 'type'
    from json_each(${JSON.stringify(roles)}) where true
    on conflict do nothing`);
}

export interface StoredRole {
  readonly users: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly publishedAt: number;
}

/** documentId of a role → what its row states, and how many users have it. */
export const storedRoles: Compiled<ReadonlyMap<unknown, StoredRole>> = asked(
  toStatement(sql`
    select "document_id" as "role", "created_at", "updated_at", "published_at",
      (select count(*) from "up_users_role_lnk" where "target_document_id" = "up_roles"."document_id") as "users"
    from "up_roles"`),
  (rows) =>
    new Map(
      rows.map(({ role, users, created_at, updated_at, published_at }) => [
        role,
        {
          users: Number(users),
          createdAt: Number(created_at),
          updatedAt: Number(updated_at),
          publishedAt: Number(published_at),
        },
      ]),
    ),
);

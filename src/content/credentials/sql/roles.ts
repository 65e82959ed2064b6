/**
 * @module Rows of roles, which exist only for links from users.
 */
import { sql } from 'drizzle-orm';
import { type Compiled, query } from '../../sql/compiled.ts';
import { prepared } from '../../sql/prepared.ts';
import type { Statement } from '../../sql/statement.ts';
import { roles, userRoles } from '../../sql/system-tables.ts';

/** A role of the settings. */
export interface Role {
  /** Follows from the name, so it is the same on every deployment. */
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly description: string;
  /** The name by which action ids are granted. */
  readonly type: string;
}

const ensure = prepared(
  () => sql`
    insert into ${roles} (
      "document_id", "locale", "created_at", "updated_at", "published_at", "name", "description", "type", "id"
    )
    select value ->> 'documentId', '', 0, 0, 0, value ->> 'name', value ->> 'description', value ->> 'type', value ->> 'id'
    from json_each(${sql.placeholder('roles')})
    where true
    on conflict do nothing`,
);

/** Inserts missing rows before a user may be linked to them. Their time is 0, since settings have none. */
export const ensureRoles = (list: readonly Role[]): Statement => ensure({ roles: JSON.stringify(list) });

export interface StoredRole {
  readonly users: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly publishedAt: number;
}

const stored = prepared(
  () => sql`
  select
    ${roles.documentId} as "role",
    coalesce(${roles.createdAt}, 0) as "created_at",
    coalesce(${roles.updatedAt}, 0) as "updated_at",
    coalesce(${roles.publishedAt}, 0) as "published_at",
    (select count(*) from ${userRoles} where ${userRoles.targetDocumentId} = ${roles.documentId}) as "users"
  from ${roles}`,
);

/** Reads the stored roles by documentId. */
export const storedRoles = (): Compiled<ReadonlyMap<string, StoredRole>> =>
  query(
    stored({}),
    (rows) =>
      new Map(
        rows.map((row) => [
          String(row.role),
          {
            users: Number(row.users),
            createdAt: Number(row.created_at),
            updatedAt: Number(row.updated_at),
            publishedAt: Number(row.published_at),
          },
        ]),
      ),
  );

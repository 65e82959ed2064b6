/**
 * @module Rows of roles, which exist only for links from users.
 */
import { eq, sql } from 'drizzle-orm';
import type { Compiled } from '../compiled.ts';
import { db, named, prepared } from '../prepared.ts';
import type { Statement } from '../statement.ts';
import { roles, userRoles } from '../system-tables.ts';

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

const ensure = prepared(() =>
  db
    .insert(roles)
    .select(
      sql`
        select value ->> 'id', value ->> 'documentId', '', 0, 0, 0,
          value ->> 'name', value ->> 'description', value ->> 'type'
        from json_each(${sql.placeholder('roles')})
        where true`,
    )
    .onConflictDoNothing(),
);

/** Inserts missing rows before a user may be linked to them. Their time is 0, since settings have none. */
export const ensureRoles = (list: readonly Role[]): Statement => ensure.statement({ roles: JSON.stringify(list) });

export interface StoredRole {
  readonly users: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly publishedAt: number;
}

const stored = prepared(() =>
  db
    .select(
      named({
        role: roles.documentId,
        createdAt: sql<number>`coalesce(${roles.createdAt}, 0)`,
        updatedAt: sql<number>`coalesce(${roles.updatedAt}, 0)`,
        publishedAt: sql<number>`coalesce(${roles.publishedAt}, 0)`,
        users: sql<number>`(
          select count(*)
          from ${userRoles}
          where ${eq(userRoles.targetDocumentId, roles.documentId)}
        )`,
      }),
    )
    .from(roles),
);

/** Reads the stored roles by documentId. */
export const storedRoles = (): Compiled<ReadonlyMap<string, StoredRole>> =>
  stored.read({}, (rows) => new Map(rows.map(({ role, ...shown }) => [role, shown])));

/**
 * @module Rows of roles, which are there only so that users can be linked to them.
 */
import { eq, sql } from 'drizzle-orm';
import type { Compiled } from '../compiled.ts';
import { db, named, prepared } from '../prepared.ts';
import type { Statement } from '../statement.ts';
import { roles, userRoles } from '../system-tables.ts';

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

const ensure = prepared(
  db
    .insert(roles)
    .select(
      sql`
        select value ->> 'id', value ->> 'documentId', '',
          value ->> 'name', value ->> 'description', value ->> 'type', 0, 0, 0
        from json_each(${sql.placeholder('roles')})
        where true`,
    )
    .onConflictDoNothing(),
);

/** Roles become rows when the first user may be linked to them. Configuration has no time of its own: theirs is 0. */
export const ensureRoles = (list: readonly Role[]): Statement => ensure.statement({ roles: JSON.stringify(list) });

export interface StoredRole {
  readonly users: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly publishedAt: number;
}

const stored = prepared(
  db
    .select(
      named({
        role: roles.documentId,
        createdAt: roles.createdAt,
        updatedAt: roles.updatedAt,
        publishedAt: roles.publishedAt,
        users: sql<number>`(
          select count(*)
          from ${userRoles}
          where ${eq(userRoles.targetDocumentId, roles.documentId)}
        )`,
      }),
    )
    .from(roles),
);

/** documentId of a role → what its row states, and how many users have it. */
export const storedRoles: Compiled<ReadonlyMap<string, StoredRole>> = stored.read(
  {},
  (rows) =>
    new Map(
      rows.map(({ role, users, createdAt, updatedAt, publishedAt }) => [
        role,
        { users, createdAt: createdAt ?? 0, updatedAt: updatedAt ?? 0, publishedAt: publishedAt ?? 0 },
      ]),
    ),
);

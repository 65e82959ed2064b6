/**
 * @module Identities: who a user is to a provider. And one-time tokens that were redeemed. Users are named by documentId,
 * since a restore gives ids anew.
 */
import { sql } from 'drizzle-orm';
import { integer as integerColumn, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { assertion } from '../../../content/sql/assertions.ts';
import { CONFLICT } from '../../../content/sql/batch.ts';
import { type Compiled, query } from '../../../content/sql/compiled.ts';
import { integer } from '../../../content/sql/pieces.ts';
import { prepared } from '../../../content/sql/prepared.ts';
import { toStatement } from '../../../content/sql/render.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import { users } from '../../../content/sql/system-tables.ts';
import { IDENTITY_TABLE, REDEMPTION_TABLE } from '../../../schema/names.ts';

export const identities = sqliteTable(
  IDENTITY_TABLE,
  {
    issuer: text('issuer').notNull(),
    /** The id of the user at the issuer. */
    subject: text('subject').notNull(),
    /** documentId of the user. */
    user: text('user').notNull(),
    /** Its name in the settings. */
    provider: text('provider').notNull(),
    createdAt: integerColumn('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] })],
);

/** What users of Cloudflare Access, and their identities, have as `provider`; no provider of the settings has this name. */
export const ACCESS_PROVIDER = 'access';

export const redemptions = sqliteTable(REDEMPTION_TABLE, {
  /** The id of the token. */
  id: text('id').primaryKey(),
  /** It is invalid from then on, redeemed or not. */
  expiresAt: integerColumn('expires_at').notNull(),
});

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Replaces an identity whose user is gone. @param user documentId */
const insertIdentity = prepared(
  () => sql`
    insert or replace into ${identities} ("issuer", "subject", "user", "provider", "created_at") values (
      ${sql.placeholder('issuer')}, ${sql.placeholder('subject')}, ${sql.placeholder('user')},
      ${sql.placeholder('provider')}, ${sql.placeholder('now')}
    )`,
);

export const addIdentity = (
  { issuer, subject, provider }: Identity & { readonly provider: string },
  user: string,
  now: number,
): Statement => insertIdentity({ issuer, subject, provider, user, now });

const deleteOfUser = prepared(
  () => sql`delete from ${identities} where ${identities.user} = ${sql.placeholder('user')}`,
);

/** @param user documentId */
export const endIdentities = (user: string): Statement => deleteOfUser({ user });

/** How users see an identity. */
export interface OwnIdentity {
  readonly provider: string;
  readonly createdAt: number;
}

const ofUser = prepared(
  () => sql`
    select ${identities.provider} as "provider", min(${identities.createdAt}) as "created_at"
    from ${identities}
    where ${identities.user} = (select ${users.documentId} from ${users} where ${users.id} = ${sql.placeholder('id')})
    group by ${identities.provider}
    order by 2, 1`,
);

/** Reads the identities of a user, the first one first. @param id number of the user */
export const identitiesOf = (id: number): Compiled<readonly OwnIdentity[]> =>
  query(ofUser({ id }), (rows) =>
    rows.map((row) => ({ provider: String(row.provider), createdAt: Number(row.created_at) })),
  );

const deleteAtProvider = prepared(
  () => sql`
    delete from ${identities}
    where ${identities.user} = ${sql.placeholder('user')} and ${identities.provider} = ${sql.placeholder('provider')}`,
);

/** @param user documentId */
export const endIdentitiesAt = (user: string, provider: string): Statement => deleteAtProvider({ user, provider });

const isOfIssuer = (user: string, issuer: string) =>
  sql`exists (select 1 from ${identities} where ${identities.user} = ${user} and ${identities.issuer} = ${issuer})`;

/** Has the user an identity of this issuer? @param user documentId */
export const hasIdentityOf = (user: string, issuer: string): Compiled<boolean> =>
  query(toStatement(sql`select ${isOfIssuer(user, issuer)} as "found"`), ([row]) => row?.found === 1);

/** Aborts the batch if the user has got an identity of this issuer concurrently. */
export const assertNoIdentityOf = (user: string, issuer: string): Statement =>
  assertion(sql`not ${isOfIssuer(user, issuer)}`, CONFLICT);

/** Aborts the batch if a user who is there has got the identity concurrently. */
export const assertFreeIdentity = ({ issuer, subject }: Identity): Statement =>
  assertion(
    sql`not exists (
      select 1
      from ${identities}
      where ${identities.issuer} = ${issuer} and ${identities.subject} = ${subject}
        and ${identities.user} in (select ${users.documentId} from ${users})
    )`,
    CONFLICT,
  );

const isRedeemed = (id: string) => sql`exists (select 1 from ${redemptions} where ${redemptions.id} = ${id})`;

export const wasRedeemed = (id: string): Compiled<boolean> =>
  query(toStatement(sql`select ${isRedeemed(id)} as "redeemed"`), ([row]) => row?.redeemed === 1);

/** Rows that a redemption deletes, of tokens that have expired. */
const MAX_EXPIRED = 100;

const deleteExpired = prepared(
  () => sql`
    delete from ${redemptions}
    where ${redemptions.id} in (
      select ${redemptions.id}
      from ${redemptions}
      where ${redemptions.expiresAt} <= ${sql.placeholder('now')}
      limit ${integer(MAX_EXPIRED)}
    )`,
);

const insertRedemption = prepared(
  () =>
    sql`insert into ${redemptions} ("id", "expires_at") values (${sql.placeholder('id')}, ${sql.placeholder('expiresAt')})`,
);

/** Aborts the batch if the token was redeemed concurrently. */
export const assertNotRedeemed = (id: string): Statement => assertion(sql`not ${isRedeemed(id)}`, CONFLICT);

export const redeem = (id: string, expiresAt: number, now: number): readonly Statement[] => [
  deleteExpired({ now }),
  insertRedemption({ id, expiresAt }),
];

/**
 * @module The ends of grants of OAuth that come with changes of their users.
 */
import { sql } from 'drizzle-orm';
import { prepared } from '../../../content/sql/prepared.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import { oauthGrants, users } from '../../../content/sql/system-tables.ts';

const ofUser = (condition = sql``) => sql`
  delete from ${oauthGrants}
  where ${oauthGrants.user} in (
    select ${users.documentId} from ${users} where ${users.id} = ${sql.placeholder('user')} ${condition}
  )`;

const endAll = prepared(() => ofUser());
const endIfBlocked = prepared(() => ofUser(sql`and ${users.blocked} = 1`));

/** Runs while the user is there. @param user number of the row */
export const endGrants = (user: number): Statement => endAll({ user });

/** @param user number of the row */
export const endGrantsIfBlocked = (user: number): Statement => endIfBlocked({ user });

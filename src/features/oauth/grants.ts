/**
 * @module `GET` and `DELETE /api/auth/oauth/grants`: the clients that a user has connected.
 */
import { notFound } from '../../common/errors.ts';
import { mapped } from '../../content/sql/compiled.ts';
import type { UserCall } from '../users/call.ts';
import { asUser } from './consent.ts';
import { endOwnGrant, grantsOfUser, type ListedGrant } from './sql/grants.ts';

const isoOf = (time: number): string => new Date(time).toISOString();

const viewOf = ({ createdAt, lastUsedAt, ...grant }: ListedGrant) => ({
  ...grant,
  createdAt: isoOf(createdAt),
  lastUsedAt: lastUsedAt === null ? null : isoOf(lastUsedAt),
});

/** Lists the caller's grants, the latest first. */
export const listGrants = (call: UserCall) =>
  asUser(call, (caller, { id }) =>
    caller.read(mapped(grantsOfUser(id, call.now), (rows) => ({ data: rows.map(viewOf) }))),
  );

/** Ends a grant of the caller. @throws ApiError 404 for any other */
export const endGrantOf = (call: UserCall): Promise<{ readonly data: object }> =>
  asUser(call, async (caller, { id }) => {
    const ended = await caller.write({ statements: [], result: endOwnGrant({ grant: call.id, user: id }) });
    if (!ended) throw notFound('Grant not found');
    return { data: {} };
  });

/**
 * @module Writes one user: planned like any document, with the rows of the roles that it may be linked to.
 */
import type { Credential } from '../auth/credential.ts';
import { performWrite } from '../auth/perform.ts';
import { rolesOf } from '../auth/roles.ts';
import { defaultLocale } from '../config.ts';
import { assemble, type Document } from '../document/assemble.ts';
import { application } from '../errors.ts';
import { meansAt } from '../means.ts';
import { planOne } from '../plan/plan-read.ts';
import { planWrite } from '../plan/plan-write.ts';
import { NO_LOCALE } from '../plan/versions.ts';
import { type Current, type WriteRequest, writtenRow } from '../plan/write-request.ts';
import { ROLE_UID } from '../registry/system-types.ts';
import type { InputData } from '../request/body.ts';
import { NO_PARAMS } from '../request/plain-params.ts';
import { AssertionFailed, CONFLICT } from '../sql/batch.ts';
import { compileWrite } from '../sql/mutate.ts';
import { compileUnchanged } from '../sql/questions.ts';
import { compileRead } from '../sql/select.ts';
import type { Statement } from '../sql/statement.ts';
import type { Account } from './accounts.ts';
import { readerOf, type UserCall, userType } from './call.ts';

export interface Save {
  /** The user that is changed; absent: a new one. */
  readonly account?: Account;
  readonly data: InputData;
  /** Attributes whose value somebody else has. */
  readonly taken?: ReadonlySet<string>;
  /** Further changes in the same batch, after the user's own. */
  readonly also?: readonly Statement[];
  /** Does the answer show the role, where the caller may see it? */
  readonly withRole?: boolean;
}

/** Roles become rows when the first user may be linked to them. */
const ensureRoles = ({ settings, now }: UserCall): Statement => ({
  sql: `insert into "up_roles" ("id", "document_id", "locale", "published_at", "created_at", "updated_at", "name", "description", "type") select value ->> 'id', value ->> 'documentId', '', ?1, ?1, ?1, value ->> 'name', value ->> 'description', value ->> 'type' from json_each(?2) where true on conflict do nothing`,
  params: [now, JSON.stringify(rolesOf(settings))],
});

function requestOf(call: UserCall, { account, data }: Save): WriteRequest {
  const { registry, settings } = call;
  return {
    registry,
    strictRelations: settings.api.documents.strictRelations,
    type: userType(call),
    documentId: account?.documentId ?? call.newDocumentId,
    locale: NO_LOCALE,
    defaultLocale: defaultLocale(settings),
    status: 'published',
    operation: account ? 'update' : 'create',
    data,
  };
}

/** What the database has of the user; roles are known without it. */
function currentOf({ settings }: UserCall, { account, taken = new Set() }: Save): Current {
  const roles = rolesOf(settings).map(({ id, documentId }) => ({ id, documentId, locale: NO_LOCALE, published: true }));
  const known = { taken, targets: new Map([[ROLE_UID, roles]]), links: new Map() };
  if (!account) return known;
  const { documentId, updatedAt } = account;
  return { ...known, row: { documentId, locale: NO_LOCALE, status: 'published', values: new Map(), updatedAt } };
}

/** Assertions that a user is still as it was read. */
function unchanged(request: WriteRequest, { account }: Save): readonly Statement[] {
  if (!account) return [];
  const nothing = { columns: [], unique: [], targets: [], links: [] };
  const answer = { document_id: account.documentId, locale: NO_LOCALE, updated_at: account.updatedAt };
  return compileUnchanged({ row: writtenRow(request), versions: 'row', ...nothing }, [[answer]]);
}

const ROLE = { kind: 'paths', paths: [['role']] } as const;

/**
 * @returns the user as the caller may see it; undefined when the write has to be planned again.
 * @throws ApiError 400 for values that break a rule of the user type.
 */
export async function saveUser(call: UserCall, credential: Credential, save: Save): Promise<Document | undefined> {
  const request = requestOf(call, save);
  const plan = planWrite(request, currentOf(call, save), meansAt(call));
  const params = save.withRole ? { ...NO_PARAMS, populate: ROLE } : NO_PARAMS;
  const readBack = planOne(params, request.type, request.documentId, readerOf(call, credential));
  const roles = 'role' in save.data ? [ensureRoles(call)] : [];
  try {
    const changes = [...compileWrite(plan), ...(save.also ?? [])];
    const statements = [...roles, ...unchanged(request, save), ...changes, ...compileRead(readBack)];
    const [row] = (await performWrite(call, credential, statements))?.at(-1) ?? [];
    return row && assemble(row, readBack);
  } catch (error) {
    if (!(error instanceof AssertionFailed)) throw error;
    if (error.code === CONFLICT) return undefined;
    throw application('Email or Username are already taken');
  }
}

/**
 * @module `ref`, `refId`, `field`: the document, or user, that uploaded or changed files are attached to. A documentId
 * selects the version that writes change: the draft, in the default locale.
 */
import { actionId, ruleOf } from '../auth/grants.ts';
import { ApiError, forbidden, invalid } from '../common/errors.ts';
import { grantCheck, rejectHidden } from '../operations/grant-check.ts';
import { tableOf } from '../plan/model/link-tables.ts';
import type { LinkTable } from '../plan/model/links.ts';
import { NO_LOCALE } from '../plan/model/versions.ts';
import type { ContentType } from '../registry/model.ts';
import { USER_UID } from '../registry/system-types.ts';
import { rowId } from '../request/plain-params.ts';
import type { Authorized, Call } from '../runtime/call.ts';
import type { Settings } from '../settings/config.ts';
import { defaultLocale } from '../settings/derived.ts';
import { AssertionFailed } from '../sql/batch.ts';
import { type Compiled, constant, mapped, together } from '../sql/compiled.ts';
import type { Statement } from '../sql/statement.ts';
import { assertRows, attachToRows, detachFromRows, existingRows, type NamedRows } from '../sql/write/attach-rows.ts';

interface Attachment {
  readonly table: LinkTable;
  readonly rows: NamedRows;
  readonly refId: string;
  readonly multiple: boolean;
  /** Abort the batch if the caller may not change the document any more. */
  readonly guards: readonly Statement[];
}

const invalidField = (key: string, expected: string, received: string) =>
  invalid(`Invalid ${key}. Expected ${expected}, received: ${received.slice(0, 100)}`, { key, source: 'body' });

const wrongRefId = (refId: string) => invalidField('refId', 'the id or documentId of a document', refId);

function rowsOf(refId: string, { localized, draftAndPublish }: ContentType, settings: Settings): NamedRows {
  const id = rowId(refId);
  if (id >= 0) return { id };
  const locale = localized ? defaultLocale(settings) : NO_LOCALE;
  return { documentId: refId, locale, status: draftAndPublish ? 'draft' : 'published' };
}

/** A hidden document is treated as one that does not exist: for its documentId a 400, for its id nothing to link. */
function checkedRows(
  call: Pick<Call, 'registry' | 'settings'>,
  caller: Authorized,
  type: ContentType,
  rows: NamedRows,
  refId: string,
): Compiled<Pick<Attachment, 'guards'> | undefined> {
  const { statements, decode } = grantCheck(
    { ...call, type },
    caller,
    'update',
    'id' in rows ? { row: rows.id } : rows,
  );
  return {
    statements,
    decode(results) {
      try {
        const granted = decode(results);
        rejectHidden(granted);
        return granted;
      } catch (error) {
        if (!(error instanceof ApiError) || error.problem.kind !== 'not-found') throw error;
        if ('id' in rows) return undefined;
        throw wrongRefId(refId);
      }
    },
  };
}

/**
 * Its value is undefined unless all three fields are given, as in Strapi.
 * @throws ApiError 400 for an unknown media attribute, 403 without the grant to update its type
 */
export function attachmentOf(
  fields: ReadonlyMap<string, readonly unknown[]>,
  call: Pick<Call, 'registry' | 'settings'>,
  caller: Authorized,
): Compiled<Attachment | undefined> {
  const { registry, settings } = call;
  const { grants } = caller;
  const textOf = (name: string) => {
    const value = fields.get(name)?.at(-1);
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' ? value : undefined;
  };
  const [ref, refId, field] = ['ref', 'refId', 'field'].map(textOf);
  if (!ref || !refId || !field) return constant(undefined);
  const type = registry.contentTypes.get(ref);
  if (!type || (type.system && ref !== USER_UID)) throw invalidField('ref', 'the uid of a content type', ref);
  const attribute = type.attributes.get(field);
  const table = attribute?.kind === 'media' && attribute.writable ? tableOf(attribute, type, registry) : undefined;
  if (attribute?.kind !== 'media' || !table) throw invalidField('field', `a media attribute of ${ref}`, field);
  // A rule would have to be checked against the rows, so it is rejected here.
  if (!grants.allows(actionId(ref, 'update')) || ruleOf(grants, ref, 'update')) throw forbidden();
  const rows = rowsOf(refId, type, settings);
  const { multiple } = attribute;
  // Before the bytes of a file are replaced in place.
  const exist = 'id' in rows ? constant(true) : existingRows(rows, table);
  return mapped(together([checkedRows(call, caller, type, rows, refId), exist]), ([checked, exists]) => {
    if (!exists) throw wrongRefId(refId);
    return checked && { table, rows, refId, multiple, guards: checked.guards };
  });
}

const NO_ROWS = 'REF_ID';

/**
 * Appends to the files of a list, else replaces the file. Aborts the batch for an unknown documentId. An unknown id links
 * nothing, as in Strapi: a publication changes the id of a row.
 */
export function attach(
  { table, rows, multiple, guards }: Attachment,
  documentIds: readonly string[],
): readonly Statement[] {
  const linked = (ids: readonly string[]) => ids.map((documentId) => attachToRows(rows, documentId, table));
  const links = multiple ? linked(documentIds) : [detachFromRows(rows, table), ...linked(documentIds.slice(-1))];
  return [...guards, ...('id' in rows ? [] : [assertRows(rows, table, NO_ROWS)]), ...links];
}

/** Returns the 400 for an unknown documentId. */
export const explained = (failure: unknown, { refId }: Attachment): unknown =>
  failure instanceof AssertionFailed && failure.code === NO_ROWS ? wrongRefId(refId) : failure;

/**
 * @module `ref`, `refId`, `field`: the document, or user, that uploaded or changed files are attached to. A documentId
 * selects the version that writes change: the draft, in the default locale.
 */
import { mayAttachFiles } from '../../access/grants.ts';
import { forbidden, invalid, isProblem } from '../../common/errors.ts';
import { grantCheck, rejectHidden } from '../../content/operations/grant-check.ts';
import { tableOf } from '../../content/plan/model/link-tables.ts';
import type { LinkTable } from '../../content/plan/model/links.ts';
import { NO_LOCALE } from '../../content/plan/model/versions.ts';
import type { NamedRow } from '../../content/plan/model/write-plan.ts';
import { rowId } from '../../content/request/plain-params.ts';
import type { Authorized, Call } from '../../content/runtime/call.ts';
import { AssertionFailed } from '../../content/sql/batch.ts';
import { type Compiled, constant, mapped, together } from '../../content/sql/compiled.ts';
import type { Statement } from '../../content/sql/statement.ts';
import { assertRow, existingRow } from '../../content/sql/write/attach-rows.ts';
import { compileWrite } from '../../content/sql/write/mutate.ts';
import { isMedia } from '../../schema/attribute-kinds.ts';
import { namedDocument } from '../../schema/document-ref.ts';
import type { ContentType } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { defaultLocale } from '../../schema/settings/derived.ts';
import { USER_UID } from '../../schema/system-types.ts';
import type { FileChange } from './write-file.ts';

interface Attachment {
  readonly table: LinkTable;
  readonly row: NamedRow;
  readonly refId: string;
  readonly multiple: boolean;
  /** Abort the batch if the caller may not change the document any more. */
  readonly guards: readonly Statement[];
}

const invalidField = (key: string, expected: string, received: string) =>
  invalid(`Invalid ${key}. Expected ${expected}, received: ${received.slice(0, 100)}`, { key, source: 'body' });

const wrongRefId = (refId: string) => invalidField('refId', 'the id or documentId of a document', refId);

function rowOf(refId: string, { localized, draftAndPublish }: ContentType, settings: Settings): NamedRow {
  const id = rowId(refId);
  if (id >= 0) return { kind: 'id', id };
  const locale = localized ? defaultLocale(settings) : NO_LOCALE;
  return { kind: 'version', document: namedDocument(refId), locale, status: draftAndPublish ? 'draft' : 'published' };
}

/** A hidden document is treated as one that does not exist: for its documentId a 400, for its id nothing to link. */
function checkedRow(
  call: Pick<Call, 'registry' | 'settings'>,
  caller: Authorized,
  type: ContentType,
  row: NamedRow,
  refId: string,
): Compiled<Pick<Attachment, 'guards'> | undefined> {
  const owner = row.kind === 'id' ? ({ kind: 'row', row: row.id } as const) : ({ ...row, kind: 'document' } as const);
  const { statements, decode } = grantCheck({ ...call, type }, caller, 'update', owner);
  return {
    statements,
    decode(results) {
      try {
        const granted = decode(results);
        rejectHidden(granted);
        return granted;
      } catch (error) {
        if (!isProblem(error, 'not-found')) throw error;
        if (row.kind === 'id') return undefined;
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
  const table = isMedia(attribute) && attribute.writable ? tableOf(attribute, type, registry) : undefined;
  if (!isMedia(attribute) || !table) throw invalidField('field', `a media attribute of ${ref}`, field);
  if (!mayAttachFiles(grants, ref)) throw forbidden();
  const row = rowOf(refId, type, settings);
  const { multiple } = attribute;
  // Before the bytes of a file are replaced in place.
  const exist = row.kind === 'id' ? constant(true) : existingRow(row, table);
  return mapped(together([checkedRow(call, caller, type, row, refId), exist]), ([checked, exists]) => {
    if (!exists) throw wrongRefId(refId);
    return checked && { table, row, refId, multiple, guards: checked.guards };
  });
}

const NO_ROW = 'REF_ID';

/**
 * Adds the files to a change of theirs. Its batch aborts for an unknown documentId. An unknown id links nothing, as in
 * Strapi: a publication changes the id of a row.
 */
export function withAttachment<T>(
  change: FileChange<T>,
  { table, row, refId, multiple: isList, guards }: Attachment,
): FileChange<T> {
  const plan = [{ kind: 'attach', table, row, files: change.documentIds, isList }] as const;
  const asserted = row.kind === 'id' ? [] : [assertRow(row, table, NO_ROW)];
  return {
    ...change,
    statements: [...change.statements, ...guards, ...asserted, ...compileWrite(plan)],
    effectsOf: [...(change.effectsOf ?? []), ...plan],
    explain: (failure) => (failure instanceof AssertionFailed && failure.code === NO_ROW ? wrongRefId(refId) : failure),
  };
}

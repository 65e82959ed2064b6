/**
 * @module `ref`, `refId`, `field`: a new file becomes that of a document. An `id` names one version of it, a documentId
 * the version that writes change: the draft, in the default locale.
 */
import { actionId, type Grants } from '../auth/grants.ts';
import { defaultLocale, type Settings } from '../config.ts';
import { forbidden, invalid } from '../errors.ts';
import { tableOf } from '../plan/model/link-tables.ts';
import type { LinkTable } from '../plan/model/links.ts';
import { NO_LOCALE } from '../plan/model/versions.ts';
import type { ContentType, Registry } from '../registry/model.ts';
import { rowId } from '../request/plain-params.ts';
import { AssertionFailed } from '../sql/batch.ts';
import type { Statement } from '../sql/statement.ts';
import { assertRows, attachToRows, detachFromRows, type NamedRows } from '../sql/write/attach-rows.ts';

export interface Attachment {
  readonly table: LinkTable;
  readonly rows: NamedRows;
  readonly refId: string;
  /** Does the attribute have a list of files? */
  readonly multiple: boolean;
}

const wrong = (key: string, expected: string, received: string) =>
  invalid(`Invalid ${key}. Expected ${expected}, received: ${received.slice(0, 100)}`, { key, source: 'body' });

const wrongRefId = (refId: string) => wrong('refId', 'the id or documentId of a document', refId);

function rowsOf(refId: string, { localized, draftAndPublish }: ContentType, settings: Settings): NamedRows {
  const id = rowId(refId);
  if (id >= 0) return { id };
  const locale = localized ? defaultLocale(settings) : NO_LOCALE;
  return { documentId: refId, locale, status: draftAndPublish ? 'draft' : 'published' };
}

/**
 * Reads the three fields; all of them have to be there, as in the reference.
 * @throws ApiError 400 for what names no media attribute, 403 for a type that the caller may not update.
 */
export function attachmentOf(
  fields: ReadonlyMap<string, readonly unknown[]>,
  { registry, settings }: { readonly registry: Registry; readonly settings: Settings },
  grants: Grants,
): Attachment | undefined {
  const textOf = (name: string) => [fields.get(name)?.at(-1)].find((value) => typeof value === 'string');
  const [ref, refId, field] = ['ref', 'refId', 'field'].map(textOf);
  if (!ref || !refId || !field) return undefined;
  const type = registry.contentTypes.get(ref);
  if (!type || type.system) throw wrong('ref', 'the uid of a content type', ref);
  const attribute = type.attributes.get(field);
  const table = attribute?.kind === 'media' && attribute.writable ? tableOf(attribute, type, registry) : undefined;
  if (attribute?.kind !== 'media' || !table) throw wrong('field', `a media attribute of ${ref}`, field);
  if (!grants.allows(actionId(ref, 'update'))) throw forbidden();
  return { table, rows: rowsOf(refId, type, settings), refId, multiple: attribute.multiple };
}

const NO_ROWS = 'REF_ID';

/**
 * Behind the files of a list; in place of the only file of another attribute. Aborts the batch for a documentId of no
 * document. An id of no row links nothing, as in Strapi: a publication gives a row another one.
 */
export function attach({ table, rows, multiple }: Attachment, documentIds: readonly string[]): readonly Statement[] {
  const linked = (ids: readonly string[]) => ids.map((documentId) => attachToRows(rows, documentId, table));
  const links = multiple ? linked(documentIds) : [detachFromRows(rows, table), ...linked(documentIds.slice(-1))];
  return 'id' in rows ? links : [assertRows(rows, table, NO_ROWS), ...links];
}

/** The 400 for a documentId of no document. */
export const explained = (failure: unknown, { refId }: Attachment): unknown =>
  failure instanceof AssertionFailed && failure.code === NO_ROWS ? wrongRefId(refId) : failure;

/**
 * @module `ref`, `refId`, `field`: a new file becomes that of a document, of the version whose row is named.
 */
import { actionId, type Grants } from '../auth/grants.ts';
import { forbidden, invalid } from '../errors.ts';
import { tableOf } from '../plan/link-tables.ts';
import type { LinkTable } from '../plan/write-plan.ts';
import type { Registry } from '../registry/model.ts';
import { rowId } from '../request/plain-params.ts';
import { attachToRow, detachFromRow } from '../sql/links.ts';
import type { Statement } from '../sql/statement.ts';

export interface Attachment {
  readonly table: LinkTable;
  readonly row: number;
  /** Does the attribute have a list of files? */
  readonly multiple: boolean;
}

const wrong = (key: string, expected: string, received: string) =>
  invalid(`Invalid ${key}. Expected ${expected}, received: ${received.slice(0, 100)}`, { key, source: 'body' });

/**
 * Reads the three fields; all of them have to be there, as in the reference.
 * @throws ApiError 400 for what names no media attribute, 403 for a type that the caller may not update.
 */
export function attachmentOf(
  fields: ReadonlyMap<string, readonly unknown[]>,
  registry: Registry,
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
  if (rowId(refId) < 0) throw wrong('refId', 'the numeric id of a document', refId);
  if (!grants.allows(actionId(ref, 'update'))) throw forbidden();
  return { table, row: rowId(refId), multiple: attribute.multiple };
}

/** Behind the files of a list; in place of the only file of another attribute. Where there is no such row, nothing is linked. */
export function attach({ table, row, multiple }: Attachment, documentIds: readonly string[]): readonly Statement[] {
  const linked = (ids: readonly string[]) => ids.map((documentId) => attachToRow(row, documentId, table));
  return multiple ? linked(documentIds) : [detachFromRow(row, table), ...linked(documentIds.slice(-1))];
}

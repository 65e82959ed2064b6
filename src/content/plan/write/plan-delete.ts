/**
 * @module The plan of a delete. Like in Strapi, its filters select among the rows of the document.
 */
import { invalid } from '../../../common/errors.ts';
import type { DocumentRef } from '../../../schema/document-ref.ts';
import type { ContentType, Registry } from '../../../schema/model.ts';
import { defaultLocale } from '../../../schema/settings/derived.ts';
import type { QueryParams } from '../../request/query-params.ts';
import { endKey, endsAfter } from '../model/link-tables.ts';
import { NO_LOCALE } from '../model/versions.ts';
import type { ChosenRows, CountedRows, DeletedRows, WritePlan } from '../model/write-plan.ts';
import { canReadDrafts, lacksDrafts } from '../read/name-scope.ts';
import { planSelection, planWhere, type Reader, rejectUnknownKeys } from '../read/plan-read.ts';

/** The rows to delete; with filters, those to select first. */
interface RowsToDelete {
  readonly rows: ChosenRows['rows'];
  readonly chosen?: ChosenRows;
}

/**
 * @throws ApiError 400 for `status=draft`, and for filters that do not fit the type; 403 for filters on drafts that the
 * caller may not read
 */
export function rowsToDelete(
  params: QueryParams,
  type: ContentType,
  document: DocumentRef,
  reader: Reader,
): RowsToDelete {
  if (type.draftAndPublish && params.namesDraft)
    throw invalid("Invalid parameter at 'status'. A draft cannot be deleted by itself, received: draft", {
      source: 'query',
      param: 'status',
    });
  planSelection(params, type, reader);
  rejectUnknownKeys(params, type, reader);
  const locale = type.localized ? (params.locale ?? defaultLocale(reader.settings)) : NO_LOCALE;
  const where = planWhere(params, type, reader);
  if (where && type.draftAndPublish && !canReadDrafts(type, reader)) throw lacksDrafts(type);
  const rows: ChosenRows['rows'] = { kind: 'document', type, document, ...(locale !== '*' && { locale }) };
  return { rows, ...(where && { chosen: { rows, where } }) };
}

/** Of a document all rows. */
function rowsToCount(rows: DeletedRows): CountedRows {
  const { type } = rows;
  switch (rows.kind) {
    case 'document':
    case 'idsOfDocument':
      return { kind: 'document', type, document: rows.document };
    case 'ids':
      return { kind: 'ids', type, ids: rows.ids };
    default:
      return rows satisfies never;
  }
}

function deletion(rows: DeletedRows, links: WritePlan): WritePlan {
  const counted = rowsToCount(rows);
  return [{ kind: 'discount', rows: counted }, { kind: 'delete', rows }, ...links, { kind: 'recount', rows: counted }];
}

/** The ends whose links go with the rows, a statement each: two attempts fit into an invocation. */
export const MAX_ENDS = 400;

/** Deletes rows, and links from and to them. No read shows those that are left to later steps. */
export function planDelete(rows: DeletedRows, registry: Registry): WritePlan {
  const all = endsAfter('', rows.type, registry);
  const [ends, left] = [all.slice(0, MAX_ENDS), all.slice(MAX_ENDS)];
  const last = ends.at(-1);
  return deletion(rows, [
    { kind: 'unlink', ends, rows },
    ...(last && left.length > 0 ? [{ kind: 'leave-links', ends: left, after: endKey(last), rows } as const] : []),
  ]);
}

/** Deletes published rows. Their links stay, invisible, for the place that they have in the lists of other documents. */
export const planUnpublish = (rows: DeletedRows): WritePlan => deletion({ ...rows, status: 'published' }, []);

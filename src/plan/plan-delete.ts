/**
 * @module The plan of a delete. Its filters choose among the rows of the document, as in the reference.
 */
import { defaultLocale } from '../config.ts';
import { forbidden, invalid } from '../errors.ts';
import type { ContentType } from '../registry/model.ts';
import type { QueryParams } from '../request/query-params.ts';
import { ownedTables, pointingTables } from './link-tables.ts';
import { planSelection, planWhere, type Reader } from './plan-read.ts';
import { mayReadDrafts } from './scope.ts';
import { singleLocale } from './versions.ts';
import type { WritePlan } from './write-plan.ts';

/**
 * @param documentId absent for single types, whose only document is meant.
 * @throws ApiError 400 for `status=draft` (a draft cannot be deleted without its document) and for filters that do not
 * fit the type; 403 for filters of a caller who may not read the drafts that they choose from.
 */
export function planDelete(
  params: QueryParams,
  type: ContentType,
  documentId: string | undefined,
  reader: Reader,
): WritePlan {
  if (type.draftAndPublish && params.namesDraft)
    throw invalid("Invalid parameter at 'status'. A draft cannot be deleted by itself, received: draft", {
      source: 'query',
      param: 'status',
    });
  planSelection(params, type, reader);
  const locale = singleLocale(type, params, defaultLocale(reader.settings));
  const where = planWhere(params, type, reader);
  if (where && type.draftAndPublish && !mayReadDrafts(type, reader)) throw forbidden();
  const target = { type, ...(documentId !== undefined && { documentId }) };
  const rows = { ...target, ...(locale !== '*' && { locale }), ...(where && { where }) };
  return [
    { kind: 'discount', ...target },
    { kind: 'unlink-rows', tables: ownedTables(type, reader.registry), rows },
    { kind: 'delete', rows },
    { kind: 'unlink-targets', tables: pointingTables(type, reader.registry), rows },
    { kind: 'recount', ...target },
  ];
}

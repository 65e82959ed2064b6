/**
 * @module `GET /api/upload/files`, `/files/page` and `/files/:id`.
 */

import { requireGrant } from '../../access/grants.ts';
import { notFound } from '../../common/errors.ts';
import type { Document } from '../../content/document/document.ts';
import { type Body, formatList } from '../../content/document/format-v5.ts';
import { bareList, limited, plainParams, readRows } from '../../content/operations/system-rows.ts';
import type { Condition, ReadPlan } from '../../content/plan/model/read-plan.ts';
import { ID } from '../../content/plan/model/resolve.ts';
import { planList, planNamed } from '../../content/plan/read/plan-read.ts';
import { misplacedPage } from '../../content/request/pagination.ts';
import { knownParams, NO_PARAMS } from '../../content/request/plain-params.ts';
import { parseQueryParams, type QueryParams } from '../../content/request/query-params.ts';
import { readerOf } from '../../content/runtime/call.ts';
import type { Caller } from '../../content/runtime/caller.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { fileType, shown, type UploadCall, withUploadGrant } from './call.ts';
import { unusedFiles } from './sql/unused-files.ts';

export const listFiles = (call: UploadCall): Promise<readonly Document[]> =>
  withUploadGrant(call, 'find', {}, (caller) => caller.read(bareList(call, fileType(call), caller, shown(call))));

/** Strapi never reads the parameters of pages strictly. */
const lenient = (settings: Settings): Settings => ({
  ...settings,
  api: { ...settings.api, rest: { ...settings.api.rest, strictParams: false } },
});

function pageParams({ query, settings }: UploadCall): QueryParams {
  const raw = query();
  if (Object.hasOwn(raw, 'page') || Object.hasOwn(raw, 'pageSize')) throw misplacedPage();
  return parseQueryParams(knownParams(raw, 'pagination'), 'list', lenient(settings));
}

/**
 * Returns what `unused=true` stands for: the newest files that nothing links to, `plainList` of them at most.
 * @throws ApiError 403 for a caller who may delete no files, since documents that are hidden from the caller count; 400 for
 * more media attributes than an invocation can read
 */
async function unusedCondition({ registry, settings }: UploadCall, caller: Caller): Promise<Condition> {
  requireGrant(caller.grants, 'plugin::upload.content-api.destroy');
  const operands = await unusedFiles(registry, settings.api.rest.limits.plainList, (each) => caller.read(each));
  return { kind: 'compare', attribute: ID, operator: '$in', operands };
}

/** @param conditionFor returns what the files have to meet, too */
export const pageOfFiles = (call: UploadCall, conditionFor?: (caller: Caller) => Promise<Condition>): Promise<Body> =>
  withUploadGrant(call, 'find', {}, async (caller) => {
    const conditions = [
      ...(conditionFor ? [await conditionFor(caller)] : []),
      ...(call.query().unused === 'true' ? [await unusedCondition(call, caller)] : []),
    ];
    const listed = planList(pageParams(call), fileType(call), readerOf(call, caller));
    const plan = conditions.reduce(limited, listed);
    const { rows, total } = await caller.read(readRows(call, plan));
    return formatList(shown(call)(rows, plan), plan.page, total);
  });

/** Only `populate` has an effect, but all parameters are validated. */
function planFile(call: UploadCall, caller: Caller): ReadPlan {
  const reader = readerOf(call, caller);
  const params = plainParams(call);
  planNamed(params, fileType(call), call.row, reader);
  const { populate } = params;
  const asked = populate === undefined ? NO_PARAMS : { ...NO_PARAMS, populate };
  return planNamed(asked, fileType(call), call.row, reader);
}

/** @throws ApiError 404 */
export const findFile = (call: UploadCall): Promise<Document> =>
  withUploadGrant(call, 'findOne', {}, async (caller) => {
    const plan = planFile(call, caller);
    const [file] = shown(call)((await caller.read(readRows(call, plan))).rows, plan);
    if (!file) throw notFound('file.notFound');
    return file;
  });

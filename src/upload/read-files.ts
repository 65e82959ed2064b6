/**
 * @module `GET /api/upload/files`, `/files/page` and `/files/:id`.
 */
import type { Credential } from '../auth/credential.ts';
import { performRead, type Work } from '../auth/perform.ts';
import type { Document } from '../document/assemble.ts';
import { type Body, formatList } from '../document/format-v5.ts';
import { notFound } from '../errors.ts';
import { planList, planOne } from '../plan/plan-read.ts';
import type { ReadPlan } from '../plan/read-plan.ts';
import { ID } from '../plan/resolve.ts';
import { knownParams, NO_PARAMS, refuseLonger, rowId, windowOf } from '../request/plain-params.ts';
import { parseQueryParams } from '../request/query-params.ts';
import type { Row } from '../sql/batch.ts';
import { compileRead } from '../sql/select.ts';
import { fileType, readerOf, refuse, shown, type UploadCall } from './call.ts';

/** A plain list; `start` and `limit` stand at the top level, and without them it has every file. */
export async function listFiles(call: UploadCall): Promise<readonly Document[]> {
  const { value } = await performRead(call, call.credential, (credential): Work<readonly Document[]> => {
    refuse(credential.grants, 'find');
    const query = call.query();
    const { limits } = call.settings.api.rest;
    const params = parseQueryParams(knownParams(query), 'one', call.settings);
    const plan = planList({ ...params, page: windowOf(query, limits) }, fileType(call), readerOf(call, credential));
    const finish = ([rows = []]: readonly (readonly Row[])[]) => {
      refuseLonger(rows, limits);
      return rows.map((row) => shown(row, plan));
    };
    return { statements: compileRead(plan), finish };
  });
  return value;
}

/** The same with `pagination`, in the form of other lists. */
export async function pageOfFiles(call: UploadCall): Promise<Body> {
  const { value } = await performRead(call, call.credential, (credential): Work<Body> => {
    refuse(credential.grants, 'find');
    const params = parseQueryParams(knownParams(call.query(), 'pagination'), 'list', call.settings);
    const plan = planList(params, fileType(call), readerOf(call, credential));
    const finish = ([rows = [], count]: readonly (readonly Row[])[]) =>
      formatList(
        rows.map((row) => shown(row, plan)),
        plan.page,
        count && Number(count[0]?.total ?? 0),
      );
    return { statements: compileRead(plan), finish };
  });
  return value;
}

/** Of the parameters only `populate` has an effect on one file; the others are checked all the same. */
function planFile(call: UploadCall, credential: Credential): ReadPlan {
  const reader = readerOf(call, credential);
  const params = parseQueryParams(knownParams(call.query()), 'one', call.settings);
  planOne(params, fileType(call), undefined, reader);
  const { populate } = params;
  const asked = populate === undefined ? NO_PARAMS : { ...NO_PARAMS, populate };
  const plan = planOne(asked, fileType(call), undefined, reader);
  return { ...plan, where: { kind: 'compare', attribute: ID, operator: '$eq', operands: [rowId(call.id)] } };
}

/** @throws ApiError 404 when there is no such file. */
export async function findFile(call: UploadCall): Promise<Document> {
  const { value } = await performRead(call, call.credential, (credential): Work<Document> => {
    refuse(credential.grants, 'findOne');
    const plan = planFile(call, credential);
    const finish = ([rows = []]: readonly (readonly Row[])[]) => {
      const [row] = rows;
      if (!row) throw notFound('file.notFound');
      return shown(row, plan);
    };
    return { statements: compileRead(plan), finish };
  });
  return value;
}

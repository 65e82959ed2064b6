/**
 * @module Rows of users and files: written like documents, listed without pages.
 */

import { namedDocument } from '../../schema/document-ref.ts';
import type { ContentType } from '../../schema/model.ts';
import { defaultLocale } from '../../schema/settings/derived.ts';
import { assembleRow } from '../document/assemble.ts';
import type { Document } from '../document/document.ts';
import type { Condition, ReadPlan } from '../plan/model/read-plan.ts';
import { NO_LOCALE } from '../plan/model/versions.ts';
import type { Current, WriteRequest } from '../plan/model/write-request.ts';
import { planList, planSelection } from '../plan/read/plan-read.ts';
import type { InputData } from '../request/body.ts';
import { knownParams, NO_PARAMS, rejectLonger, windowOf } from '../request/plain-params.ts';
import { parseQueryParams, type QueryParams } from '../request/query-params.ts';
import { type Call, readerOf, rejectsMixedRelations } from '../runtime/call.ts';
import type { Caller } from '../runtime/caller.ts';
import { type Compiled, mapped } from '../sql/compiled.ts';
import { compileRead, type FoundPage } from '../sql/read/select.ts';
import { fenced } from '../sql/stamps.ts';
import type { Row } from '../sql/statement.ts';

/** The row of a write. */
export interface Target {
  readonly documentId: string;
  /** Absent for a new row. */
  readonly updatedAt?: number;
}

export const systemWrite = (
  { registry, settings, isOfTool }: Pick<Call, 'registry' | 'settings' | 'isOfTool'>,
  type: ContentType,
  { documentId, updatedAt }: Target,
  data: InputData,
): WriteRequest => ({
  registry,
  strictRelations: settings.api.documents.strictRelations,
  allIssues: settings.api.rest.errorDetails === 'documented',
  emptySetClears: rejectsMixedRelations({ settings, isOfTool }),
  type,
  document: namedDocument(documentId),
  documentId,
  locale: NO_LOCALE,
  defaultLocale: defaultLocale(settings),
  status: 'published',
  operation: updatedAt === undefined ? 'create' : 'update',
  data,
});

/** Returns the current state of the row, without its values. */
export function systemCurrent({ documentId, updatedAt }: Target, rest: Partial<Current> = {}): Current {
  const links = { targets: new Map(), innerTargets: new Map(), links: new Map() };
  const shared = { originalLinks: new Map(), sourceLinks: new Map() };
  const none = { taken: new Set<string>(), takenAt: new Map(), equalEnds: new Set<string>() };
  const current = { ...none, ...links, ...shared, ...rest };
  if (updatedAt === undefined) return current;
  const version = { documentId, locale: NO_LOCALE, status: 'published', updatedAt, isPublished: true } as const;
  return { ...current, row: { ...version, values: new Map() } };
}

/** Parses the parameters of a read of these rows; as in Strapi, it ignores others. */
export const plainParams = ({ query, settings }: Call): QueryParams =>
  parseQueryParams(knownParams(query()), 'one', settings);

/** Reads rows that no stamp guards. @throws ApiError 503, when it is decoded, for a fence that this version does not know */
export const readRows = ({ registry }: Call, plan: ReadPlan): Compiled<FoundPage> =>
  fenced(registry.fences, compileRead(plan));

/** Reads a list as a JSON array. `start` and `limit` are at the top level; without them it has every row. */
export function bareList(
  call: Call,
  type: ContentType,
  caller: Caller,
  shown: (rows: readonly Row[], plan: ReadPlan) => readonly Document[],
): Compiled<readonly Document[]> {
  const { limits } = call.settings.api.rest;
  const params = { ...plainParams(call), page: windowOf(call.query(), limits) };
  const plan = planList(params, type, readerOf(call, caller));
  return mapped(readRows(call, plan), ({ rows }) => {
    rejectLonger(rows, limits);
    return shown(rows, plan);
  });
}

/** Adds a condition to a plan, which the stored total does not know. */
export const limited = (plan: ReadPlan, condition: Condition): ReadPlan => ({
  ...plan,
  count: plan.count === 'counter' ? 'query' : plan.count,
  where: plan.where ? { kind: 'and', conditions: [condition, plan.where] } : condition,
});

/** Returns a row of the table as the caller may see it, without relations. */
export const shownRow = (row: Row, type: ContentType, call: Call, caller: Caller): Document =>
  assembleRow(row, planSelection(NO_PARAMS, type, readerOf(call, caller)));

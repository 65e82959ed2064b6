/**
 * @module Rules of conditional grants in writes: which documents a caller may change, and to what.
 */
import { type Action, actionId, ruleOf } from '../auth/grants.ts';
import type { Rule } from '../auth/rule.ts';
import { forbidden, invalid, notFound } from '../errors.ts';
import type { Condition } from '../plan/model/read-plan.ts';
import type { DeletedRows, RowRef } from '../plan/model/write-plan.ts';
import { canReadDrafts } from '../plan/read/name-scope.ts';
import { grantCondition, ruleCondition } from '../plan/read/rule-condition.ts';
import type { ContentType } from '../registry/model.ts';
import type { InputData } from '../request/body.ts';
import type { Status } from '../request/query-params.ts';
import { AssertionFailed } from '../sql/batch.ts';
import { type Compiled, constant, deferred, mapped, together } from '../sql/compiled.ts';
import type { Row, Statement } from '../sql/statement.ts';
import { assertMatches, compileGranted } from '../sql/write/granted.ts';
import type { Authorized, Call } from './call.ts';
import type { ContentCall } from './content-call.ts';
import { compileMatch } from './revision.ts';

/** The action that limits reads of one document: without `findOne`, that of lists. */
const readAction = ({ type }: ContentCall, { grants }: Authorized): 'find' | 'findOne' =>
  type.kind === 'singleType' || !grants.allows(actionId(type.uid, 'findOne')) ? 'find' : 'findOne';

/** The rule of a read of one document. */
export const readRule = (call: ContentCall, caller: Authorized): Rule | undefined =>
  caller.grants.rule && ruleOf(caller.grants, call.type.uid, readAction(call, caller));

const mayRead = (call: ContentCall, caller: Authorized): boolean =>
  caller.grants.allows(actionId(call.type.uid, readAction(call, caller)));

/** The rule that limits what the response to a write shows: that of reading, or else of the write itself. */
export const responseRule = (call: ContentCall, caller: Authorized, action: Action): Rule | undefined =>
  caller.grants.rule && mayRead(call, caller) ? readRule(call, caller) : ruleOf(caller.grants, call.type.uid, action);

/** The conditions on the targets of relations in a body. */
export const visibleTargets =
  (call: Pick<Call, 'registry' | 'settings'>, { grants }: Authorized) =>
  (target: ContentType): Condition | undefined =>
    ruleCondition(ruleOf(grants, target.uid, 'find'), target, 'both', call);

/** The locale of a write; undefined for every locale. */
type Locale = DeletedRows['locale'];

/** Without a row in its locale, a write is about those of the other locales, from which a new one inherits. */
function rowsOfWrite(rows: readonly Row[], locale: Locale): readonly Row[] {
  const own = rows.filter((row) => locale === undefined || [locale].flat().includes(String(row.locale)));
  return own.length > 0 ? own : rows;
}

/**
 * Reads whether the caller may change a document in every version; its statements guard the write. Without rules it reads
 * nothing.
 * Its decoding throws ApiError 404 for a document that the caller may not see, and 403 for one that it may only see.
 */
export function grantCheck(
  call: ContentCall,
  caller: Authorized,
  action: Action,
  locale: Locale,
): Compiled<readonly Statement[]> {
  if (!caller.grants.rule) return constant([]);
  const { type, documentId } = call;
  const allowed = ruleCondition(ruleOf(caller.grants, type.uid, action), type, 'both', call);
  const visible = mayRead(call, caller) ? ruleCondition(readRule(call, caller), type, 'both', call) : allowed;
  if (!allowed && !visible) return constant([]);
  const seesDrafts = !type.draftAndPublish || canReadDrafts(type, caller);
  return mapped(compileGranted({ type, documentId, allowed, visible }), ({ rows, unchanged }) => {
    const written = rowsOfWrite(rows, locale);
    const seen = written.filter((row) => row.visible === 1);
    if (seen.length === 0) throw notFound();
    // The response shows what is written, and inherits from what is there.
    if (written.every((row) => row.allowed === 1 && row.visible === 1)) return unchanged;
    throw seen.some((row) => row.published === 1 || seesDrafts) ? forbidden() : notFound();
  });
}

/** The guards of a write, in its batch. @throws ApiError 412 if no tag of `If-Match` matches */
export type Checked = () => readonly Statement[];

/** The same together with `If-Match`, whose error comes after those of planning. A new document needs neither. */
export const writeCheck = (
  call: ContentCall,
  caller: Authorized,
  action: Action,
  locale: Locale,
  status?: Status,
): Compiled<Checked> =>
  action === 'create'
    ? constant(() => [])
    : mapped(
        together([grantCheck(call, caller, action, locale), deferred(compileMatch(call, locale, status))]),
        ([granted, matched]) =>
          () => [...granted, ...matched()],
      );

/** Returns the values of `set`: `$user` is the id of the user, `$now` the time. */
export function valuesSet({ set = {}, caller }: Rule): InputData {
  const values = Object.entries(set).map(([key, value]) => {
    if (value === '$user') return [key, caller.user ?? null];
    return [key, value === '$now' ? new Date(caller.now).toISOString() : value];
  });
  return Object.fromEntries(values);
}

/** Drops what the rule sets. */
export function withoutSet(data: InputData, { set = {} }: Rule): InputData {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !Object.hasOwn(set, key)));
}

const NO_MATCH = 'GRANT';

/** Aborts the batch after its changes if the written document does not match `validate`. @param coded changes the code */
export function assertValid(
  call: ContentCall,
  row: RowRef,
  rule: Rule | undefined,
  coded = (code: string): string => code,
): readonly Statement[] {
  if (!rule?.validate) return [];
  return [assertMatches(row, grantCondition(rule.validate, row.type, 'both', rule.caller, call), coded(NO_MATCH))];
}

/** Returns the 400 for a written document that does not match; other failures stay as they are. */
export const invalidByGrant = (failure: unknown): unknown =>
  failure instanceof AssertionFailed && failure.code === NO_MATCH
    ? invalid('The written document does not match what the grant requires')
    : failure;

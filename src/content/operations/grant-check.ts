/**
 * @module Rules of conditional grants in writes: which documents a caller may change, and to what.
 */
import { type Action, actionId, isDraftsOnly, mayFindFiles, readId, ruleOf } from '../../access/grants.ts';
import type { Rule } from '../../access/rule.ts';
import { forbidden, invalid, notFound } from '../../common/errors.ts';
import type { ContentType, ScalarAttribute } from '../../schema/model.ts';
import { PRIVATE_SUFFIX } from '../../schema/names.ts';
import { FILE_UID } from '../../schema/system-types.ts';
import type { Condition } from '../plan/model/read-plan.ts';
import type { DeletedRows, RowRef } from '../plan/model/write-plan.ts';
import { canReadDrafts, isListed } from '../plan/read/name-scope.ts';
import { grantCondition, ruleCondition } from '../plan/read/rule-condition.ts';
import type { InputData } from '../request/body.ts';
import type { Status } from '../request/query-params.ts';
import type { Authorized, Call } from '../runtime/call.ts';
import type { ContentCall, DocumentCall } from '../runtime/content-call.ts';
import { compileMatch, preconditionFailed } from '../runtime/if-match.ts';
import { AssertionFailed } from '../sql/batch.ts';
import { type Compiled, constant, deferred, mapped, together } from '../sql/compiled.ts';
import type { Row, Statement } from '../sql/statement.ts';
import { assertMatches, compileGranted, type RowOwner } from '../sql/write/granted.ts';

/** A request to a content type. */
export type TypeCall = Pick<ContentCall, 'registry' | 'settings' | 'type'>;
type OfType = Pick<ContentCall, 'type'>;

/** The action that limits reads of one document: without `findOne`, that of lists. */
const readAction = ({ type }: OfType, { grants }: Authorized): 'find' | 'findOne' =>
  type.kind === 'singleType' || !grants.allows(actionId(type.uid, 'findOne')) ? 'find' : 'findOne';

/** The rule of a read of one document. */
export const readRule = (call: OfType, caller: Authorized): Rule | undefined =>
  caller.grants.rule?.(readId(caller.grants, call.type.uid, readAction(call, caller)));

export const mayRead = (call: OfType, caller: Authorized): boolean =>
  caller.grants.allows(actionId(call.type.uid, readAction(call, caller)));

/** The rule that limits what the response to a write shows: that of reading, or else of the write itself. */
export const responseRule = (call: ContentCall, caller: Authorized, action: Action): Rule | undefined =>
  caller.grants.rule && mayRead(call, caller) ? readRule(call, caller) : ruleOf(caller.grants, call.type.uid, action);

/** Who could link a private file would read it. */
function isPublic({ attributes }: ContentType): Condition {
  const attribute = attributes.get('hash') as ScalarAttribute;
  return { kind: 'not', condition: { kind: 'compare', attribute, operator: '$endsWith', operands: [PRIVATE_SUFFIX] } };
}

/** The conditions on the documents that relations of a body name or keep: those that the caller may find; public files. */
export const visibleTargets =
  ({ registry, settings }: Pick<Call, 'registry' | 'settings'>, { grants }: Authorized) =>
  (target: ContentType): Condition | undefined => {
    if (target.uid === FILE_UID) return settings.upload.private && !mayFindFiles(grants) ? isPublic(target) : undefined;
    if (!isListed(target.uid, { grants })) return { kind: 'never' };
    const rule = ruleOf(grants, target.uid, 'find');
    const context = { registry, settings, grants };
    if (!target.draftAndPublish || canReadDrafts(target, { grants }))
      return ruleCondition(rule, target, 'both', context);
    return bothOf({ kind: 'version', status: 'published' }, ruleCondition(rule, target, 'published', context));
  };

/** The locale of a write; undefined for every locale. */
type Locale = DeletedRows['locale'];

/** A document to change, in a locale or that of a row. */
type ChangedDocument = RowOwner & { readonly locale?: Locale };

/** What a rule requires of the rows of a document that the caller changes; absent parts require nothing. */
export interface ChangeConditions {
  readonly allowed: Condition | undefined;
  readonly visible: Condition | undefined;
}

const IS_DRAFT = { kind: 'version', status: 'draft' } as const;

const bothOf = (one: Condition, other: Condition | undefined): Condition =>
  other ? { kind: 'and', conditions: [one, other] } : one;

/** A delete removes both versions, so it is the one write whose rows decide whether it changes a published one. */
const deletesOnlyDrafts = ({ type }: OfType, { grants }: Authorized, action: Action): boolean =>
  action === 'delete' && isDraftsOnly(grants, actionId(type.uid, action));

/** Returns undefined for a caller whose grants have no conditions on the documents of the type. */
export function changeConditions(
  { registry, settings, type }: TypeCall,
  caller: Authorized,
  action: Action,
): ChangeConditions | undefined {
  const { grants } = caller;
  if (!grants.rule) return undefined;
  const conditionOf = (rule: Rule | undefined) => ruleCondition(rule, type, 'both', { registry, settings, grants });
  const own = conditionOf(ruleOf(grants, type.uid, action));
  const visible = mayRead({ type }, caller) ? conditionOf(readRule({ type }, caller)) : own;
  const allowed = deletesOnlyDrafts({ type }, caller, action) ? bothOf(IS_DRAFT, own) : own;
  return allowed || visible ? { allowed, visible } : undefined;
}

const isVisible = (row: Row): boolean => row.visible === 1;

/** Returns the rows in the locale of a write. */
function rowsOfWrite(rows: readonly Row[], changed: ChangedDocument): readonly Row[] {
  const locale = changed.kind === 'row' ? rows.find(({ id }) => id === changed.row)?.locale : changed.locale;
  return rows.filter((row) => locale === undefined || [locale].flat().includes(String(row.locale)));
}

const PUBLISHED = 'This caller may only delete drafts, and the document has a published version';

/** Why a caller may change a document. */
interface Granted {
  readonly guards: readonly Statement[];
  /** The ids of the rows that the caller sees; absent: all. */
  readonly seen?: ReadonlySet<unknown>;
  /** Are all rows in the locale hidden? Then they are treated as if they did not exist. */
  readonly isHidden?: boolean;
}

/** @throws ApiError 404 for a document or locale that is hidden */
export function rejectHidden({ isHidden }: Pick<Granted, 'isHidden'>): void {
  if (isHidden) throw notFound();
}

/**
 * Reads whether the caller may change a document in every version; every write of a document is checked here. Without rules
 * it reads nothing.
 * Its decoding throws ApiError 404 for a document that the caller may not see, and 403 for one that it may only see.
 */
export function grantCheck(
  call: TypeCall,
  caller: Authorized,
  action: Action,
  changed: ChangedDocument,
): Compiled<Granted> {
  const { type } = call;
  const conditions = changeConditions(call, caller, action);
  if (!conditions) return constant({ guards: [] });
  const seesDrafts = !type.draftAndPublish || canReadDrafts(type, caller);
  return mapped(compileGranted({ type, ...changed, ...conditions }), ({ rows, unchanged }) => {
    const visible = rows.filter(isVisible);
    const written = rowsOfWrite(rows, changed);
    const seen = written.filter(isVisible);
    // The response shows what is written. A new locale inherits from what the caller sees, and a hidden one is like a new one.
    const checked = seen.length > 0 ? written : visible;
    if (checked.length === 0) throw notFound();
    if (!checked.every((row) => row.allowed === 1 && isVisible(row))) {
      const isKnown = checked.some((row) => isVisible(row) && (row.published === 1 || seesDrafts));
      const isPublished = checked.some((row) => isVisible(row) && row.published === 1);
      if (!isKnown) throw notFound();
      throw forbidden(isPublished && deletesOnlyDrafts(call, caller, action) ? PUBLISHED : undefined);
    }
    const isHidden = written.length > 0 && seen.length === 0;
    return { guards: unchanged, seen: new Set(visible.map(({ id }) => id)), isHidden };
  });
}

/** A write that was checked. */
export interface CheckedGrant extends Omit<Granted, 'guards'> {
  /** Returns the guards of its batch. @throws ApiError 412 if no tag of `If-Match` matches; 404 for a hidden locale */
  guards(): readonly Statement[];
}

/** Rejects a write in a hidden locale before any error of planning. @throws ApiError 412 with `If-Match`, otherwise 404 */
export function rejectHiddenWrite({ isHidden, guards }: CheckedGrant): void {
  if (isHidden) guards();
}

/** The same together with `If-Match`, whose error comes after those of planning. A new document needs neither. */
export const writeCheck = (
  call: DocumentCall,
  caller: Authorized,
  action: Action,
  locale: Locale,
  status?: Status,
): Compiled<CheckedGrant> =>
  action === 'create'
    ? constant({ guards: () => [] })
    : mapped(
        together([
          grantCheck(call, caller, action, { kind: 'document', document: call.document, locale }),
          deferred(compileMatch(call, locale, status)),
        ]),
        ([{ guards, ...granted }, matched]) => ({
          ...granted,
          guards() {
            if (!granted.isHidden) return [...guards, ...matched()];
            // As in a locale that does not exist, no tag matches.
            if (call.ifMatch !== undefined) throw preconditionFailed();
            if (action !== 'delete') rejectHidden(granted);
            return guards;
          },
        }),
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
  { grants }: Authorized,
  operation: 'create' | 'update',
  row: RowRef,
  coded = (code: string): string => code,
): readonly Statement[] {
  const { registry, settings, type } = call;
  const rule = ruleOf(grants, type.uid, operation);
  if (!rule?.validate) return [];
  const condition = grantCondition(rule.validate, row.type, 'both', rule, { registry, settings, grants });
  return [assertMatches(row, condition, coded(NO_MATCH))];
}

/** Returns the 400 for a written document that does not match; other failures stay as they are. */
export const invalidByGrant = (failure: unknown): unknown =>
  failure instanceof AssertionFailed && failure.code === NO_MATCH
    ? invalid('The written document does not match what the grant requires')
    : failure;

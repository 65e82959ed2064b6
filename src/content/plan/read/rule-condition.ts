/**
 * @module Rules of conditional grants → conditions on rows.
 */
import { type Grants, makerId } from '../../../access/grants.ts';
import type { Rule } from '../../../access/rule.ts';
import { isObject } from '../../../common/json.ts';
import type { ContentType, Registry } from '../../../schema/model.ts';
import type { Settings } from '../../../schema/settings/config.ts';
import { parseFilters } from '../../request/filters.ts';
import type { RawQuery, RawValue } from '../../request/query-string.ts';
import type { Condition } from '../model/read-plan.ts';
import { planFilters } from './filters.ts';
import { type RuleRows, scopeOf } from './name-scope.ts';

/** What conditions are planned with. */
interface RuleContext {
  readonly registry: Registry;
  readonly settings: Settings;
  /** Of the caller. */
  readonly grants: Grants;
}

/** A rule follows drafts only if its caller may read them; that of a preview, if its maker may. */
const ruleGrants = ({ allows }: Grants, { drafts }: Pick<Rule, 'drafts'>): Grants => ({
  allows: (id) => allows(drafts === undefined ? id : makerId(id)),
});

/** Returns a value of the settings as one of a query string, whose values are texts. */
export function rawOf(value: unknown): RawValue {
  if (Array.isArray(value)) return value.map(rawOf);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rawOf(inner)]));
  return value === null ? null : String(value);
}

/**
 * Returns the condition of one filter of a rule. It may name every type and attribute. Through relations it sees published
 * versions, and drafts of the types whose drafts the caller may read.
 * @throws ApiError 400 for a filter that does not fit the type
 */
export function grantCondition(
  filters: Readonly<Record<string, unknown>>,
  type: ContentType,
  rows: RuleRows,
  rule: Pick<Rule, 'caller' | 'drafts'>,
  { registry, settings, grants }: RuleContext,
): Condition {
  const scope = scopeOf(type);
  const parsed = parseFilters(rawOf(filters) as RawQuery) ?? [];
  const condition = planFilters(parsed, rows === 'both' && type.draftAndPublish ? { ...scope, reach: 'own' } : scope, {
    registry,
    limits: settings.api.rest.limits,
    caller: rule.caller,
    visible: () => undefined,
    grants: ruleGrants(grants, rule),
    status: rows === 'draft' ? 'draft' : 'published',
    source: { source: 'query', param: 'filters' },
  });
  // An empty filter would show everything.
  return condition ?? { kind: 'never' };
}

/** Returns the condition of a rule on rows of its type; undefined if it limits no rows. */
export function ruleCondition(
  rule: Rule | undefined,
  type: ContentType,
  rows: RuleRows,
  context: RuleContext,
): Condition | undefined {
  if (!rule?.where) return undefined;
  const conditions = rule.where.map((filters) => grantCondition(filters, type, rows, rule, context));
  return { kind: 'or', conditions };
}

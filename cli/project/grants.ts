/**
 * @module Checks the actions that settings and options name, and the conditional grants of the settings against the content
 * types.
 */
import {
  canBeDraft,
  contentActions,
  isPattern,
  matchingActions,
  UPLOAD_ACTION,
  withNames,
} from '../../src/access/actions.ts';
import { EVERYTHING } from '../../src/access/grants.ts';
import { actionsOf, commonPart, type Grant } from '../../src/access/rule.ts';
import { suggestion } from '../../src/common/near-words.ts';
import { grantCondition } from '../../src/content/plan/read/rule-condition.ts';
import { hasColumn, isRelation } from '../../src/schema/attribute-kinds.ts';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import { DOCUMENT_ACTIONS } from '../../src/schema/publication.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import type { ConditionalGrant } from '../../src/schema/settings/grant-setting.ts';
import { USER_UID } from '../../src/schema/system-types.ts';
import { UserError } from '../core/terminal.ts';

/** Returns actions that no content type has, and patterns without a match. Accepts every action of plugins. */
export function unknownActions(registry: Registry, actions: readonly string[]): readonly string[] {
  const known = new Set(contentActions(registry));
  const isKnown = (action: string) =>
    isPattern(action)
      ? matchingActions(registry, action).length > 0
      : known.has(action) || action.startsWith('plugin::');
  return actions.filter((action) => !isKnown(action));
}

export const nearestAction = (registry: Registry, action: string): string =>
  isPattern(action) ? '' : suggestion(action, contentActions(registry));

/** Resolves ids and patterns to distinct actions. @throws UserError for unknown actions */
export function namedActions(registry: Registry, wanted: readonly string[]): readonly string[] {
  const missing = unknownActions(registry, wanted);
  if (missing.length > 0) {
    const names = missing.map((action) => action + nearestAction(registry, action));
    throw new UserError(`--permission: there is no action ${names.join(', ')}`);
  }
  return [...new Set(wanted.flatMap((name) => (isPattern(name) ? matchingActions(registry, name) : [name])))];
}

const ALL_PARTS = ['where', 'fields', 'set', 'validate', 'status'] as const;

/** The parts that a grant of an action may have; the actions that are not here are granted without conditions. */
const PARTS: Readonly<Record<string, readonly (typeof ALL_PARTS)[number][]>> = {
  find: ['where', 'fields'],
  findOne: ['where', 'fields'],
  create: ['fields', 'set', 'validate', 'status'],
  update: ['where', 'fields', 'set', 'validate', 'status'],
  delete: ['where', 'status'],
  history: ['where'],
  ...Object.fromEntries(DOCUMENT_ACTIONS.map((action) => [action, ['where'] as const])),
  discardDraft: ['where', 'status'],
  restore: ['where', 'status'],
};

/** A user of whom nothing is known, with every grant: conditions are planned, and not run. */
const ANYONE = { caller: { user: 1, now: 0 } };

function filterProblem(filters: ConditionalGrant['where'], type: ContentType, registry: Registry, settings: Settings) {
  if (!filters) return undefined;
  if (Object.keys(filters).length === 0) return 'is empty; for every document, leave it out';
  try {
    for (const rows of ['draft', 'published', 'both'] as const)
      grantCondition(filters, type, rows, ANYONE, { registry, settings, grants: EVERYTHING });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Values of relations could name what the caller may not see, so only the user itself is allowed. */
function setProblem(name: string, value: unknown, type: ContentType): string | undefined {
  const attribute = type.attributes.get(name);
  if (!attribute) return `${type.uid} has no attribute "${name}"${suggestion(name, [...type.attributes.keys()])}`;
  if (typeof value === 'string' && value.startsWith('$user.')) return `only $user and $now, not ${value}`;
  if (!hasColumn(attribute) && !(isRelation(attribute) && attribute.target === USER_UID && value === '$user'))
    return `"${name}" is a relation: only "$user" may be set, in a relation to users`;
  return undefined;
}

function partProblems(grant: ConditionalGrant, type: ContentType, registry: Registry, settings: Settings): string[] {
  const problems: string[] = [];
  for (const part of ['where', 'validate'] as const) {
    const problem = filterProblem(grant[part], type, registry, settings);
    if (problem) problems.push(`${part}: ${problem}`);
  }
  const names = [...type.attributes.keys()];
  for (const name of grant.fields ?? [])
    if (!type.attributes.has(name))
      problems.push(`fields: ${type.uid} has no attribute "${name}"${suggestion(name, names)}`);
  for (const [name, value] of Object.entries(grant.set ?? {})) {
    const problem = setProblem(name, value, type);
    if (problem) problems.push(`set: ${problem}`);
  }
  return problems;
}

function actionProblems(id: string, grants: readonly ConditionalGrant[], registry: Registry, settings: Settings) {
  const dot = id.lastIndexOf('.');
  const type = registry.contentTypes.get(id.slice(0, dot));
  const parts = id === UPLOAD_ACTION ? (['status'] as const) : !type?.system && type && PARTS[id.slice(dot + 1)];
  if (!parts) return ['takes no conditions'];
  const [first, ...others] = grants;
  if (first && others.some((grant) => commonPart(grant) !== commonPart(first)))
    return ['is granted several times, so each needs the same fields, set, validate and status'];
  return grants.flatMap((grant) => {
    const wrong = ALL_PARTS.find((part) => grant[part] !== undefined && !parts.includes(part));
    if (wrong) return [`takes no "${wrong}"`];
    if (grant.status && !canBeDraft(id, registry))
      return ['has no drafts; without "status" it may be written in public'];
    return type ? partProblems(grant, type, registry, settings) : [];
  });
}

/** Returns a line for each condition that cannot be, such as `api::a.a.find: where: Invalid key titel`. */
export function grantProblems(grants: readonly Grant[], registry: Registry, settings: Settings): readonly string[] {
  const empty = grants.filter(
    (grant) => typeof grant !== 'string' && withNames([grant], registry).flatMap(actionsOf).length === 0,
  );
  const named = withNames(grants, registry);
  const conditional = named.filter((grant) => typeof grant !== 'string');
  const ids = new Set(conditional.flatMap(actionsOf));
  const problems = [...ids].flatMap((id) => {
    const grants = conditional.filter((grant) => actionsOf(grant).includes(id));
    if (named.includes(id)) return [`${id}: is granted without conditions, too; remove one of them`];
    return actionProblems(id, grants, registry, settings).map((problem) => `${id}: ${problem}`);
  });
  return [...empty.map((grant) => `${actionsOf(grant).join(', ')}: has no action that may write drafts`), ...problems];
}

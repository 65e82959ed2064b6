/**
 * @module The context and the scope in which planning resolves names, and the steps along attributes.
 */
import { actionId, draftsId, type Grants, ruleOf } from '../../../access/grants.ts';
import type { Rule, RuleCaller } from '../../../access/rule.ts';
import { memoized } from '../../../common/cache.ts';
import { type ApiError, lacksPermission, type NameSource } from '../../../common/errors.ts';
import { isHidden, isOwner, isRelation } from '../../../schema/attribute-kinds.ts';
import type {
  Attribute,
  ContentType,
  LinkAttribute,
  PolymorphicAttribute,
  Registry,
  TypedLinkAttribute,
} from '../../../schema/model.ts';
import type { Limits, Settings } from '../../../schema/settings/config.ts';
import type { PublicationFilter } from '../../request/publication-filters.ts';
import type { Status } from '../../request/query-params.ts';
import { attributesOf } from '../model/component-attributes.ts';
import { linkStatus, tableOf, tablesOf, targetUids } from '../model/link-tables.ts';
import { type LinkTable, targetUid } from '../model/links.ts';
import { isComponentNode, isLink, isLocalizations } from '../model/node-kinds.ts';
import type { Condition, LinkWalk, Step } from '../model/read-plan.ts';

export interface PlanContext {
  readonly registry: Registry;
  readonly grants: Grants;
  readonly limits: Limits;
  /** The parameters of reads that Strapi does not have; absent: there are none. */
  readonly extensions?: Pick<Settings, 'populates'> & Pick<Settings['api']['rest'], 'maxLimit' | 'deepPopulate'>;
  /** The requested status, in which targets with drafts are shown. */
  readonly status: Status;
  /** Applies to populated targets with drafts, too. */
  readonly publicationFilter?: PublicationFilter | undefined;
  /** The parameter that errors name. */
  readonly source: NameSource;
  /** The condition of a rule on the rows of a type, by default that of `find`; undefined without one. */
  visible(type: ContentType, rows: RuleRows, rule?: Rule): Condition | undefined;
  /** The caller whose values filters name; only in the conditions of rules, which no grant limits. */
  readonly caller?: RuleCaller;
}

/** The rows that a rule's condition is about: of one status, or of both, each with the links of its own version. */
export type RuleRows = Status | 'both';

/**
 * The links that filters and sorts follow, like Strapi, which joins rows: of the `requested` version; of the `published`
 * one, after a rule reached rows whose drafts its caller may not read; of `both`, since the rows have no drafts; or of each
 * row's `own` version, after a step reached rows of both.
 */
type LinkVersions = 'requested' | 'published' | 'both' | 'own';

/** The attributes of a content type or a component, that names refer to. */
export interface NameScope {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly type?: ContentType;
  /** The rule by which the documents are read. */
  readonly rule?: Rule | undefined;
  readonly reach: LinkVersions;
  /** Are private attributes shown, also those of its components? */
  readonly isRevealed?: true;
}

const limited = memoized(
  (type: ContentType) =>
    memoized(
      (fields: ReadonlySet<string>) => new Map([...type.attributes].filter(([name]) => fields.has(name))),
      new WeakMap(),
    ),
  new WeakMap(),
);

/** @param rule limits the attributes */
export const scopeOf = (type: ContentType, rule?: Rule): NameScope => ({
  attributes: rule?.fields ? limited(type)(rule.fields) : type.attributes,
  type,
  rule,
  reach: type.draftAndPublish ? 'requested' : 'both',
});

const withPrivate = memoized(
  (attributes: NameScope['attributes']): NameScope['attributes'] =>
    new Map([...attributes].map(([name, each]) => [name, each.private ? { ...each, private: false } : each])),
  new WeakMap(),
);

/** Passwords stay hidden. */
export const revealed = (scope: NameScope): NameScope => ({
  ...scope,
  attributes: withPrivate(scope.attributes),
  isRevealed: true,
});

/** @param owner the scope that has the component as an attribute */
export function componentScope(uid: string, { registry }: PlanContext, owner: NameScope): NameScope {
  const scope = { attributes: attributesOf(uid, registry), reach: owner.reach };
  return owner.isRevealed ? revealed(scope) : scope;
}

/** May the caller list the target type? Files are always visible. */
export const canFind = (attribute: TypedLinkAttribute, { grants }: PlanContext): boolean =>
  attribute.kind === 'media' || isListed(attribute.target, { grants });

/** Is the attribute, or its target, not visible to the caller? */
export const isForbidden = (attribute: Attribute, context: PlanContext): boolean =>
  !context.caller && (isHidden(attribute) || (isRelation(attribute) && !canFind(attribute, context)));

export const canReadDrafts = ({ uid }: ContentType, { grants }: Pick<PlanContext, 'grants'>): boolean =>
  grants.allows(draftsId(grants, uid));

/** Returns the 403 of a caller who may not read the drafts of a type. */
export const lacksDrafts = ({ uid }: ContentType): ApiError => lacksPermission(actionId(uid, 'readDrafts'));

/**
 * Returns the version of a target. A rule reaches the published one of a draft that its caller may not read.
 * @throws ApiError 403 for a draft that the caller may not read
 */
function versionOf(target: ContentType, { reach }: NameScope, context: PlanContext): Status {
  if (!target.draftAndPublish || context.status === 'published' || reach === 'published') return 'published';
  if (canReadDrafts(target, context)) return 'draft';
  if (!context.caller) throw lacksDrafts(target);
  return 'published';
}

/** Links of a draft belong to it if it owns them; those of others lead to it from their published versions. */
function linkVersion(walk: Omit<LinkWalk, 'version'>, scope: NameScope, context: PlanContext): Status {
  const { table, owner, target, status } = walk;
  if (scope.reach === 'published') return 'published';
  const isOfTarget = target.draftAndPublish && !(owner && table.source.draftAndPublish);
  return linkStatus(table, isOfTarget ? status : context.status);
}

/** The attributes of a target that the caller may see. */
export const targetScope = (target: ContentType, { grants }: Pick<PlanContext, 'grants'>): NameScope =>
  scopeOf(target, ruleOf(grants, target.uid, 'find'));

export interface RelationStep {
  readonly step: Step;
  /** The scope of its target. */
  readonly scope: NameScope;
}

/** Returns the scope behind a step. Behind one from a draft to a published version, links of that version are followed. */
const scopeBehind = (scope: NameScope, status: Status, context: PlanContext): NameScope =>
  scope.reach === 'requested' && status !== context.status ? { ...scope, reach: 'published' } : scope;

/** @param table absent in a component */
function stepTo(
  target: ContentType,
  attribute: LinkAttribute,
  table: LinkTable | undefined,
  scope: NameScope,
  context: PlanContext,
): RelationStep {
  const status = versionOf(target, scope, context);
  const next = scopeBehind(targetScope(target, context), status, context);
  const condition = context.visible(target, status);
  const visible = condition && { visible: condition };
  if (!table) return { step: { kind: 'reference', attribute, target, status, ...visible }, scope: next };
  const walk = { table, owner: isOwner(attribute), target, multiple: attribute.multiple, status };
  const link = { ...walk, version: linkVersion(walk, scope, context) };
  return { step: { kind: 'link', link, ...visible }, scope: next };
}

function linkStep(attribute: TypedLinkAttribute, scope: NameScope, context: PlanContext): RelationStep | undefined {
  const { type } = scope;
  const target = context.registry.contentTypes.get(targetUid(attribute));
  const table = type && tableOf(attribute, type, context.registry);
  return target && (table || !type) ? stepTo(target, attribute, table, scope, context) : undefined;
}

export const isListed = (uid: string, { grants }: Pick<PlanContext, 'grants'>): boolean =>
  grants.allows(actionId(uid, 'find'));

/** Returns a step to each type of a polymorphic relation that the caller may read. */
export function typedSteps(
  attribute: PolymorphicAttribute,
  scope: NameScope,
  context: PlanContext,
): readonly RelationStep[] {
  const { type } = scope;
  const { registry, status } = context;
  const tables = new Map(type && tablesOf([attribute], type, registry).map((table) => [table.target.uid, table]));
  return targetUids(attribute, registry).flatMap((uid) => {
    const target = registry.contentTypes.get(uid);
    const isReadable = status === 'published' || !target?.draftAndPublish || canReadDrafts(target, context);
    return target && isReadable && isListed(uid, context)
      ? [stepTo(target, attribute, tables.get(uid), scope, context)]
      : [];
  });
}

/** The other locales are limited like targets: by the rule of `find`, or else by that of the read. Those of a preview are too. */
function localizationsStep(type: ContentType, scope: NameScope, context: PlanContext): RelationStep {
  const { drafts = false } = scope.rule ?? {};
  const status = drafts ? context.status : versionOf(type, scope, context);
  const own = isListed(type.uid, context) && !drafts ? { ...targetScope(type, context), reach: scope.reach } : scope;
  const next = scopeBehind(own, status, context);
  const visible = context.visible(type, status, next.rule);
  return { step: { kind: 'localizations', type, status, ...(visible && { visible }) }, scope: next };
}

/** Returns undefined for polymorphic relations, scalars, zones and creators. @throws ApiError 403 for drafts that the caller may not read */
export function relationStep(attribute: Attribute, scope: NameScope, context: PlanContext): RelationStep | undefined {
  switch (attribute.kind) {
    case 'relation':
    case 'media':
      return linkStep(attribute, scope, context);
    case 'component':
      return { step: { kind: 'component', attribute }, scope: componentScope(attribute.component, context, scope) };
    case 'localizations':
      return scope.type && localizationsStep(scope.type, scope, context);
    case 'polymorphic':
    case 'dynamiczone':
    case 'scalar':
    case 'related':
    case 'creator':
      return undefined;
    default:
      return attribute satisfies never;
  }
}

/** Do the links belong to the rows that they lead from? */
const isFromOwner = (step: Step): boolean => !isLink(step) || step.link.owner;

/**
 * Returns the step of a filter or a sort. From rows without drafts, drafts of targets count only if the caller may read
 * them: matches and order would reveal their values.
 * @throws ApiError 403 for drafts that the caller may not read
 */
export function resolveStep(attribute: Attribute, scope: NameScope, context: PlanContext): RelationStep | undefined {
  const lead = relationStep(attribute, scope, context);
  const target = lead?.scope.type;
  if (!target || isLocalizations(lead.step)) return lead;
  if (scope.reach !== 'both' && scope.reach !== 'own') return lead;
  const { draftAndPublish } = target;
  const bothVersions = draftAndPublish ? canReadDrafts(target, context) : scope.reach === 'own';
  const versions = { bothVersions, ofOwnVersion: scope.reach === 'own' && (bothVersions || isFromOwner(lead.step)) };
  const next: NameScope = draftAndPublish && bothVersions ? { ...lead.scope, reach: 'own' } : lead.scope;
  const own = isComponentNode(lead.step) ? undefined : lead.step.visible;
  const visible = bothVersions ? context.visible(target, 'both') : own;
  const shared = visible && { visible };
  if (isLink(lead.step))
    return { step: { kind: 'link', link: { ...lead.step.link, ...versions }, ...shared }, scope: next };
  return { step: { ...lead.step, ...versions, ...shared }, scope: next };
}

/**
 * @module What planning knows while it follows names: the caller, the registry, and the version of targets.
 */
import { actionId, type Grants } from '../../auth/grants.ts';
import type { Limits } from '../../config.ts';
import { forbidden } from '../../errors.ts';
import { type Attribute, type ContentType, isHidden, isOwner, type Registry } from '../../registry/model.ts';
import type { PublicationFilter } from '../../request/publication-filters.ts';
import type { Status } from '../../request/query-params.ts';
import { attributesOf } from '../model/component-attributes.ts';
import { linkStatus, tableOf } from '../model/link-tables.ts';
import { type LinkAttribute, targetUid } from '../model/links.ts';
import type { Step } from '../model/read-plan.ts';

export interface PlanContext {
  readonly registry: Registry;
  readonly grants: Grants;
  readonly limits: Limits;
  /** The status that was asked for: targets with drafts are shown in it, whatever the holder is. */
  readonly status: Status;
  /** The state that populated targets with drafts have to be in, as the documents themselves. */
  readonly publicationFilter?: PublicationFilter | undefined;
}

/**
 * Which links of the rows in a scope filters and sorts follow, as Strapi, which joins rows: those of the `asked` version;
 * those of `both` versions, since the rows have no drafts; or, since rows of both versions were reached, those of the
 * `own` version of each row.
 */
type Reach = 'asked' | 'both' | 'own';

/** A content type, or a component (without a type), whose attributes names may refer to. */
export interface NameScope {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly type?: ContentType;
  readonly reach: Reach;
}

export const scopeOf = (type: ContentType): NameScope => ({
  attributes: type.attributes,
  type,
  reach: type.draftAndPublish ? 'asked' : 'both',
});

/** @param owner where the component is an attribute */
export const componentScope = (
  uid: string,
  { registry }: PlanContext,
  { reach }: Pick<NameScope, 'reach'>,
): NameScope => ({
  attributes: attributesOf(uid, registry),
  reach,
});

/** Media may always be seen; documents only by who may list them. */
export function mayFind(attribute: LinkAttribute, { grants }: PlanContext): boolean {
  return attribute.kind === 'media' || grants.allows(actionId(attribute.target, 'find'));
}

/** May the caller not know of the attribute, or of what it leads to? */
export const isForbidden = (attribute: Attribute, context: PlanContext): boolean =>
  isHidden(attribute) || (attribute.kind === 'relation' && !mayFind(attribute, context));

/** A right of its own for each type: drafts that lead to drafts of another type need that of both. */
export const mayReadDrafts = ({ uid }: ContentType, { grants }: Pick<PlanContext, 'grants'>): boolean =>
  grants.allows(actionId(uid, 'readDrafts'));

/** The version of a target that is meant. @throws ApiError 403 for a draft that the caller may not read. */
function versionOf(target: ContentType, context: PlanContext): Status {
  if (!target.draftAndPublish || context.status === 'published') return 'published';
  if (!mayReadDrafts(target, context)) throw forbidden();
  return 'draft';
}

export interface Lead {
  readonly step: Step;
  /** Where the step leads. */
  readonly scope: NameScope;
}

function linkStep(attribute: LinkAttribute, scope: NameScope, context: PlanContext): Lead | undefined {
  const target = context.registry.contentTypes.get(targetUid(attribute));
  if (!target) return undefined;
  const status = versionOf(target, context);
  const next = scopeOf(target);
  if (!scope.type) return { step: { kind: 'reference', attribute, target, status }, scope: next };
  const table = tableOf(attribute, scope.type, context.registry);
  if (!table) return undefined;
  const version = linkStatus(table, context.status);
  const link = { table, owner: isOwner(attribute), target, multiple: attribute.multiple, status, version };
  return { step: { kind: 'link', link }, scope: next };
}

/**
 * The step that an attribute offers, and where it leads; undefined for scalars, zones and creators.
 * @throws ApiError 403 for a step to drafts that the caller may not read.
 */
export function leadOf(attribute: Attribute, scope: NameScope, context: PlanContext): Lead | undefined {
  switch (attribute.kind) {
    case 'relation':
    case 'media':
      return linkStep(attribute, scope, context);
    case 'component':
      return { step: { kind: 'component', attribute }, scope: componentScope(attribute.component, context, scope) };
    case 'localizations': {
      const { type } = scope;
      return type && { step: { kind: 'localizations', type, status: versionOf(type, context) }, scope };
    }
    default:
      return undefined;
  }
}

/**
 * The step of a filter or a sort. Where a row without drafts leads to documents with them, both of their versions count,
 * if the caller may read drafts: otherwise hits and order would tell what is in them.
 * @throws ApiError 403 for a step to drafts that the caller may not read.
 */
export function joinedLead(attribute: Attribute, scope: NameScope, context: PlanContext): Lead | undefined {
  const lead = leadOf(attribute, scope, context);
  const target = lead?.scope.type;
  if (!lead || !target || scope.reach === 'asked' || lead.step.kind === 'localizations') return lead;
  const { draftAndPublish } = target;
  const bothVersions = draftAndPublish ? mayReadDrafts(target, context) : scope.reach === 'own';
  const versions = { bothVersions, ofOwnVersion: scope.reach === 'own' };
  const next: NameScope = draftAndPublish && bothVersions ? { ...lead.scope, reach: 'own' } : lead.scope;
  if (lead.step.kind === 'link')
    return { step: { kind: 'link', link: { ...lead.step.link, ...versions } }, scope: next };
  return { step: { ...lead.step, ...versions }, scope: next };
}

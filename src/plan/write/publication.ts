/**
 * @module What must hold before a document is published: the whole draft is checked, and required relations have targets
 * that readers will see.
 */
import type { Issue } from '../../errors.ts';
import { isObject, readJson } from '../../json.ts';
import { isVisible } from '../../registry/condition.ts';
import { FIELDS, type Stored } from '../../registry/fields.ts';
import type { Attribute, ContentType, Registry } from '../../registry/model.ts';
import type { InputData } from '../../request/body.ts';
import {
  allowedIn,
  attributesWithin,
  type ColumnAttribute,
  inputAttributes,
  isList,
} from '../model/component-attributes.ts';
import { type Link, type LinkAttribute, linkAttributes, targetUid } from '../model/links.ts';
import type { StoredValues } from '../model/write-plan.ts';
import type { Current, WriteRequest } from '../model/write-request.ts';
import { relationInput } from '../relations/relation-input.ts';
import { inOrder } from '../validate/issue-order.ts';
import { redactStoredIssues } from '../validate/redact-issues.ts';
import { takenPaths, type UniqueSpot } from '../validate/unique-places.ts';
import { validateInput } from '../validate/validate-input.ts';
import { sharedLinks } from './shared-values.ts';

type Planned = ReadonlyMap<LinkAttribute, readonly Link[]>;

/** Returns instances as Strapi shows them in an error: an empty relation to one is null. */
function shown(attribute: Attribute | undefined, value: unknown, registry: Registry): unknown {
  if (attribute?.kind === 'relation' || attribute?.kind === 'media')
    return attribute.multiple ? value : (Array.isArray(value) && value[0]) || null;
  if (attribute?.kind !== 'component' && attribute?.kind !== 'dynamiczone') return value;
  if (Array.isArray(value)) return allowedIn(attribute, value).map((item) => shown(attribute, item, registry));
  if (!isObject(value)) return value;
  const attributes = attributesWithin(attribute, value, registry);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, shown(attributes.get(name), item, registry)]),
  );
}

/** A stored value as the rules see it. */
function publishedForm(attribute: ColumnAttribute, stored: Stored, registry: Registry): unknown {
  if (stored === null) return isList(attribute) ? [] : null;
  if (attribute.kind !== 'scalar') return shown(attribute, readJson(stored), registry);
  return FIELDS[attribute.type].read(stored);
}

const undefinedRelation = ({ name }: LinkAttribute, value: unknown): Issue => ({
  path: [name],
  message: `${name} must be defined.`,
  value,
});

const requiredRelations = (type: ContentType, data: InputData): readonly LinkAttribute[] =>
  linkAttributes(type.attributes).filter((attribute) => attribute.required && isVisible(attribute, data));

/** A target that is only a draft does not count. */
function anySeen(
  links: readonly Link[],
  attribute: LinkAttribute,
  request: WriteRequest,
  { targets, links: present }: Current,
): boolean {
  const target = request.registry.contentTypes.get(targetUid(attribute));
  if (!target?.draftAndPublish) return links.length > 0;
  const known = [...(targets.get(target.uid) ?? []), ...(present.get(attribute) ?? [])];
  const seen = new Set(known.filter(({ published }) => published).map(({ documentId }) => documentId));
  return links.some(({ documentId }) => seen.has(documentId));
}

/** Links as they will be: a new locale takes over those that all locales share. */
function linksAfter(attribute: LinkAttribute, { type }: WriteRequest, current: Current, planned: Planned) {
  const isNewLocale = !current.row && current.source !== undefined;
  const adopted = isNewLocale && sharedLinks(type).includes(attribute);
  return planned.get(attribute) ?? (adopted ? current.originalLinks : current.links).get(attribute) ?? [];
}

function requiredForPublication(
  request: WriteRequest,
  whole: InputData,
  current: Current,
  planned: Planned,
): readonly Issue[] {
  if (!request.strictRelations) return [];
  return requiredRelations(request.type, whole).flatMap((attribute) => {
    const links = linksAfter(attribute, request, current, planned);
    if (anySeen(links, attribute, request, current)) return [];
    return [undefinedRelation(attribute, links.length > 0 || attribute.multiple ? { set: [] } : null)];
  });
}

/** Does the body name targets? A missing target is reported as another error. */
function namesTargets(attribute: LinkAttribute, value: unknown): boolean {
  const { set = [], connect = [] } = relationInput(attribute, value) ?? {};
  return set.length + connect.length > 0;
}

/** On types without drafts: what the body empties, or on create does not fill. */
export function requiredByInput(
  request: WriteRequest,
  data: InputData,
  current: Current,
  planned: Planned,
): readonly Issue[] {
  const { strictRelations, operation, type } = request;
  if (!strictRelations) return [];
  return requiredRelations(type, data).flatMap((attribute) => {
    const value = data[attribute.name];
    const isAsked = planned.has(attribute) || operation === 'create';
    const isEmpty = linksAfter(attribute, request, current, planned).length === 0;
    return isAsked && isEmpty && !namesTargets(attribute, value) ? [undefinedRelation(attribute, value)] : [];
  });
}

/** Stored values in the form in which a body would bring them. */
export const dataOf = (values: StoredValues, registry: Registry): InputData =>
  Object.fromEntries(
    [...values].map(([attribute, stored]) => [attribute.name, publishedForm(attribute, stored, registry)]),
  );

/** A draft with all that a body could say of it. */
export const draftData = ({ type, registry }: WriteRequest, draft: StoredValues): InputData =>
  dataOf(new Map(inputAttributes(type.attributes).map((each) => [each, draft.get(each) ?? null])), registry);

/**
 * Publication checks the whole draft. Of a password counts only that there is one: by then it is hashed text.
 * @param spots unique values in its components
 */
export function publicationIssues(
  request: WriteRequest,
  whole: InputData,
  spots: readonly UniqueSpot[],
  current: Current,
  planned: Planned,
): readonly Issue[] {
  const { type, registry, strictRelations } = request;
  const taken = takenPaths(spots, current);
  const context = { draft: false, stored: true, operation: 'create', taken, registry, strictRelations } as const;
  const { issues } = validateInput(whole, type, context);
  const all = inOrder([...issues, ...requiredForPublication(request, whole, current, planned)], type.attributes, []);
  return redactStoredIssues(all, whole, request);
}

/**
 * @module Checks a document before it is published: the complete draft, and visible targets of its required relations.
 */
import type { Issue } from '../../../common/errors.ts';
import { isObject, ownValue, readJson } from '../../../common/json.ts';
import { hasComponents, isLinkAttribute, isScalar } from '../../../schema/attribute-kinds.ts';
import { FIELDS, type Stored } from '../../../schema/fields.ts';
import type { Attribute, ColumnAttribute, ContentType, LinkAttribute, Registry } from '../../../schema/model.ts';
import { isVisible } from '../../../schema/visibility.ts';
import type { InputData } from '../../request/body.ts';
import { allowedIn, attributesWithin, inputAttributes, isList } from '../model/component-attributes.ts';
import { type Link, linkAttributes, targetUid } from '../model/links.ts';
import type { StoredValues } from '../model/write-plan.ts';
import type { ResolvedWrite, WriteRequest } from '../model/write-request.ts';
import { relationInput } from '../relations/relation-input.ts';
import { visibleIndexOf, without } from '../relations/target-index.ts';
import { inOrder } from '../validate/issue-order.ts';
import { redactStoredIssues } from '../validate/redact-issues.ts';
import { takenPaths, type UniqueValue } from '../validate/unique-paths.ts';
import { validateInput } from '../validate/validate-input.ts';
import { nonLocalizedLinks } from './non-localized-values.ts';

/** Returns instances as Strapi shows them in an error: an empty relation to one is null. */
function shown(attribute: Attribute | undefined, value: unknown, registry: Registry): unknown {
  if (isLinkAttribute(attribute)) return attribute.multiple ? value : (Array.isArray(value) && value[0]) || null;
  if (!hasComponents(attribute)) return value;
  if (Array.isArray(value)) return allowedIn(attribute, value).map((item) => shown(attribute, item, registry));
  if (!isObject(value)) return value;
  const attributes = attributesWithin(attribute, value, registry);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, shown(attributes.get(name), item, registry)]),
  );
}

/** Returns a stored value in the form of a body. */
function bodyForm(attribute: ColumnAttribute, stored: Stored, registry: Registry): unknown {
  if (stored === null) return isList(attribute) ? [] : null;
  if (!isScalar(attribute)) return shown(attribute, readJson(stored), registry);
  return FIELDS[attribute.type].read(stored);
}

const undefinedRelation = ({ name }: LinkAttribute, value: unknown): Issue => ({
  path: [name],
  message: `${name} must be defined.`,
  value,
});

const requiredRelations = (type: ContentType, data: InputData): readonly LinkAttribute[] =>
  linkAttributes(type.attributes).filter((attribute) => attribute.required && isVisible(attribute, data));

/** Is one of the targets published? */
function hasPublished(links: readonly Link[], attribute: LinkAttribute, { registry, current }: ResolvedWrite): boolean {
  const present = current.links.get(attribute) ?? [];
  return links.some(({ documentId, type }) => {
    const target = registry.contentTypes.get(targetUid(attribute, type));
    const rows = [...(current.targets.get(target?.uid ?? '') ?? []), ...present];
    return !target?.draftAndPublish || rows.some((row) => row.published && row.documentId === documentId);
  });
}

/**
 * Returns the links after the write; a new locale inherits non-localized ones. Omits links to documents that the caller may
 * not find: whether a required relation has one would reveal them.
 */
function linksAfter(attribute: LinkAttribute, { type, current, planned }: ResolvedWrite): readonly Link[] {
  const isNewLocale = !current.row && current.source !== undefined;
  const isInherited = isNewLocale && nonLocalizedLinks(type).includes(attribute);
  const present = (isInherited ? current.sourceLinks : current.links).get(attribute) ?? [];
  const hidden = present.filter(({ isHidden }) => isHidden);
  return without(planned.get(attribute) ?? present, hidden);
}

function requiredForPublication(data: InputData, write: ResolvedWrite): readonly Issue[] {
  if (!write.strictRelations) return [];
  return requiredRelations(write.type, data).flatMap((attribute) => {
    const links = linksAfter(attribute, write);
    if (hasPublished(links, attribute, write)) return [];
    return [undefinedRelation(attribute, links.length > 0 || attribute.multiple ? { set: [] } : null)];
  });
}

/** Does the body name targets? A missing one is another error. */
function namesTargets(attribute: LinkAttribute, value: unknown, emptySetClears: boolean): boolean {
  const { set = [], connect = [] } = relationInput(attribute, value, emptySetClears) ?? {};
  return set.length + connect.length > 0;
}

/** On types without drafts, returns issues for required relations that the write leaves empty. */
export function requiredByInput(data: InputData, write: ResolvedWrite): readonly Issue[] {
  if (!write.strictRelations) return [];
  return requiredRelations(write.type, data).flatMap((attribute) => {
    const value = data[attribute.name];
    const isChanged = write.planned.has(attribute) || write.operation === 'create';
    const isEmpty = linksAfter(attribute, write).length === 0;
    return isChanged && isEmpty && !namesTargets(attribute, value, write.emptySetClears)
      ? [undefinedRelation(attribute, value)]
      : [];
  });
}

/** Returns the value of a relation of a stored component without targets that the caller may not find. */
function withoutHiddenTargets(
  attribute: LinkAttribute,
  value: unknown,
  { registry, current, visible }: ResolvedWrite,
): unknown {
  const target = registry.contentTypes.get(targetUid(attribute));
  if (!target || !visible?.(target)) return value;
  const { byDocumentId } = visibleIndexOf(current.innerTargets.get(target.uid) ?? []);
  const isFound = (item: unknown) => byDocumentId.has(ownValue(item, 'documentId'));
  if (Array.isArray(value)) return value.filter(isFound);
  return !isObject(value) || isFound(value) ? value : null;
}

/** Returns stored values in the form of a body. */
export const dataOfValues = (values: StoredValues, registry: Registry): InputData =>
  Object.fromEntries([...values].map(([attribute, stored]) => [attribute.name, bodyForm(attribute, stored, registry)]));

/** Returns every input attribute of a draft in the form of a body. */
export const draftData = ({ type, registry }: WriteRequest, draft: StoredValues): InputData =>
  dataOfValues(new Map(inputAttributes(type.attributes).map((each) => [each, draft.get(each) ?? null])), registry);

/**
 * Checks a complete draft.
 * @param unique the unique values in its components
 */
export function publicationIssues(data: InputData, unique: readonly UniqueValue[], write: ResolvedWrite) {
  const { type } = write;
  const taken = takenPaths(unique, write.current);
  const { issues } = validateInput(data, type, {
    ...write,
    ...{ draft: false, stored: true, operation: 'create', taken },
    withoutHiddenTargets: (attribute, value) => withoutHiddenTargets(attribute, value, write),
  });
  const all = inOrder([...issues, ...requiredForPublication(data, write)], type.attributes, []);
  return redactStoredIssues(all, data, write);
}

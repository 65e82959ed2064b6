/**
 * @module Redacts issues: shows private attributes, passwords, linked documents, and attributes that the caller may not
 * read only if the body contains them.
 */
import { type Issue, MAX_ISSUES } from '../../../common/errors.ts';
import { isObject, ownValue } from '../../../common/json.ts';
import { hasComponents, isHidden, isLinkAttribute, isMedia, isScalar } from '../../../schema/attribute-kinds.ts';
import { FIELDS } from '../../../schema/fields.ts';
import type { Attribute, LinkAttribute, Registry } from '../../../schema/model.ts';
import type { InputData } from '../../request/body.ts';
import { type Attributes, attributesWithin } from '../model/component-attributes.ts';
import { type TargetRow, targetUid } from '../model/links.ts';
import type { WriteRequest } from '../model/write-request.ts';
import type { RelationContext } from '../relations/plan-relations.ts';
import { indexOf } from '../relations/target-index.ts';

/** The location of an issue: the attribute, the stored value, and the value in the body. */
interface Location {
  readonly attributes: Attributes;
  readonly attribute?: Attribute | undefined;
  readonly value: unknown;
  readonly sent: unknown;
  readonly hidden: boolean;
}

const isSecret = (attribute: Attribute | undefined, sent: unknown): boolean =>
  attribute !== undefined && isHidden(attribute) && sent === undefined;

function step(parent: Location, key: string, registry: Registry): Location {
  const value = ownValue(parent.value, key);
  const sent = ownValue(parent.sent, key);
  const attribute = Array.isArray(parent.value) ? parent.attribute : parent.attributes.get(key);
  const hidden = parent.hidden || isSecret(attribute, sent);
  return { attributes: attributesWithin(attribute, value, registry), attribute, value, sent, hidden };
}

/** A stored link may name a draft, or a document that the caller may not find. */
const isStoredLink = (attribute: Attribute | undefined, value: unknown, sent: unknown): boolean =>
  isLinkAttribute(attribute) &&
  !isMedia(attribute) &&
  sent === undefined &&
  (Array.isArray(value) ? value.length > 0 : isObject(value));

function shownName(item: unknown, rows: readonly TargetRow[]): unknown {
  if (isObject(item)) return item;
  if (item === '') return { documentId: item };
  const row = indexOf(rows).byDocumentId.get(item);
  return { id: row ? row.id : item };
}

const RELATION_KEYS = ['set', 'connect', 'disconnect'] as const;

/** Returns a relation as Strapi shows it in an error: ids in place of documentIds, shorthand written out. */
function shownRelation(value: unknown, attribute: LinkAttribute, { targets }: Pick<Shown, 'targets'>): unknown {
  const rows = targets.get(targetUid(attribute)) ?? [];
  const list = (items: unknown) => [items].flat(Number.POSITIVE_INFINITY).map((item) => shownName(item, rows));
  if (typeof value === 'boolean' || value === null) return value;
  if (!isObject(value) || 'documentId' in value || 'id' in value) return { set: list(value) };
  const keys = RELATION_KEYS.filter((key) => value[key] !== undefined && value[key] !== null);
  return Object.fromEntries(keys.map((key) => [key, list(value[key])]));
}

type Shown = Pick<RelationContext, 'type' | 'registry' | 'targets'> & { readonly attributes?: WriteRequest['shown'] };

/** May the caller not read an attribute of the document, and did not send it? */
const isUnlisted = (name: unknown, body: InputData, { attributes }: Shown): boolean =>
  typeof name === 'string' && attributes !== undefined && !attributes.has(name) && ownValue(body, name) === undefined;

function shownObject(value: InputData, attributes: Attributes, sent: unknown, shown: Shown): InputData {
  const visible = Object.entries(value).flatMap(([name, item]) => {
    const attribute = attributes.get(name);
    const own = ownValue(sent, name);
    if (isSecret(attribute, own) || isStoredLink(attribute, item, own)) return [];
    return [[name, shownValue(item, attribute, own, shown)]];
  });
  return Object.fromEntries(visible);
}

/** Returns components without hidden values; a relation or JSON in the form of the body. */
function shownValue(value: unknown, attribute: Attribute | undefined, sent: unknown, shown: Shown): unknown {
  if (isLinkAttribute(attribute)) return sent === undefined ? value : shownRelation(value, attribute, shown);
  // Strapi parses text of JSON after it has validated the body.
  if (isScalar(attribute) && FIELDS[attribute.type].json === 'value' && sent !== undefined) return sent;
  if (!hasComponents(attribute)) return value;
  if (Array.isArray(value))
    return value.map((item, index) => shownValue(item, attribute, ownValue(sent, String(index)), shown));
  return isObject(value) ? shownObject(value, attributesWithin(attribute, value, shown.registry), sent, shown) : value;
}

function redactIssue(issue: Issue, data: unknown, body: InputData, shown: Shown): Issue {
  const { type, registry } = shown;
  if (issue.path.length === 0 && isObject(issue.value)) {
    const listed = Object.entries(issue.value).filter(([name]) => !isUnlisted(name, body, shown));
    return { ...issue, value: shownObject(Object.fromEntries(listed), type.attributes, body, shown) };
  }
  const unlisted = isUnlisted(issue.path[0], body, shown);
  const start: Location = { attributes: type.attributes, value: data, sent: body, hidden: unlisted };
  const { hidden, attribute, sent } = issue.path.reduce((parent, key) => step(parent, key, registry), start);
  if (hidden) return { path: issue.path, message: issue.message.replace(/, but the final value was: .*$/s, '.') };
  return 'value' in issue ? { ...issue, value: shownValue(issue.value, attribute, sent, shown) } : issue;
}

/** Redacts issues of a body. */
export const redactIssues = (
  issues: readonly Issue[],
  { data, sent = data, shown: attributes }: WriteRequest,
  { type, registry, targets }: RelationContext,
) =>
  issues.slice(0, MAX_ISSUES).map((issue) => redactIssue(issue, data, sent, { type, registry, targets, attributes }));

/** Redacts issues of a stored document as if nothing was sent: its lists may differ from those of the body. */
export const redactStoredIssues = (
  issues: readonly Issue[],
  stored: InputData,
  { type, registry, shown: attributes }: WriteRequest,
) =>
  issues
    .slice(0, MAX_ISSUES)
    .map((issue) => redactIssue(issue, stored, {}, { type, registry, targets: new Map(), attributes }));

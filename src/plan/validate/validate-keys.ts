/**
 * @module The keys of a body: which of them no write may set, and which the type does not have.
 */
import { actionId, type Grants } from '../../auth/grants.ts';
import { invalid } from '../../errors.ts';
import type { Attribute, ContentType, Registry } from '../../registry/model.ts';
import type { InputData } from '../../request/body.ts';
import { type Attributes, instancesIn } from '../model/component-attributes.ts';
import { targetUid } from '../model/links.ts';
import { childPath, invalidKey, type Source } from '../model/resolve.ts';

const SOURCE: Source = { source: 'body' };
const IDENTITY = new Set(['id', 'documentId']);
const RELATION_KEYS = new Set(['connect', 'disconnect', 'set', 'options']);

/** Called for each key; `path` is that of the object it stands in. */
type Visit = (
  key: string,
  attribute: Attribute | undefined,
  path: string | null,
  parent: Attribute | undefined,
  value: unknown,
) => void;

function walk(
  data: InputData,
  attributes: Attributes,
  path: string | null,
  parent: Attribute | undefined,
  registry: Registry,
  visit: Visit,
): void {
  for (const key of Object.keys(data)) {
    const attribute = attributes.get(key);
    visit(key, attribute, path, parent, data[key]);
    if (!attribute) continue;
    for (const [item, inner] of instancesIn(attribute, data[key], registry))
      walk(item, inner, childPath(path, key), attribute, registry, visit);
  }
}

const refuseUnwritable: Visit = (key, attribute, path) => {
  if (attribute?.writable === false) throw invalidKey(key, childPath(path, key), SOURCE);
};

const refuseUnknown: Visit = (key, attribute, path, parent) => {
  const identity = parent?.kind === 'component' || parent?.kind === 'dynamiczone';
  const known =
    attribute || (identity && IDENTITY.has(key)) || (parent?.kind === 'dynamiczone' && key === '__component');
  if (!known) throw invalidKey(key, path, SOURCE);
};

/** Who may not list a type may not link to it either. */
const refuseForbidden =
  (grants: Grants): Visit =>
  (key, attribute, path) => {
    const forbidden = attribute?.kind === 'relation' && !grants.allows(actionId(attribute.target, 'find'));
    if (forbidden) throw invalidKey(key, childPath(path, key), SOURCE);
  };

/** `author={documentId, name}`: ids, operations and names of attributes may stand there, anything else may not. */
const refuseRelationKeys =
  (registry: Registry): Visit =>
  (key, attribute, path, _, value) => {
    if (attribute?.kind !== 'relation' && attribute?.kind !== 'media') return;
    const target = registry.contentTypes.get(targetUid(attribute));
    const unknown = (Array.isArray(value) ? value : [value])
      .flatMap((item) => (typeof item === 'object' && item !== null ? Object.keys(item) : []))
      .find((name) => !IDENTITY.has(name) && !RELATION_KEYS.has(name) && !target?.attributes.has(name));
    if (unknown !== undefined) throw invalidKey(unknown, childPath(path, key), SOURCE);
  };

/**
 * Refuses keys before any value is looked at: `id` and `documentId`, then attributes the server sets, then names that the
 * type, a component or the target of a relation does not have, in the order of the body.
 * @throws ApiError 400 for the first of them.
 */
export function checkKeys(data: InputData, type: ContentType, registry: Registry, grants: Grants): void {
  for (const key of IDENTITY) if (Object.hasOwn(data, key)) throw invalid(`Invalid key ${key}`, { key, ...SOURCE });
  walk(data, type.attributes, null, undefined, registry, refuseUnwritable);
  const refuseRelation = refuseRelationKeys(registry);
  walk(data, type.attributes, null, undefined, registry, (...visited) => {
    refuseUnknown(...visited);
    refuseRelation(...visited);
  });
  walk(data, type.attributes, null, undefined, registry, refuseForbidden(grants));
}

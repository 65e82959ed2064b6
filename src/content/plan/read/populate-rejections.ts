/**
 * @module Errors for a `populate` that does not fit its attribute, in Strapi's words.
 */
import { type ApiError, invalid, invalidKey, type NameSource } from '../../../common/errors.ts';
import type { Attribute } from '../../../schema/model.ts';
import type { PopulateOptions, PopulateValue } from '../../request/populate.ts';
import { isMalformed, isStar, isText } from '../../request/populate.ts';
import type { RawValue } from '../../request/query-string.ts';
import { childPath } from '../model/resolve.ts';
import type { NameScope, PlanContext } from './name-scope.ts';
import { isPopulatable } from './populate-nodes.ts';

export const POPULATE_SOURCE: NameSource = { source: 'query', param: 'populate' };

/** Strapi expands `*` to the names of all populatable attributes, and rejects the first. */
function starRejection(scope: NameScope, path: string): ApiError | undefined {
  const first = [...scope.attributes.values()].find(isPopulatable);
  if (!first) return undefined;
  const at = childPath(path, first.name);
  return invalid(`Invalid key ${first.name} at ${at}`, { key: first.name, path: at });
}

export const nestedRejection = (): ApiError => invalid("Invalid nested populate. Expected '*' or an object");

/** Of `@deep:2`, which stands at the top alone. */
const LEVELS = '@deep:';

/** Returns the error for a preset that stands beside other names, or in the place of options. */
export function presetRejection(name: string, at: string | null, { extensions }: PlanContext): ApiError | undefined {
  if (!extensions || !name.startsWith('@')) return undefined;
  const expected =
    at === null || name.startsWith(LEVELS)
      ? `a preset alone: populate=${name}`
      : `a preset below it: populate[${at.replaceAll('.', '][populate][')}][populate]=${name}`;
  const found = at === null ? name : `${name} at ${at}`;
  return invalid(`Invalid key ${found}. Expected ${expected}`, { key: name, path: at, ...POPULATE_SOURCE });
}

/** Returns the error for `populate[author]=name.x` or `*`; undefined for a star if there is nothing to populate. */
export function textRejection(
  value: PopulateValue,
  scope: NameScope,
  path: string,
  context: PlanContext,
): ApiError | undefined {
  if (isStar(value)) return starRejection(scope, path);
  if (isMalformed(value)) return nestedRejection();
  if (!isText(value)) return undefined;
  const [name = ''] = value.text.split('.');
  return (
    presetRejection(name, path, context) ??
    invalidKey(name, scope.attributes.has(name) ? childPath(path, name) : path, POPULATE_SOURCE)
  );
}

/** @throws ApiError 400 for the first unknown option, and for a `count` that is no boolean. */
export function rejectOption(
  { keys, count }: PopulateOptions,
  scope: NameScope,
  path: string,
  known: ReadonlySet<string>,
): void {
  if (count === undefined) throw invalidKey('count', path, POPULATE_SOURCE);
  const key = keys.find((name) => !known.has(name));
  if (key !== undefined)
    throw invalidKey(key, scope.attributes.has(key) ? childPath(path, key) : path, POPULATE_SOURCE);
}

/** Below an attribute Strapi reads each text as one path. @throws ApiError 400 for the first list of paths */
export function rejectLists(texts: readonly string[], above: string): void {
  for (const text of texts) {
    let at = above;
    for (const name of text.split('.')) {
      if (name === '' || name.includes(',') || name !== name.trim()) throw invalidKey(name, at, POPULATE_SOURCE);
      at = childPath(at, name);
    }
  }
}

/** @throws ApiError 400 for the first name of `on` that is neither a component nor a content type */
export function rejectUnknownFragments({ on }: PopulateOptions, path: string, { registry }: PlanContext): void {
  const names = Array.isArray(on) ? on.map(({ name }) => name) : [];
  const unknown = names.find((name) => !registry.components.has(name) && !registry.contentTypes.has(name));
  if (unknown !== undefined) throw invalidKey(unknown, childPath(childPath(path, 'on'), unknown), POPULATE_SOURCE);
}

/** Rejects `on` outside of zones. @throws ApiError 400 */
export function rejectFragments(
  options: PopulateOptions,
  attribute: Attribute,
  scope: NameScope,
  path: string,
  context: PlanContext,
): void {
  const { on } = options;
  if (on === undefined || on === null) return;
  const at = childPath(path, 'on');
  if (on === 'malformed' || on === 'empty') throw invalidKey('on', at, POPULATE_SOURCE);
  rejectUnknownFragments(options, path, context);
  throw invalid(`Using fragments is not permitted to populate "${attribute.name}" in "${scope.type?.uid ?? ''}"`);
}

export function zoneRejection({ name }: Attribute, { type }: NameScope, written: RawValue): ApiError {
  return invalid(
    `Invalid nested populate for ${type?.singularName ?? ''}.${name} (${type?.uid ?? ''}). Expected a fragment ("on") or "count" but found ${JSON.stringify(written)}`,
  );
}

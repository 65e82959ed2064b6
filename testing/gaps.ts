/**
 * @module Attributes and content types that no document can be generated for, with the reasons. Found without a request.
 */

import type { Attribute, ContentType, Registry } from '../src/schema/model.ts';
import type { Settings } from '../src/schema/settings/config.ts';
import { ROLE_UID } from '../src/schema/system-types.ts';
import { sampleFor } from './files.ts';
import { sampleValue } from './values.ts';

export interface TestModel {
  readonly registry: Registry;
  readonly settings: Settings;
}

type Attributes = ReadonlyMap<string, Attribute>;

/** uids of the content types and components that lead here, through attributes that are required. */
type Trail = readonly string[];

/** The attributes that a body may have. */
export const inputsOf = (attributes: Attributes): readonly Attribute[] =>
  [...attributes.values()].filter(({ writable, name }) => writable && name !== 'publishedAt' && name !== 'locale');

const attributesOf = (uid: string, { registry }: TestModel): Attributes =>
  (registry.contentTypes.get(uid) ?? registry.components.get(uid))?.attributes ?? new Map<string, Attribute>();

/** Why nothing of this uid can be made; undefined where it can. */
function gapBehind(uid: string, model: TestModel, trail: Trail): string | undefined {
  if (uid === ROLE_UID) return undefined;
  if (trail.includes(uid)) return `it requires itself: ${[...trail.slice(trail.indexOf(uid)), uid].join(' → ')}`;
  const required = inputsOf(attributesOf(uid, model)).filter((attribute) => attribute.required);
  const gaps = required.map((attribute) => [attribute, gapOf(attribute, model, [...trail, uid])] as const);
  const [attribute, gap] = gaps.find(([, found]) => found !== undefined) ?? [];
  return attribute && `${uid} requires ${attribute.name}, and ${gap}`;
}

/** Why no value of an attribute can be made; undefined where one can. */
export function gapOf(attribute: Attribute, model: TestModel, trail: Trail = []): string | undefined {
  switch (attribute.kind) {
    case 'scalar':
      if (sampleValue(attribute, 1) !== undefined) return undefined;
      return `no value was found that its rules accept${attribute.regex ? `, with ${attribute.regex}` : ''}`;
    case 'relation':
      return gapBehind(attribute.target, model, trail);
    case 'component':
      return gapBehind(attribute.component, model, trail);
    case 'dynamiczone': {
      const gaps = attribute.components.map((uid) => gapBehind(uid, model, trail));
      return gaps.every((gap) => gap !== undefined) ? (gaps[0] ?? 'it takes no component') : undefined;
    }
    case 'polymorphic':
      return gapOf({ ...attribute, kind: 'media', allowedTypes: [] }, model, trail);
    case 'media':
      if (sampleFor(attribute, model.settings)) return undefined;
      return `\`upload\` of the settings accepts no test file of its kind (${attribute.allowedTypes.join(', ') || 'any'})`;
    case 'localizations':
    case 'related':
    case 'creator':
      return 'it is not written';
    default:
      return attribute satisfies never;
  }
}

/** Why no document of a type can be created; undefined where one can. */
export const gapOfType = ({ uid }: ContentType, model: TestModel): string | undefined => gapBehind(uid, model, []);

/**
 * @module Populates of the settings, which a request or another one names: `populate=@card`.
 */
import { memoized } from '../../../common/cache.ts';
import { invalid } from '../../../common/errors.ts';
import type { ContentType } from '../../../schema/model.ts';
import { type Fields, parseFields } from '../../request/fields.ts';
import {
  type PopulateOptions,
  type PopulateTree,
  parsePopulate,
  presetNamedBy,
  unwrap,
} from '../../request/populate.ts';
import { isListed, type NameScope, type PlanContext } from './name-scope.ts';
import { POPULATE_SOURCE } from './populate-rejections.ts';
import type { Walk } from './populate-walk.ts';
import { rawOf } from './rule-condition.ts';

interface Preset {
  /** Of the settings, with the uid of its type. */
  readonly key: string;
  readonly fields?: Fields | undefined;
  readonly populate?: PopulateTree | undefined;
}

const parsed = memoized(
  ({ fields, populate }: { readonly fields?: unknown; readonly populate?: unknown }) => ({
    fields: fields === undefined ? undefined : parseFields(rawOf(fields)),
    populate: populate === undefined ? undefined : parsePopulate(rawOf(populate)),
  }),
  new WeakMap(),
);

/** Names no type that the caller may not list. */
function ownerOf(type: ContentType | undefined, context: PlanContext): string {
  if (!type) return ' of components';
  return isListed(type.uid, context) ? ` of ${type.uid}` : '';
}

/** Returns the preset that a populate names; undefined for any other one. @throws ApiError 400 if its type has none of the name */
export function presetOf(
  tree: PopulateTree | undefined,
  { type }: NameScope,
  context: PlanContext,
): Preset | undefined {
  const { extensions } = context;
  const name = extensions && presetNamedBy(tree);
  if (name === undefined) return undefined;
  const named = type && extensions?.populates[type.uid];
  const preset = named && Object.hasOwn(named, name) ? named[name] : undefined;
  if (preset) return { key: `${type?.uid} @${name}`, ...parsed(preset) };
  throw invalid(`There is no populate @${name}${ownerOf(type, context)}`, {
    key: `@${name}`,
    ...POPULATE_SOURCE,
  });
}

/** Presets that name one another: no more are followed. */
const MAX_NAMED = 20;

/** A preset is for every caller: what the rule of one hides is left out, and `id` and `documentId` are shown unnamed. */
const withoutHidden = (fields: Fields, { rule, attributes }: NameScope): Fields =>
  rule?.fields ? { ...fields, names: fields.names.filter((name) => attributes.has(name)) } : fields;

/** Returns the fields of the preset that a populate names, or of the first one that it names. It leaves out what a rule hides. */
export function presetFields(
  tree: PopulateTree | undefined,
  scope: NameScope,
  context: PlanContext,
): Fields | undefined {
  let preset = presetOf(tree, scope, context);
  for (let count = 0; count < MAX_NAMED && preset && !preset.fields; count += 1)
    preset = presetOf(preset.populate, scope, context);
  return preset?.fields && withoutHidden(preset.fields, scope);
}

/** Returns the fields that options name, or else those of the preset that their populate names. */
export function namedFields({ fields, populate }: PopulateOptions, scope: NameScope, walk: Walk): Fields | undefined {
  const named = unwrap(fields);
  if (!named) return presetFields(populate, scope, walk);
  return walk.presets ? withoutHidden(named, scope) : named;
}

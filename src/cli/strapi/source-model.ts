/**
 * @module The content types of a running Strapi: as schemas of an archive, and as what can be asked for.
 */

import { isObject } from '../../json.ts';
import { FILE_UID, USER_UID } from '../../registry/system-types.ts';
import type { ArchiveSchema } from '../import/records.ts';
import type { AttributeJson, ComponentAnswer, TypeAnswer } from './answers.ts';

export type Attributes = Readonly<Record<string, AttributeJson>>;

export interface SourceType {
  readonly uid: string;
  readonly single: boolean;
  /** Its path below `/api`. */
  readonly path: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly attributes: Attributes;
}

/** What an attribute is to a reader. */
export type Part =
  | { readonly kind: 'scalar' }
  | { readonly kind: 'media' }
  | { readonly kind: 'relation'; readonly target: string; readonly mappedBy?: string; readonly inversedBy?: string }
  | { readonly kind: 'components'; readonly uids: readonly string[]; readonly zone: boolean }
  /** No answer has it. */
  | { readonly kind: 'untold' };

export interface SourceModel {
  readonly schemas: readonly ArchiveSchema[];
  /** uid → type; those of the project, and users. */
  readonly types: ReadonlyMap<string, SourceType>;
  readonly components: ReadonlyMap<string, Attributes>;
}

const SYSTEM = new Set(['createdBy', 'updatedBy', 'localizations']);
const optional = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** What answers never have: private attributes, and hashes of passwords. */
export const isUntold = ({ type, private: isPrivate }: AttributeJson): boolean =>
  isPrivate === true || type === 'password';

function relationPart(
  { relation, target, mappedBy, inversedBy }: AttributeJson,
  { types }: Pick<SourceModel, 'types'>,
): Part {
  const isMorph = typeof relation !== 'string' || relation.startsWith('morph');
  if (isMorph || typeof target !== 'string' || !types.has(target)) return { kind: 'untold' };
  const [mapped, inversed] = [optional(mappedBy), optional(inversedBy)];
  return { kind: 'relation', target, ...(mapped && { mappedBy: mapped }), ...(inversed && { inversedBy: inversed }) };
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** How an attribute is to be read. */
export function partOf(name: string, json: AttributeJson, model: Pick<SourceModel, 'types' | 'components'>): Part {
  if (SYSTEM.has(name) || isUntold(json)) return { kind: 'untold' };
  const known = (uids: readonly string[]) => uids.filter((uid) => model.components.has(uid));
  if (json.type === 'relation') return relationPart(json, model);
  if (json.type === 'media') return { kind: 'media' };
  if (json.type === 'component') return { kind: 'components', uids: known([String(json.component)]), zone: false };
  if (json.type === 'dynamiczone') return { kind: 'components', uids: known(texts(json.components)), zone: true };
  return { kind: 'scalar' };
}

/** As schema files have them: without what a running Strapi adds. */
const declared = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, json]) => {
      const { targetAttribute: _, required, private: isPrivate, ...rest } = json;
      return [name, { ...rest, ...(required === true && { required }), ...(isPrivate === true && { private: true }) }];
    }),
  );

function typeSchema({ uid, plugin, schema }: TypeAnswer): ArchiveSchema {
  const { kind, collectionName, singularName, pluralName, displayName, description, draftAndPublish } = schema;
  return {
    modelType: 'contentType',
    ...{ uid, kind, collectionName, attributes: declared(schema.attributes) },
    info: { singularName, pluralName, displayName: displayName ?? singularName, ...(description && { description }) },
    options: { draftAndPublish: draftAndPublish === true },
    pluginOptions: schema.pluginOptions ?? {},
    ...(plugin !== undefined && { plugin }),
  };
}

function componentSchema({ uid, schema }: ComponentAnswer): ArchiveSchema {
  const { collectionName, displayName, description, icon } = schema;
  const info = { displayName: displayName ?? uid, ...(description && { description }), ...(icon && { icon }) };
  return { uid, collectionName, info, options: {}, attributes: declared(schema.attributes), modelType: 'component' };
}

const isLocalized = (options: Readonly<Record<string, unknown>> = {}): boolean =>
  isObject(options.i18n) && options.i18n.localized === true;

function sourceType({ uid, schema }: TypeAnswer): SourceType {
  const single = schema.kind === 'singleType';
  return {
    uid,
    single,
    path: encodeURIComponent(single ? schema.singularName : schema.pluralName),
    draftAndPublish: schema.draftAndPublish === true,
    localized: isLocalized(schema.pluginOptions),
    attributes: schema.attributes,
  };
}

const isRead = ({ uid }: TypeAnswer): boolean => uid.startsWith('api::') || uid === USER_UID || uid === FILE_UID;

export function sourceModel(types: readonly TypeAnswer[], components: readonly ComponentAnswer[]): SourceModel {
  return {
    schemas: [...types.map(typeSchema), ...components.map(componentSchema)],
    types: new Map(types.filter(isRead).map((type) => [type.uid, sourceType(type)])),
    components: new Map(components.map(({ uid, schema }) => [uid, schema.attributes])),
  };
}

/** The types that have content of their own. */
export const contentTypesOf = ({ types }: SourceModel): readonly SourceType[] =>
  [...types.values()].filter(({ uid }) => uid.startsWith('api::'));

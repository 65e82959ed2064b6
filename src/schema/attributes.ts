/**
 * @module Attributes of a schema.json → Attribute, and the attributes of every content type.
 */
import { FIELDS, type ScalarType } from './fields.ts';
import type { Attribute, ScalarAttribute } from './model.ts';
import { columnName } from './names.ts';
import type { AttributeJson } from './schema-json.ts';
import { conditionOf } from './visibility.ts';

/** Options of the content type or component that an attribute belongs to. */
export interface Owner {
  readonly localized: boolean;
  readonly overflow: ReadonlySet<string>;
  readonly privateAttributes: ReadonlySet<string>;
}

export const NO_OPTIONS: Owner = { localized: false, overflow: new Set(), privateAttributes: new Set() };

type Json<T extends AttributeJson['type']> = AttributeJson & { readonly type: T };
type Common = ReturnType<typeof commonOf>;

/** Omits undefined values. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const rest: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in values) {
    const value = values[key];
    if (value !== undefined) rest[key] = value as Exclude<T[typeof key], undefined>;
  }
  return rest;
}

const toNumber = (value: number | string | undefined): number | undefined =>
  value === undefined ? undefined : Number(value);

function regexOf(source: string | undefined): RegExp | undefined {
  if (source === undefined) return undefined;
  try {
    return new RegExp(source);
  } catch {
    throw new Error(`a regular expression; "${source}" is not one`);
  }
}

/** Strapi ignores `required` and `unique` where no body may set the attribute. */
function commonOf(name: string, json: AttributeJson, owner: Owner) {
  const writable = json.writable !== false;
  const visible = conditionOf(json.conditions?.visible);
  return {
    name,
    required: writable && json.required === true,
    private: json.private === true || owner.privateAttributes.has(name),
    writable,
    localized: owner.localized && json.pluginOptions?.i18n?.localized === true,
    ...(visible !== undefined && { visible }),
  };
}

type PlainRelation = Exclude<Json<'relation'>, { readonly relation: `morph${string}` }>;

function plainRelationOf(common: Common, { relation, target, inversedBy, mappedBy }: PlainRelation): Attribute {
  if (inversedBy !== undefined && mappedBy !== undefined) throw new Error('either inversedBy or mappedBy, not both');
  if (relation === 'oneToMany' && inversedBy !== undefined)
    throw new Error('mappedBy in place of inversedBy; the side with many documents never holds the links');
  if (relation === 'manyToOne' && mappedBy !== undefined)
    throw new Error('inversedBy in place of mappedBy; the side with one document always holds the links');
  return {
    ...common,
    kind: 'relation',
    relation,
    target,
    ...present({ inverse: inversedBy ?? mappedBy }),
    owner: mappedBy === undefined,
    multiple: relation === 'oneToMany' || relation === 'manyToMany',
  };
}

function relationOf(common: Common, json: Json<'relation'>): Attribute {
  switch (json.relation) {
    case 'morphToOne':
    case 'morphToMany':
      return { ...common, kind: 'polymorphic', multiple: json.relation === 'morphToMany' };
    case 'morphOne':
    case 'morphMany': {
      const { relation, target, morphBy: inverse } = json;
      return {
        ...common,
        kind: 'relation',
        relation,
        target,
        inverse,
        owner: false,
        multiple: relation === 'morphMany',
      };
    }
    default:
      return plainRelationOf(common, json);
  }
}

/** The options of all scalar types together. */
type ScalarOptions = Pick<Json<'uid'>, 'unique' | 'default' | 'minLength' | 'maxLength' | 'regex' | 'targetField'> &
  Pick<Json<'integer'>, 'min' | 'max'> &
  Partial<Pick<Json<'enumeration'>, 'enum'>>;

function scalarOf(common: Common, json: Json<ScalarType>, column: string, owner: Owner): ScalarAttribute {
  const options = json as ScalarOptions;
  const { unique, localized } = FIELDS[json.type];
  const isUnique = unique === 'always' || (options.unique === true && unique !== 'never');
  return {
    ...common,
    kind: 'scalar',
    type: json.type,
    localized: common.localized || (owner.localized && localized === 'always'),
    unique: common.writable && isUnique,
    ...present({
      searchable: json.searchable === false ? (false as const) : undefined,
      default: options.default,
      min: toNumber(options.min),
      max: toNumber(options.max),
      minLength: options.minLength,
      maxLength: options.maxLength,
      regex: regexOf(options.regex),
      enum: options.enum,
      targetField: options.targetField,
    }),
    column,
    overflow: owner.overflow.has(common.name),
  };
}

/** Normalises a declared attribute. @throws Error whose message states what was expected. */
export function attributeOf(name: string, json: AttributeJson, owner: Owner): Attribute {
  const common = commonOf(name, json, owner);
  const column = columnName(name);
  switch (json.type) {
    case 'relation':
      // Strapi ignores its option.
      return relationOf({ ...common, localized: owner.localized }, json);
    case 'media':
      return { ...common, kind: 'media', multiple: json.multiple === true, allowedTypes: json.allowedTypes ?? [] };
    case 'component': {
      const { component, repeatable = false, min, max } = json;
      return { ...common, kind: 'component', component, repeatable, ...present({ min, max }), column };
    }
    case 'dynamiczone': {
      const { components, min, max } = json;
      return { ...common, kind: 'dynamiczone', components, ...present({ min, max }), column };
    }
    default:
      return scalarOf(common, json, column, owner);
  }
}

type SystemOptions = Partial<Pick<Attribute, 'writable' | 'private'>>;

export const systemAttribute = (name: string, options: SystemOptions = {}) => ({
  name,
  required: false,
  private: false,
  writable: false,
  localized: true,
  ...options,
});

export const systemScalar = (name: string, type: ScalarType, options?: SystemOptions): ScalarAttribute => ({
  ...systemAttribute(name, options),
  kind: 'scalar',
  type,
  unique: false,
  column: columnName(name),
  overflow: false,
});

/**
 * Returns the attributes that follow the declared ones. A body may have `publishedAt` and `locale`, which are ignored; on
 * a type without locales `locale` and `localizations` are private.
 */
export function systemAttributes({ localized, privateAttributes }: Owner): readonly Attribute[] {
  const attributes: readonly Attribute[] = [
    systemScalar('createdAt', 'datetime'),
    systemScalar('updatedAt', 'datetime'),
    systemScalar('publishedAt', 'datetime', { writable: true }),
    { ...systemAttribute('createdBy', { private: true }), kind: 'creator' },
    { ...systemAttribute('updatedBy', { private: true }), kind: 'creator' },
    systemScalar('locale', 'string', { writable: true, private: !localized }),
    { ...systemAttribute('localizations', { private: !localized }), kind: 'localizations' },
  ];
  return attributes.map((attribute) => ({
    ...attribute,
    private: attribute.private || privateAttributes.has(attribute.name),
  }));
}

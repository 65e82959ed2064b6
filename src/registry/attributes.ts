/**
 * @module One attribute of a schema.json → Attribute, and the attributes that every content type has.
 */
import { conditionOf } from './condition.ts';
import type { Attribute, ScalarAttribute, ScalarType } from './model.ts';
import { snakeCase } from './names.ts';
import type { AttributeJson } from './schema-json.ts';

/** What an attribute has to know of the content type or component that it stands in. */
export interface Owner {
  readonly localized: boolean;
  readonly overflow: ReadonlySet<string>;
  readonly privateAttributes: ReadonlySet<string>;
}

type Json<T extends AttributeJson['type']> = Extract<AttributeJson, { type: T }>;

const isDefined = <T>(value: T): value is Exclude<T, undefined> => value !== undefined;

/** Leaves out what is undefined. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const rest: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in values) {
    const value = values[key];
    if (isDefined(value)) rest[key] = value;
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

/** Kinds that are always localized, regardless of their options, as in Strapi. */
const ALWAYS_LOCALIZED: ReadonlySet<string> = new Set(['relation', 'uid']);

/** Kinds whose `unique` Strapi ignores. */
const NEVER_UNIQUE: ReadonlySet<string> = new Set(['enumeration', 'boolean', 'json', 'blocks']);

/** Of what no body may set, Strapi checks neither `required` nor `unique`. */
function commonOf(name: string, json: AttributeJson, owner: Owner) {
  const writable = json.writable !== false;
  return {
    name,
    required: writable && json.required === true,
    private: json.private === true || owner.privateAttributes.has(name),
    writable,
    localized: owner.localized && (json.pluginOptions?.i18n?.localized === true || ALWAYS_LOCALIZED.has(json.type)),
    ...present({ visible: conditionOf(json.conditions?.visible) }),
  };
}

function relationOf(name: string, json: Json<'relation'>, owner: Owner): Attribute {
  const { relation, target, inversedBy, mappedBy } = json;
  if (inversedBy !== undefined && mappedBy !== undefined) throw new Error('either inversedBy or mappedBy, not both');
  if (relation === 'oneToMany' && inversedBy !== undefined)
    throw new Error('mappedBy in place of inversedBy; the side with many documents never holds the links');
  if (relation === 'manyToOne' && mappedBy !== undefined)
    throw new Error('inversedBy in place of mappedBy; the side with one document always holds the links');
  return {
    ...commonOf(name, json, owner),
    kind: 'relation',
    relation,
    target,
    ...present({ inverse: inversedBy ?? mappedBy }),
    owner: mappedBy === undefined,
    multiple: relation === 'oneToMany' || relation === 'manyToMany',
  };
}

/** The options of all scalar types together; each type has read only its own. */
type ScalarOptions = Pick<Json<'string'>, 'unique' | 'default' | 'minLength' | 'maxLength' | 'regex'> &
  Pick<Json<'integer'>, 'min' | 'max'> &
  Partial<Pick<Json<'enumeration'>, 'enum'>> &
  Pick<Json<'uid'>, 'targetField'>;

function scalarOf(name: string, json: Json<ScalarType>, owner: Owner): ScalarAttribute {
  const options = json as ScalarOptions;
  const isUnique = json.type === 'uid' || (options.unique === true && !NEVER_UNIQUE.has(json.type));
  const common = commonOf(name, json, owner);
  return {
    ...common,
    kind: 'scalar',
    type: json.type,
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
    column: snakeCase(name),
    overflow: owner.overflow.has(name),
  };
}

/**
 * Normalises one declared attribute.
 * @throws Error whose message says what was expected in its place.
 */
export function attributeOf(name: string, json: AttributeJson, owner: Owner): Attribute {
  const common = commonOf(name, json, owner);
  const column = snakeCase(name);
  switch (json.type) {
    case 'relation':
      return relationOf(name, json, owner);
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
      return scalarOf(name, json, owner);
  }
}

interface SystemOptions {
  readonly writable?: boolean;
  readonly private?: boolean;
}

/** What the attributes that Edgewise declares itself have in common. */
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
  column: snakeCase(name),
  overflow: false,
});

/**
 * The attributes that follow the declared ones on every content type. `publishedAt` and `locale` may stand in a body,
 * where they are ignored; on a type without locales `locale` and `localizations` are private.
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

/**
 * @module Content types, normalised from their schema.json.
 */
import type { ScalarType } from './fields.ts';

/** `type` of a schema.json, once custom fields have their base type. */
export type AttributeType = ScalarType | 'relation' | 'media' | 'component' | 'dynamiczone';

interface Common {
  readonly name: string;
  readonly required: boolean;
  readonly private: boolean;
  /** May a request body set it? */
  readonly writable: boolean;
  /** Does each locale of a document have its own value? False on types without locales. */
  readonly localized: boolean;
  /** JSON logic over the surrounding data; absent: always visible. */
  readonly visible?: unknown;
}

export interface ScalarAttribute extends Common {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  readonly unique: boolean;
  /** False: `_q` skips it. */
  readonly searchable?: false;
  readonly default?: unknown;
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly regex?: RegExp;
  readonly enum?: readonly string[];
  readonly targetField?: string;
  /** Column of the type's table, or, when `overflow`, key of its overflow column. */
  readonly column: string;
  readonly overflow: boolean;
}

export interface RelationAttribute extends Common {
  readonly kind: 'relation';
  readonly relation: 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany' | 'morphOne' | 'morphMany';
  /** uid of a content type. */
  readonly target: string;
  /** The target's attribute for the other side: a polymorphic one for `morphOne` and `morphMany`. */
  readonly inverse?: string;
  /** Does this side have the link table? */
  readonly owner: boolean;
  readonly multiple: boolean;
}

/** A relation to documents of several types. Its own type has the link table. */
export interface PolymorphicAttribute extends Common {
  readonly kind: 'polymorphic';
  readonly multiple: boolean;
}

export interface MediaAttribute extends Common {
  readonly kind: 'media';
  readonly multiple: boolean;
  readonly allowedTypes: readonly string[];
}

export interface ComponentAttribute extends Common {
  readonly kind: 'component';
  readonly component: string;
  readonly repeatable: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly column: string;
}

export interface DynamicZoneAttribute extends Common {
  readonly kind: 'dynamiczone';
  readonly components: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly column: string;
}

interface Bare<Kind extends string> extends Common {
  readonly kind: Kind;
}

export type Attribute =
  | ScalarAttribute
  | RelationAttribute
  | PolymorphicAttribute
  | MediaAttribute
  | ComponentAttribute
  | DynamicZoneAttribute
  /** `createdBy`, `updatedBy`, the permissions of a role: attributes of Strapi that are never stored or shown here. */
  | Bare<'creator'>
  /** The other locales of the same document. */
  | Bare<'localizations'>
  /** The rows whose media attributes link to a file. */
  | Bare<'related'>;

/** An attribute whose value stands in the row itself. */
export type ColumnAttribute = ScalarAttribute | ComponentAttribute | DynamicZoneAttribute;
/** An attribute that links to documents of one type. */
export type TypedLinkAttribute = RelationAttribute | MediaAttribute;
export type LinkAttribute = TypedLinkAttribute | PolymorphicAttribute;

export interface Component {
  /** `<category>.<name>` */
  readonly uid: string;
  readonly displayName: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** A column of a declared index; `id` follows the last one. */
export interface IndexTerm {
  /** That of the attribute. */
  readonly name: string;
  readonly column: string;
  readonly descending: boolean;
}

export interface ContentType {
  /** `api::<singularName>.<singularName>`; system types are `plugin::…` or `admin::…`. */
  readonly uid: string;
  readonly kind: 'collectionType' | 'singleType';
  readonly singularName: string;
  readonly pluralName: string;
  readonly displayName: string;
  readonly description: string;
  /** It has a row per version of a document. */
  readonly table: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  /** Declared by Edgewise, without generic endpoints. */
  readonly system: boolean;
  /** Declared attributes in file order, then those of every type. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Indexes over the rows of a version and a locale. */
  readonly indexes: readonly (readonly IndexTerm[])[];
  /** Does it have a search index? */
  readonly searchable: boolean;
  /** Of the attributes that `search` looks into, by name; absent: all, 1 each. */
  readonly weights?: ReadonlyMap<string, number>;
  /** Attributes with an index, in addition to unique ones. */
  readonly indexed?: ReadonlySet<string>;
  /** Names of attributes that are passwords or have some within components. Absent for types that Edgewise declares. */
  readonly secret?: ReadonlySet<string>;
}

/** The content of a schema.json. */
export type SchemaJson = Readonly<Record<string, unknown>>;

/** What the migrations that were made at once have renamed. */
export interface RenameStep {
  /** Former → new uid, of content types and components. */
  readonly uids: Readonly<Record<string, string>>;
  /** Former → new name, by the new uid of the content type or component. */
  readonly attributes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Registry {
  readonly contentTypes: ReadonlyMap<string, ContentType>;
  readonly components: ReadonlyMap<string, Component>;
  /** By path segment, in small letters. */
  readonly routes: ReadonlyMap<string, ContentType>;
  /** Of content types and components, by uid. */
  readonly schemas: ReadonlyMap<string, SchemaJson>;
  /** In order, if a history is kept: its entries have the names of their time. */
  readonly renames?: readonly RenameStep[];
  /** The fences of the migrations that it knows. */
  readonly fences: readonly string[];
  /** A hash of the schema files and settings; absent unless a project was read. */
  readonly fingerprint?: string;
}

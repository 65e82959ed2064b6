/**
 * @module What a content type is, once its schema.json has been read: normalised, readonly, free of SQL and HTTP.
 */

export type ScalarType =
  | 'string'
  | 'text'
  | 'richtext'
  | 'blocks'
  | 'email'
  | 'password'
  | 'uid'
  | 'enumeration'
  | 'integer'
  | 'biginteger'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'time'
  | 'json';

interface Common {
  readonly name: string;
  readonly required: boolean;
  readonly private: boolean;
  /** May the attribute stand in a request body? False also where a schema file says `"writable": false`. */
  readonly writable: boolean;
  /** Does each locale of a document have its own value? False on types without locales. */
  readonly localized: boolean;
  /** JSON logic over the data beside it that says when it counts; absent: always. */
  readonly visible?: unknown;
}

export interface ScalarAttribute extends Common {
  readonly kind: 'scalar';
  readonly type: ScalarType;
  readonly unique: boolean;
  /** Does `_q` leave it out? Absent: it looks into texts and numbers. */
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

export type RelationKind = 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany';

export interface RelationAttribute extends Common {
  readonly kind: 'relation';
  readonly relation: RelationKind;
  /** uid of the content type that the relation points to. */
  readonly target: string;
  /** Attribute of the target that is the other side of this relation. */
  readonly inverse?: string;
  /** The owning side has the link table; the other side reads it backwards. */
  readonly owner: boolean;
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

/** `createdBy`, `updatedBy`, the permissions of a role: named by the reference, never shown and never stored here. */
export interface CreatorAttribute extends Common {
  readonly kind: 'creator';
}

/** The other locales of the same document. */
export interface LocalizationsAttribute extends Common {
  readonly kind: 'localizations';
}

/** What uses a file: the rows whose media attributes lead to it. */
export interface RelatedAttribute extends Common {
  readonly kind: 'related';
}

export type Attribute =
  | ScalarAttribute
  | RelationAttribute
  | MediaAttribute
  | ComponentAttribute
  | DynamicZoneAttribute
  | CreatorAttribute
  | LocalizationsAttribute
  | RelatedAttribute;

export interface Component {
  /** `<category>.<name>` */
  readonly uid: string;
  readonly displayName: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** A column of a declared index; behind the last one rows are in the order of their `id`. */
export interface IndexTerm {
  /** Name of the attribute. */
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
  /** The table that holds a row per version of a document. */
  readonly table: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  /** Declared by Edgewise, without generic endpoints. */
  readonly system: boolean;
  /** Declared attributes in file order, then the timestamps and the rest that every type has. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** Indexes over the rows of a version and a locale. */
  readonly indexes: readonly (readonly IndexTerm[])[];
  /** Has it a search index, over all that `_q` looks into? */
  readonly searchable: boolean;
  /** Attributes that have an index, besides unique ones. */
  readonly indexed?: ReadonlySet<string>;
}

/** A schema.json as it is written. */
export type SchemaJson = Readonly<Record<string, unknown>>;

export interface Registry {
  readonly contentTypes: ReadonlyMap<string, ContentType>;
  readonly components: ReadonlyMap<string, Component>;
  /** Path segment in small letters → the type that answers there. */
  readonly routes: ReadonlyMap<string, ContentType>;
  /** uid → the file, of content types and components. */
  readonly schemas: ReadonlyMap<string, SchemaJson>;
}

/** Does the attribute's own type hold its links? */
export const isOwner = (attribute: Attribute): boolean =>
  attribute.kind === 'media' || (attribute.kind === 'relation' && attribute.owner);

export const isPassword = (attribute: Attribute): boolean =>
  attribute.kind === 'scalar' && attribute.type === 'password';

/** Private attributes, passwords and creators exist, but no request may read them. */
export const isHidden = (attribute: Attribute): boolean => attribute.private || isPassword(attribute);

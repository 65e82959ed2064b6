/**
 * @module The value of a relation or media attribute in a body → the targets to set, connect and disconnect.
 */
import { isObject } from '../../../common/json.ts';
import { isMedia, isPolymorphic } from '../../../schema/attribute-kinds.ts';
import type { LinkAttribute } from '../../../schema/model.ts';
import type { InputData } from '../../request/body.ts';

/** A target beside which another is placed. */
export interface Anchor {
  readonly at: 'before' | 'after';
  readonly documentId?: string;
  readonly id?: number;
  readonly locale?: string;
  /** Is the locale that of the target? */
  readonly isInherited?: boolean;
  readonly type?: string;
  /** Does the position name the type itself? */
  readonly isTyped?: boolean;
}

export type Position =
  /** `none`: the body has no position; the target goes to the end. */
  { readonly at: 'none' | 'start' | 'end' } | Anchor;

/** Does the position name an anchor? */
export const namesAnchor = (position: Position): position is Anchor =>
  position.at === 'before' || position.at === 'after';

/** A target in a body, by its documentId or the id of any of its rows; an empty object names none. */
export interface TargetRef {
  readonly documentId?: string;
  readonly id?: number;
  readonly locale?: string;
  /** The `__type` of a polymorphic relation. */
  readonly type?: string;
  readonly position: Position;
}

/** With `set` all other targets only need to exist; else `disconnect` applies before `connect`. */
export interface RelationInput {
  readonly attribute: LinkAttribute;
  readonly set?: readonly TargetRef[];
  readonly connect: readonly TargetRef[];
  readonly disconnect: readonly TargetRef[];
  /** Targets that must exist, but are not linked. */
  readonly others: readonly TargetRef[];
  /** `{"options": {"strict": false}}`: an anchor that is not connected means the end. */
  readonly isLenient: boolean;
}

const NONE: Position = { at: 'none' };
type Name = Pick<TargetRef, 'documentId' | 'id'>;

/** The id of no row, for a value that is neither a documentId nor a number. */
const NO_ROW = -1;

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;
/** `String` may call the `toString` of an object, which may throw. */
const textOf = (value: unknown): string => (typeof value === 'object' ? '[object Object]' : String(value));

/** Reads the id of a row, in any notation of the number. */
function rowOf(value: unknown): number {
  const id = typeof value === 'string' && /^[\s\d+.e-]*$/i.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isFinite(id) ? id : NO_ROW;
}

function nameOf(value: unknown): Name {
  if (value === '') return {};
  return typeof value === 'string' && !/^\s*[+-]?\d/.test(value) ? { documentId: value } : { id: rowOf(value) };
}

type Localized = Pick<TargetRef, 'locale'>;

/** Strapi reads any value that is not empty as the name of a locale. */
const localeIn = ({ locale }: InputData): Localized => (locale ? { locale: textOf(locale) } : {});

/** An anchor is in the locale of its target, unless it names another one. */
function anchorLocale(position: InputData, { locale }: Localized) {
  const isInherited = locale !== undefined && !position.locale;
  return isInherited ? { locale, isInherited } : localeIn(position);
}

/** If the target has a documentId, its anchor is read as one too. Strapi reads what is no object, such as a text, as the end. */
function positionOf(value: unknown, { documentId }: Name, localized: Localized, typed: Typed): Position {
  if (!isObject(value)) return value ? { at: 'end' } : NONE;
  const at = (['before', 'after'] as const).find((name) => value[name]);
  if (!at) return { at: value.start ? 'start' : 'end' };
  const named =
    documentId === undefined
      ? { ...nameOf(value[at]), ...localeIn(value) }
      : { documentId: textOf(value[at]), ...anchorLocale(value, localized) };
  return { at, ...named, ...anchorType(value, typed) };
}

type Typed = Pick<TargetRef, 'type'>;

const typeIn = ({ __type: type }: InputData): Typed => (typeof type === 'string' ? { type } : {});

/** An anchor has the type of its target, unless it names another one. */
const anchorType = (position: InputData, typed: Typed) =>
  typeof position.__type === 'string' ? { type: position.__type, isTyped: true } : typed;

function nameIn({ documentId, id }: InputData): Name {
  if (documentId) return { documentId: textOf(documentId) };
  return id === undefined ? {} : { id: rowOf(id) };
}

function refOf(value: unknown): TargetRef {
  if (!isObject(value)) return { ...nameOf(value), position: NONE };
  const name = nameIn(value);
  const localized = localeIn(value);
  const typed = typeIn(value);
  return { ...name, ...localized, ...typed, position: positionOf(value.position, name, localized, typed) };
}

const listOf = (value: unknown): readonly TargetRef[] =>
  [value]
    .flat(Number.POSITIVE_INFINITY)
    .filter((item) => isGiven(item) && item !== false)
    .map(refOf);

/**
 * Reduces the input of a single relation like Strapi: to the last target of `set` (the first file) and the first of
 * `connect`. The rest must exist, except that of a relation's `set`.
 */
function reduceToSingle(attribute: LinkAttribute, input: Omit<RelationInput, 'attribute' | 'others'>): RelationInput {
  if (attribute.multiple) return { attribute, ...input, others: [] };
  const { set, connect, disconnect, isLenient } = input;
  const [first, ...rest] = set ?? [];
  const isFile = isMedia(attribute);
  const kept = isFile && first ? [first] : set?.slice(-1);
  const others = [...connect.slice(1), ...(isFile ? rest : [])];
  return { attribute, connect: connect.slice(0, 1), disconnect, others, isLenient, ...(kept && { set: kept }) };
}

/** Does an object name operations, not a target? */
const hasOperations = (value: unknown): value is InputData =>
  isObject(value) && !('documentId' in value) && !('id' in value);

/** Does a value have targets to connect or disconnect beside `set`? Strapi ignores them, or with `null` the `set`. */
export const isMixed = (value: unknown): boolean =>
  hasOperations(value) &&
  (value.set === null || Boolean(value.set)) &&
  [value.connect, value.disconnect].some((list) => listOf(list || null).length > 0);

/**
 * Reads every form that a body may use; undefined if it changes nothing.
 * @param emptySetClears does `{set: null}` mean an empty `set`, and does that remove all links of a polymorphic relation?
 */
export function relationInput(
  attribute: LinkAttribute,
  value: unknown,
  emptySetClears: boolean,
): RelationInput | undefined {
  if (value === undefined) return undefined;
  const none = { connect: [], disconnect: [], isLenient: false };
  if (value === false) return reduceToSingle(attribute, { ...none, set: [refOf(value)] });
  const isTyped = isPolymorphic(attribute);
  if (!hasOperations(value)) {
    const set = listOf(value);
    const isKept = isTyped && attribute.multiple && (value === true || (set.length === 0 && !emptySetClears));
    return isKept ? undefined : reduceToSingle(attribute, { ...none, set });
  }
  // Like Strapi, an empty `set` of a polymorphic relation changes nothing.
  const isIgnored = isTyped && !emptySetClears && listOf(value.set).length === 0;
  const given = value.set === null && emptySetClears ? [] : value.set;
  const set = isIgnored ? undefined : given;
  const wanted = value.connect ?? set;
  // Strapi reads `{connect: ""}` as a target without a name.
  const connect = isGiven(wanted) && !wanted ? [{ position: NONE }] : listOf(value.connect);
  const disconnect = listOf(value.disconnect || null);
  const isLenient = isObject(value.options) && value.options.strict !== undefined && !value.options.strict;
  const isEmptied = set === null && isMedia(attribute) && connect.length + disconnect.length === 0;
  if (set || isEmptied) return reduceToSingle(attribute, { connect, disconnect, isLenient, set: listOf(set) });
  return connect.length + disconnect.length > 0
    ? reduceToSingle(attribute, { connect, disconnect, isLenient })
    : undefined;
}

/**
 * @module What a body says about a relation or media attribute → which targets replace, join or leave the present ones.
 */
import { isObject } from '../../json.ts';
import type { InputData } from '../../request/body.ts';
import type { LinkAttribute } from '../model/links.ts';

export type Position =
  /** `none`: none was given, which means the end as well. */
  | { readonly at: 'none' | 'start' | 'end' }
  | { readonly at: 'before' | 'after'; readonly documentId?: string; readonly id?: number; readonly locale?: string };

/** A target as a body names it: by documentId, or by the numeric id of any of its rows; or an object that names none. */
export interface TargetRef {
  readonly documentId?: string;
  readonly id?: number;
  readonly locale?: string;
  readonly position: Position;
}

/**
 * `set` replaces everything, and the others are looked up only; otherwise `disconnect` is taken away and `connect` put
 * in, in that order.
 */
export interface RelationInput {
  readonly attribute: LinkAttribute;
  readonly set?: readonly TargetRef[];
  readonly connect: readonly TargetRef[];
  readonly disconnect: readonly TargetRef[];
  /** Looked up, and nothing else. */
  readonly others: readonly TargetRef[];
  /** Does a position beside a target that is not connected mean the end? `{"options": {"strict": false}}`. */
  readonly isLenient: boolean;
}

const NONE: Position = { at: 'none' };
type Name = Pick<TargetRef, 'documentId' | 'id'>;

/** The numeric id of no row: what is neither a documentId nor a number is looked for and not found. */
const NOBODY = -1;

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;
/** Of an object or list `String` would be whatever it says, or an exception. */
const textOf = (value: unknown): string => (typeof value === 'object' ? '[object Object]' : String(value));

/** Text that begins like a number is the numeric id of a row, in any notation of that number. */
function rowOf(value: unknown): number {
  const id = typeof value === 'string' && /^[\s\d+.e-]*$/i.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isFinite(id) ? id : NOBODY;
}

function nameOf(value: unknown): Name {
  if (value === '') return {};
  return typeof value === 'string' && !/^\s*[+-]?\d/.test(value) ? { documentId: value } : { id: rowOf(value) };
}

/** Beside a documentId an anchor is a documentId as well. */
function positionOf(value: unknown, { documentId }: Name): Position {
  if (!isObject(value)) return NONE;
  const at = (['before', 'after'] as const).find((name) => value[name]);
  if (!at) return { at: value.start ? 'start' : 'end' };
  const name = documentId === undefined ? nameOf(value[at]) : { documentId: textOf(value[at]) };
  return { at, ...name, ...(typeof value.locale === 'string' && { locale: value.locale }) };
}

/** What stands in place of a documentId is looked for as text. */
function nameIn({ documentId, id }: InputData): Name {
  if (documentId) return { documentId: textOf(documentId) };
  return id === undefined ? {} : { id: rowOf(id) };
}

function refOf(value: unknown): TargetRef {
  if (!isObject(value)) return { ...nameOf(value), position: NONE };
  const name = nameIn(value);
  const locale = typeof value.locale === 'string' ? { locale: value.locale } : {};
  return { ...name, ...locale, position: positionOf(value.position, name) };
}

const listOf = (value: unknown): readonly TargetRef[] =>
  [value]
    .flat(Number.POSITIVE_INFINITY)
    .filter((item) => isGiven(item) && item !== false)
    .map(refOf);

/**
 * A relation to one target keeps the last of a replacing list, and the first of a connecting one; one file the first of
 * either. What else is named is looked up, as in the reference, but for the rest of a list that replaces a relation.
 */
function fitted(attribute: LinkAttribute, input: Omit<RelationInput, 'attribute' | 'others'>): RelationInput {
  if (attribute.multiple) return { attribute, ...input, others: [] };
  const { set, connect, disconnect, isLenient } = input;
  const [first, ...rest] = set ?? [];
  const isFile = attribute.kind === 'media';
  const kept = isFile && first ? [first] : set?.slice(-1);
  const others = [...connect.slice(1), ...(isFile ? rest : [])];
  return { attribute, connect: connect.slice(0, 1), disconnect, others, isLenient, ...(kept && { set: kept }) };
}

/** Every form a body may use; undefined when it asks for no change. */
export function relationInput(attribute: LinkAttribute, value: unknown): RelationInput | undefined {
  if (value === undefined) return undefined;
  const none = { connect: [], disconnect: [], isLenient: false };
  if (value === null) return fitted(attribute, { ...none, set: [] });
  if (value === false) return fitted(attribute, { ...none, set: [refOf(value)] });
  if (!isObject(value) || 'documentId' in value || 'id' in value)
    return fitted(attribute, { ...none, set: listOf(value) });
  const wanted = value.connect ?? value.set;
  // `{connect: ""}` names a target, and says nothing of which.
  const connect = isGiven(wanted) && !wanted ? [{ position: NONE }] : listOf(value.connect);
  const disconnect = listOf(value.disconnect || null);
  const isLenient = isObject(value.options) && value.options.strict !== undefined && !value.options.strict;
  if (value.set === null && attribute.kind === 'media' && !isGiven(wanted))
    return fitted(attribute, { connect, disconnect, isLenient, set: [] });
  if (value.set) return fitted(attribute, { connect, disconnect, isLenient, set: listOf(value.set) });
  return connect.length + disconnect.length > 0 ? fitted(attribute, { connect, disconnect, isLenient }) : undefined;
}

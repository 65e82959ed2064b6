/**
 * @module What a body says about a relation or media attribute → which targets replace, join or leave the present ones.
 */
import type { MediaAttribute, RelationAttribute } from '../registry/model.ts';
import { FILE_UID } from '../registry/system-types.ts';
import { isObject } from '../request/body.ts';

export type LinkAttribute = RelationAttribute | MediaAttribute;

export type Position =
  /** `none`: none was given, which means the end as well. */
  | { readonly at: 'none' | 'start' | 'end' }
  | { readonly at: 'before' | 'after'; readonly documentId?: string; readonly id?: number };

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
}

const NONE: Position = { at: 'none' };
/** The numeric id of no row: what is neither a documentId nor a number is looked for and not found. */
const NOBODY = -1;

export const targetOf = (attribute: LinkAttribute): string =>
  attribute.kind === 'media' ? FILE_UID : attribute.target;

function nameOf(value: unknown): { readonly documentId?: string; readonly id?: number } {
  if (typeof value === 'number') return { id: value };
  if (typeof value !== 'string') return { id: NOBODY };
  return /^\d/.test(value) || value === ''
    ? { id: /^\d+$/.test(value) ? Number(value) : NOBODY }
    : { documentId: value };
}

function positionOf(value: unknown): Position {
  if (!isObject(value)) return NONE;
  const at = (['before', 'after'] as const).find((name) => value[name]);
  if (at) return { at, ...nameOf(value[at]) };
  return { at: value.start ? 'start' : 'end' };
}

function refOf(value: unknown): TargetRef {
  if (!isObject(value)) return { ...nameOf(value), position: NONE };
  const named = value.id === undefined ? {} : nameOf(value.id);
  const name = typeof value.documentId === 'string' ? { documentId: value.documentId } : named;
  const locale = typeof value.locale === 'string' ? { locale: value.locale } : {};
  return { ...name, ...locale, position: positionOf(value.position) };
}

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const listOf = (value: unknown): readonly TargetRef[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => isGiven(item) && !isEmptyList(item)).map(refOf);

/** A relation to one target keeps the last of a replacing list, and the first of a connecting one. */
function fitted(attribute: LinkAttribute, input: Omit<RelationInput, 'attribute'>): RelationInput {
  if (attribute.multiple) return { attribute, ...input };
  const { set, connect, disconnect } = input;
  return { attribute, connect: connect.slice(0, 1), disconnect, ...(set && { set: set.slice(-1) }) };
}

/** Every form a body may use; undefined when it asks for no change. */
export function relationInput(attribute: LinkAttribute, value: unknown): RelationInput | undefined {
  if (value === undefined) return undefined;
  const none = { connect: [], disconnect: [] };
  if (value === null) return fitted(attribute, { ...none, set: [] });
  if (!isObject(value) || 'documentId' in value || 'id' in value)
    return fitted(attribute, { ...none, set: listOf(value) });
  const connect = listOf(value.connect);
  const disconnect = listOf(value.disconnect);
  if (isGiven(value.set)) return fitted(attribute, { connect, disconnect, set: listOf(value.set) });
  return connect.length + disconnect.length > 0 ? fitted(attribute, { connect, disconnect }) : undefined;
}

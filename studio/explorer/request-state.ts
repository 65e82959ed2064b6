/**
 * @module The request that the explorer shows: a path and a query, read from what was typed or clicked.
 */
import { type Query, readList, readQuery } from '../api/query-string.ts';
import type { ContentType, Model } from '../model/model.ts';

export interface Explored {
  readonly path: string;
  readonly query: Query;
  /** What the path leads to; undefined for other paths of the API. */
  readonly type: ContentType | undefined;
  /** Undefined for lists and single types, empty where it is still to be typed. */
  readonly documentId: string | undefined;
}

/** Returns the path and the query of an address of this server's API, or undefined for every other address. */
export function ownAddress(text: string, origin: string): string | undefined {
  const url = URL.parse(text.trim(), origin);
  const isOwn =
    url?.origin === origin && url.pathname.startsWith('/api/') && !/^\/api\/(auth|connect)\//.test(url.pathname);
  return isOwn ? `${url.pathname}${url.search}` : undefined;
}

/** A path that is typed may have a `%` that encodes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param address path and query */
export function readAddress(model: Model, address: string): Explored {
  const [path = '', ...rest] = address.split('?');
  const types = [...model.types.values()];
  const type = types.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  const documentId = type && path !== type.path ? decoded(path.slice(type.path.length + 1)) : undefined;
  return { path, query: readQuery(rest.join('?')), type, documentId };
}

/** What is populated below each name; `*` is everything, one level deep. */
export type Populated = Readonly<Record<string, Query>>;

const isObject = (value: unknown): value is Query =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function addPath(tree: Populated, [name = '', ...rest]: readonly string[]): Populated {
  const inner = tree[name] ?? {};
  return {
    ...tree,
    [name]:
      rest.length === 0 ? inner : { ...inner, populate: writePopulate(addPath(readPopulate(inner.populate), rest)) },
  };
}

/** Reads any form of `populate`: names with dots, lists, and objects. */
export function readPopulate(value: unknown): Populated {
  if (!isObject(value)) return readList(value).reduce<Populated>((tree, path) => addPath(tree, path.split('.')), {});
  const entries = Object.entries(value).filter(([, inner]) => String(inner) !== 'false');
  if (entries.some(([name]) => /^\d+$/.test(name))) return readPopulate(Object.values(value));
  return Object.fromEntries(entries.map(([name, inner]) => [name, isObject(inner) ? inner : {}]));
}

/** Returns `populate`, or undefined where nothing is populated. */
export function writePopulate(tree: Populated): unknown {
  const entries = Object.entries(tree).map(([name, inner]) => {
    const given = Object.entries(inner).filter(([, value]) => value !== undefined);
    return [name, given.length > 0 ? Object.fromEntries(given) : true] as const;
  });
  if (entries.length === 0) return undefined;
  return entries.length === 1 && entries[0]?.[0] === '*' ? '*' : Object.fromEntries(entries);
}

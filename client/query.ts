/**
 * @module Objects → query strings in brackets, as `qs.stringify(query, { encodeValuesOnly: true, allowEmptyArrays: true })` writes them.
 */

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Names keep what is legible. */
const encodeName = (name: string): string => encodeURIComponent(name).replace(/%(24|3A|40)/g, decodeURIComponent);

function pairsOf(key: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (value instanceof Date) return [`${key}=${encode(value.toISOString())}`];
  if (typeof value !== 'object' || value === null) return [`${key}=${encode(String(value ?? ''))}`];
  // Without it, `$in: []` would find everything.
  if (Array.isArray(value) && value.length === 0) return [`${key}[]`];
  return Object.entries(value).flatMap(([name, item]) => pairsOf(`${key}[${encodeName(name)}]`, item));
}

/** Returns a query string with its `?`, or an empty text. Leaves out what is undefined. */
export function queryString(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => pairsOf(encodeName(name), value));
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

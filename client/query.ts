/**
 * @module Objects → query strings in brackets, as `qs.stringify(query, { encodeValuesOnly: true, allowEmptyArrays: true })` writes them.
 */

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Names keep what is legible. */
const encodeName = (name: string): string => encodeURIComponent(name).replace(/%(24|3A|40)/g, decodeURIComponent);

/** Filters where a value is missing would find everything. */
function missingIn(key: string): TypeError {
  const path = key.replaceAll(']', '').replaceAll('[', '.');
  return new TypeError(`${path} has no value; for attributes without one use $null`);
}

/** @param inFilters does the key stand inside of filters? */
function pairsOf(key: string, value: unknown, inFilters: boolean): readonly string[] {
  if (inFilters && (value === undefined || value === null)) throw missingIn(key);
  if (value === undefined) return [];
  if (value instanceof Date) return [`${key}=${encode(value.toISOString())}`];
  if (typeof value !== 'object' || value === null) return [`${key}=${encode(String(value ?? ''))}`];
  // Without it, `$in: []` would find everything.
  if (Array.isArray(value) && value.length === 0) return [`${key}[]`];
  // Lists may have gaps, which their entries do not name.
  const entries = [...(Array.isArray(value) ? [...value].entries() : Object.entries(value))];
  // An entry of a list, such as `$and`, may have no conditions.
  if (inFilters && entries.length === 0 && !/\[\d+\]$/.test(key)) throw missingIn(key);
  const isBelow = inFilters || /(^|\[)filters\]?$/.test(key);
  return entries.flatMap(([name, item]) => pairsOf(`${key}[${encodeName(String(name))}]`, item, isBelow));
}

/**
 * Returns a query string with its `?`, or an empty text. Leaves out what is undefined.
 * @throws TypeError for undefined, null and `{}` inside of `filters`
 */
export function queryString(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => pairsOf(encodeName(name), value, false));
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/**
 * @module JSON of unknown shape: the check for an object, and readers of columns that hold JSON.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an own value of an object or an item of a list; undefined for anything else. */
export const ownValue = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

/** Parses the text of a JSON column; null stays null, and what SQLite has parsed stays as it is. */
export const readJson = (stored: unknown): unknown => (typeof stored === 'string' ? JSON.parse(stored) : stored);

/** Reads a JSON list; empty for anything else. */
export function readList(stored: unknown): readonly unknown[] {
  const value = readJson(stored);
  return Array.isArray(value) ? value : [];
}

/** Reads a JSON object; empty for anything else. */
export function readObject(stored: unknown): JsonObject {
  const value = readJson(stored);
  return isObject(value) ? value : {};
}

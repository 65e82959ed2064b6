/**
 * @module Changes that are not saved yet. They are kept for this tab, whatever page is opened meanwhile.
 */
import { type Place, pathOf } from './version.ts';

export interface KeptChanges {
  readonly values: Record<string, unknown>;
  /** The values that the form was filled with. */
  readonly base: Record<string, unknown>;
  /** Tag of the version that they were made from; null for a new document. */
  readonly etag: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
}

const keyOf = (place: Place): string => `studio.changes:${pathOf(place)}:${place.locale ?? ''}`;

export function keptChanges(place: Place): KeptChanges | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(place)) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps changes, or forgets them with null. A browser without room for them keeps none. */
export function keepChanges(place: Place, changes: KeptChanges | null): void {
  try {
    if (changes) sessionStorage.setItem(keyOf(place), JSON.stringify(changes));
    else sessionStorage.removeItem(keyOf(place));
  } catch {
    sessionStorage.removeItem(keyOf(place));
  }
}

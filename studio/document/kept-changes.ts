/**
 * @module Changes that are not saved yet. They are kept for this tab, whatever page is opened meanwhile, and for who
 * made them.
 */
import { createStore, type Session, session } from '../api/session.ts';
import { type ContentType, screenOf } from '../model/model.ts';
import { isNewAt, type Place, pathOf } from './place.ts';

interface KeptChanges {
  readonly values: Record<string, unknown>;
  /** The values that the form was filled with. */
  readonly base: Record<string, unknown>;
  /** Tag of the version that they were made from; null for a new document. */
  readonly etag: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Of the form. */
  readonly locale: string | undefined;
}

/** Counts the calls of `keepChanges`. */
const count = createStore(0);

/** Changes that the storage has no room for. They last until the page is left. */
const large = new Map<string, KeptChanges>();

const PREFIX = '["studio.changes",';

/**
 * Returns the key of the changes that a user makes at a place. A new document may still change its locale, but not in a
 * layer over another form.
 */
export const keyOfChanges = (place: Place, layer = 0, owner: Session | null = session()): string => {
  const { locale } = place;
  const version = !isNewAt(place) ? locale : layer > 0 ? [layer, locale] : null;
  return JSON.stringify(['studio.changes', owner?.id, pathOf(place), version]);
};

export function keptChanges(key: string): KeptChanges | null {
  return large.get(key) ?? JSON.parse(sessionStorage.getItem(key) ?? 'null');
}

/** Returns the screen of a new document: that which is not saved, in its locale, if there is one. */
export function newScreenOf(type: ContentType, locale?: string): string {
  const kept = keptChanges(keyOfChanges({ type, documentId: undefined, locale }));
  return screenOf(type, 'new', kept ? kept.locale : locale);
}

/** Whether there are changes at a place that are not saved. */
function hasKeptChanges(place: Place): boolean {
  const key = keyOfChanges(place);
  return large.has(key) || sessionStorage.getItem(key) !== null;
}

/** Returns `hasKeptChanges`; the component follows. */
export function useKeptChanges(): typeof hasKeptChanges {
  count.use();
  return hasKeptChanges;
}

/** The form that was opened last, by the key of its changes: what an earlier one does late leaves them alone. */
const holders = new Map<string, symbol>();

/** Makes a form the one whose changes are kept under a key. */
export const holdChanges = (key: string, form: symbol): void => void holders.set(key, form);

/** Returns the form whose changes are kept under a key; undefined if none was opened. */
export const holderOf = (key: string): symbol | undefined => holders.get(key);

/** The storage ends with the tab, so the browser asks before it is closed, whatever is on the screen. */
window.addEventListener('beforeunload', (event) => {
  if (large.size > 0 || Object.keys(sessionStorage).some((key) => key.startsWith(PREFIX))) event.preventDefault();
});

/** Keeps changes, or forgets them with null. */
export function keepChanges(key: string, changes: KeptChanges | null): void {
  large.delete(key);
  sessionStorage.removeItem(key);
  try {
    if (changes) sessionStorage.setItem(key, JSON.stringify(changes));
  } catch {
    if (changes) large.set(key, changes);
  }
  count.set(count.get() + 1);
}

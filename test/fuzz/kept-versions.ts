/**
 * @module A history as docs/history.md describes it, over lists in memory: what each write adds to it, and what it drops.
 */
import { hasDrafts, type TypeName } from './written-model.ts';
import { keyOf, type Ref, type State, VERSIONS, type Version, type VersionName } from './written-state.ts';

/** Versions that the settings keep. */
export const LIMITS: Readonly<Record<TypeName, number>> = { alpha: 4, beta: 20, gamma: 3, delta: 2 };
/** Milliseconds in which the saves of a draft by one caller replace one another. */
const SAME_SITTING = 600_000;

/** What readers found when the version was made. */
interface Shown {
  readonly version: Version;
  /** Of a type without drafts: without what is shown only to those who ask for drafts. */
  readonly published: Version;
  /** Keys of all versions that there were. */
  readonly rows: ReadonlySet<string>;
}

export interface KeptVersion {
  readonly operation: string;
  /** Name of the token; null of what was there before. */
  readonly by: string | null;
  readonly at: number;
  /** Absent: without values. */
  readonly shown?: Shown;
}

/** A version that a write makes or removes. */
export interface Event {
  readonly operation: string;
  readonly type: TypeName;
  readonly ref: Ref;
  /** As entries name it: of a type without drafts, it is published. */
  readonly version: VersionName;
}

const REMOVALS = ['delete', 'unpublish'];

/** By key of the version, the newest first. */
export type KeptVersions = Map<string, readonly KeptVersion[]>;

/** Of a type without drafts, that version shows everything which is asked for as a draft. */
export const shownKey = ({ type, ref, version }: Event): string =>
  keyOf(type, ref, hasDrafts(type) ? version : 'draft');

function shownIn(state: State, event: Event): Shown | undefined {
  const version = state.get(shownKey(event));
  const published = state.get(keyOf(event.type, event.ref, event.version));
  return version && published && { version, published, rows: new Set(state.keys()) };
}

/** Adds what a write of a caller has made. */
export function keep(kept: KeptVersions, event: Event, before: State, after: State, by: string, at: number): void {
  const { type, ref, version, operation } = event;
  const key = keyOf(type, ref, version);
  const former = kept.get(key) ?? [];
  const old = operation === 'create' ? undefined : shownIn(before, event);
  const first: KeptVersion[] = old && former.length === 0 ? [{ operation: 'before', by: null, at: 0, shown: old }] : [];
  const all = [...first, ...former];
  const [last] = all;
  const isRepeated = operation === 'update' && version === 'draft' && last?.operation === 'update' && last.by === by;
  const rest = isRepeated && last.at > at - SAME_SITTING ? all.slice(1) : all;
  if (REMOVALS.includes(operation)) return void kept.set(key, [{ operation, by, at }, ...all]);
  const shown = shownIn(after, event);
  kept.set(key, [{ operation, by, at, ...(shown && { shown }) }, ...rest].slice(0, LIMITS[type]));
}

/** The versions that a PUT or POST makes. */
export function eventsOfWrite(type: TypeName, ref: Ref, status: VersionName, before: State): readonly Event[] {
  const operation = before.has(keyOf(type, ref, 'draft')) ? 'update' : 'create';
  if (!hasDrafts(type)) return [{ operation, type, ref, version: 'published' }];
  const draft: Event = { operation, type, ref, version: 'draft' };
  return status === 'draft' ? [draft] : [draft, { operation: 'publish', type, ref, version: 'published' }];
}

/** The versions that a DELETE or an unpublication removes. */
export function eventsOfRemoval(
  operation: 'delete' | 'unpublish',
  type: TypeName,
  documentId: string,
  locale: string | undefined,
  before: State,
): readonly Event[] {
  const refs = new Set(
    [...before.keys()]
      .map((key) => key.split('/'))
      .filter(([of, id, own]) => of === type && id === documentId && (locale === undefined || own === locale))
      .map(([, id, own]) => `${id}/${own}`),
  );
  const versions = operation === 'unpublish' || !hasDrafts(type) ? (['published'] as const) : VERSIONS;
  return [...refs].flatMap((ref) =>
    versions
      .filter((version) => before.has(keyOf(type, ref, version)))
      .map((version): Event => ({ operation, type, ref, version })),
  );
}

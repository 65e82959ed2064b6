/**
 * @module A history as docs/history.md describes it, over lists in memory: what each write adds to it, and what it drops.
 */
import { hasDrafts, hasLocales, type TypeName } from './written-model.ts';
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

/** When the values of versions were written, by key, with and without a history. */
export type Written = Map<string, number>;

/** Notes when a write has made a version. A publication copies the draft with its time, and a discarded draft has that of the copy. */
export function noteTime(written: Written, { type, ref, version, operation }: Event, at: number): void {
  const key = keyOf(type, ref, version);
  const copied = { publish: 'draft', discardDraft: 'published' } as const;
  const source = Object.hasOwn(copied, operation) ? copied[operation as keyof typeof copied] : undefined;
  written.set(key, source ? (written.get(keyOf(type, ref, source)) ?? 0) : at);
}

/** Of a type without drafts, that version shows everything which is asked for as a draft. */
export const shownKey = ({ type, ref, version }: Event): string =>
  keyOf(type, ref, hasDrafts(type) ? version : 'draft');

function shownIn(state: State, event: Event): Shown | undefined {
  const version = state.get(shownKey(event));
  const published = state.get(keyOf(event.type, event.ref, event.version));
  return version && published && { version, published, rows: new Set(state.keys()) };
}

interface Kept {
  readonly kept: KeptVersions;
  readonly written: Written;
}

/** Adds what a write of a caller has made. */
export function keep(
  { kept, written }: Kept,
  event: Event,
  {
    before,
    after,
    by,
    at,
  }: { readonly before: State; readonly after: State; readonly by: string; readonly at: number },
): void {
  const { type, ref, version, operation } = event;
  const key = keyOf(type, ref, version);
  const former = kept.get(key) ?? [];
  const old = operation === 'create' ? undefined : shownIn(before, event);
  // What other locales share changes a version, too.
  const isNewer = !hasLocales(type) && (written.get(key) ?? 0) > (former[0]?.at ?? 0);
  const isFirst = former.length === 0 || isNewer;
  const first: KeptVersion[] = old && isFirst ? [{ operation: 'before', by: null, at: 0, shown: old }] : [];
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

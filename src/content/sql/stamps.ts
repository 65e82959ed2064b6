/**
 * @module Version stamps: a random text for each version of each content type, rotated by every commit that changes its
 * rows or links. One row holds all of them as JSON, so comparing several reads one row. Beside them it has the fence: the last
 * migration that moved stored values. A version that does not know it would write values where the next one does not look for
 * them, and read none where they are: it does neither.
 */
import { type SQL, sql } from 'drizzle-orm';
import { BoundedCache, memoized } from '../../common/cache.ts';
import { MAX_ARGUMENTS } from '../../common/d1-limits.ts';
import { unknownSchema } from '../../common/errors.ts';
import { groupsOf } from '../../common/groups.ts';
import type { Registry } from '../../schema/model.ts';
import { EVERY_STAMP, FENCE, PURGE } from '../../schema/names.ts';
import { assertion } from './assertions.ts';
import { type Compiled, mapped, query, together } from './compiled.ts';
import { balanced, commaList, literal } from './pieces.ts';
import { rendered, toStatement } from './render.ts';
import { type Rendered, SCHEMA, type Statement } from './statement.ts';
import { stamps } from './system-tables.ts';

const RANDOM = sql`lower(hex(randomblob(8)))`;

const path = (name: string): SQL => literal(`$."${name}"`);

/** A version without commits has the stamp of the last migration. */
const stampOf = memoized((name: string): SQL => rendered(sql`coalesce("s" ->> ${path(name)}, "e")`));

/** Of the last migration, or of the last time that all were rotated. */
export const everyStamp: SQL = sql`(
  select ${stamps.stamps} ->> ${path(EVERY_STAMP)}
  from ${stamps}
  where ${stamps.id} = 1
)`;

const storedFence = rendered(sql`${stamps.stamps} ->> ${path(FENCE)}`);

type Fences = Registry['fences'];

/** A condition on the row: does this version know the fence? A database of before a migration may have an earlier one. */
const knownFence = memoized(
  (fences: Fences): SQL =>
    rendered(sql`coalesce(${storedFence}, '') in (${commaList([sql`''`, ...fences.map(literal)])})`),
  new WeakMap(),
);

/** Aborts the batch of a write that rotates no stamps, as `rotateStamps` does. */
export const assertFence = (fences: Fences): Statement =>
  assertion(sql`coalesce((select ${knownFence(fences)} from ${stamps} where ${stamps.id} = 1), 1)`, SCHEMA);

/** @param text a fence @throws ApiError 503 for one that this version does not know */
function requireFence(fence: string, fences: Fences): void {
  if (fence !== '' && !fences.includes(fence)) throw unknownSchema();
}

const readFence: Compiled<string> = query(
  toStatement(sql`select coalesce(${storedFence}, '') as "fence" from ${stamps} where ${stamps.id} = 1`),
  ([row]) => String(row?.fence ?? ''),
);

/** The same read, of content that no stamp guards. @throws ApiError 503, when it is decoded, as `currentStamps` does */
export const fenced = <T>(fences: Fences, read: Compiled<T>): Compiled<T> =>
  mapped(together([mapped(readFence, (fence) => requireFence(fence, fences)), read]), ([, value]) => value);

/**
 * The stamps of names as one text, after the fence and a colon if there is one; null without the row. Short, since it guards
 * each statement of a read.
 */
const stampsOf = memoized((names: string) => {
  const fence = sql`iif("f" > '', "f" || ':', '')`;
  const all = balanced([fence, ...names.split(',').map(stampOf)], '||');
  const row = sql`
    select ${stamps.stamps} as "s", ${stamps.stamps} ->> ${path(EVERY_STAMP)} as "e", ${storedFence} as "f"
    from ${stamps} where ${stamps.id} = 1`;
  const piece = rendered(sql`select ${all} as "stamps" from (${row})`);
  const read: Compiled<string | undefined> = query(
    { ...toStatement(piece), kind: 'value', columns: ['stamps'], unguarded: true },
    ([row]) => (typeof row?.stamps === 'string' ? row.stamps : undefined),
  );
  return { piece, read };
}, new BoundedCache<string, { readonly piece: SQL; readonly read: Compiled<string | undefined> }>(100));

/**
 * Reads the current stamps; undefined if they are not stored.
 * @throws ApiError 503, when it is decoded, for a fence that this version does not know
 */
export const currentStamps = (names: readonly string[], fences: Fences): Compiled<string | undefined> =>
  mapped(stampsOf(names.join()).read, (text) => {
    requireFence(text?.includes(':') ? text.slice(0, text.indexOf(':')) : '', fences);
    return text;
  });

/** A condition: are the current stamps none of the cached ones? */
export const stampsMoved = (names: readonly string[], cached: readonly string[]): Rendered => {
  const isCached = sql`(${stampsOf(names.join()).piece}) in (${commaList(cached)})`;
  return toStatement(sql`${isCached} is not 1`);
};

const isNoted = sql`${stamps.id} = 1 and ${stamps.stamps} ->> ${path(PURGE)} is not null`;
const noteStamp = sql`${stamps.stamps} ->> ${path(EVERY_STAMP)}`;

/** Returns the stamp of the note of commands that content was changed; undefined without one. */
export const notedPurge: Compiled<string | undefined> = query(
  toStatement(sql`select coalesce(${noteStamp}, '') as "stamp" from ${stamps} where ${isNoted}`),
  ([row]) => (row ? String(row.stamp) : undefined),
);

/** Removes the note, unless content was changed again. */
export const endPurge = (stamp: string): Statement =>
  toStatement(sql`
    update ${stamps} set "stamps" = json_remove(${stamps.stamps}, ${path(PURGE)})
    where ${isNoted} and coalesce(${noteStamp}, '') = ${stamp}`);

const rotated = memoized((name: string): SQL => rendered(sql`${path(name)}, ${RANDOM}`));

/** Two arguments for each name, after the object. */
const NAMES_PER_CALL = Math.floor((MAX_ARGUMENTS - 1) / 2);

/** Rotates stamps, and aborts the batch for a fence that is not known. @param fences absent: each is accepted */
export function rotateStamps(names: readonly string[], fences?: Fences): Statement {
  let json = sql`${stamps.stamps}`;
  for (const group of groupsOf(names, NAMES_PER_CALL)) json = sql`json_set(${json}, ${commaList(group.map(rotated))})`;
  const checked = fences
    ? sql`case when ${knownFence(fences)} then ${json} else json_extract('{}', ${literal(SCHEMA)}) end`
    : json;
  return toStatement(sql`update ${stamps} set "stamps" = ${checked} where ${stamps.id} = 1`);
}

/**
 * @module Version stamps: a random text for each version of each content type, rotated by every commit that changes its
 * rows or links. One row holds all of them as JSON, so comparing several reads one row.
 */
import { type SQL, sql } from 'drizzle-orm';
import { BoundedCache, memoized } from '../common/cache.ts';
import { groupsOf } from '../common/groups.ts';
import { EVERY_STAMP } from '../registry/names.ts';
import { type Compiled, query } from './compiled.ts';
import { balanced, commaList, literal } from './pieces.ts';
import { rendered, toStatement } from './render.ts';
import type { Rendered, Statement } from './statement.ts';
import { stamps } from './system-tables.ts';

const RANDOM = sql`lower(hex(randomblob(8)))`;

const path = (name: string): SQL => literal(`$."${name}"`);

/** A version without commits has the stamp of the last migration. */
const stampOf = memoized(
  (name: string): SQL =>
    rendered(sql`coalesce(${stamps.stamps} ->> ${path(name)}, ${stamps.stamps} ->> ${path(EVERY_STAMP)})`),
);

/** Of the last migration, or of the last time that all were rotated. */
export const everyStamp: SQL = sql`(
  select ${stamps.stamps} ->> ${path(EVERY_STAMP)}
  from ${stamps}
  where ${stamps.id} = 1
)`;

/** The stamps of names, each after a comma, as one text; null without the row. */
const stampsOf = memoized((names: string) => {
  const all = balanced(names.split(',').map(stampOf), '||');
  const piece = rendered(sql`select ${all} as "stamps" from ${stamps} where ${stamps.id} = 1`);
  const read: Compiled<string | undefined> = query(
    { ...toStatement(piece), kind: 'value', columns: ['stamps'], unguarded: true },
    ([row]) => (typeof row?.stamps === 'string' ? row.stamps : undefined),
  );
  return { piece, read };
}, new BoundedCache<string, { readonly piece: SQL; readonly read: Compiled<string | undefined> }>());

/** Reads the current stamps; undefined if they are not stored. */
export const currentStamps = (names: readonly string[]): Compiled<string | undefined> => stampsOf(names.join()).read;

/** A condition: are the current stamps none of the cached ones? */
export const stampsMoved = (names: readonly string[], cached: readonly string[]): Rendered => {
  const isCached = sql`(${stampsOf(names.join()).piece}) in (${commaList(cached)})`;
  return toStatement(sql`${isCached} is not 1`);
};

const rotated = memoized((name: string): SQL => rendered(sql`${path(name)}, ${RANDOM}`));

/** A function on D1 takes 32 arguments: two for each name. */
const NAMES_PER_CALL = 15;

export function rotateStamps(names: readonly string[]): Statement {
  let json = sql`${stamps.stamps}`;
  for (const group of groupsOf(names, NAMES_PER_CALL)) json = sql`json_set(${json}, ${commaList(group.map(rotated))})`;
  return toStatement(sql`update ${stamps} set "stamps" = ${json} where ${stamps.id} = 1`);
}

/**
 * @module Version stamps: a random text for each version of each content type, replaced by every commit that changes its
 * rows or links. One row holds all of them as JSON, so that comparing several reads one row.
 */
import { type SQL, sql } from 'drizzle-orm';
import { memoized } from '../memory.ts';
import { EVERY_STAMP } from '../registry/names.ts';
import { type Compiled, query } from './compiled.ts';
import { balanced, commaList, literal } from './pieces.ts';
import { rendered, toStatement } from './render.ts';
import type { Rendered, Statement } from './statement.ts';
import { stamps } from './system-tables.ts';

const RANDOM = sql`lower(hex(randomblob(8)))`;

const path = (name: string): SQL => literal(`$."${name}"`);

/** What no commit has changed yet has the stamp of the last migration. */
const stampOf = (name: string): SQL =>
  sql`coalesce(${stamps.stamps} ->> ${path(name)}, ${stamps.stamps} ->> ${path(EVERY_STAMP)})`;

/** Of the last migration, or of the last time that all were rotated. */
export const everyStamp: SQL = sql`(
  select ${stamps.stamps} ->> ${path(EVERY_STAMP)}
  from ${stamps}
  where ${stamps.id} = 1
)`;

/** The stamps of these names as one text; null where the row is not there. */
const stampsOf = memoized(
  (names: readonly string[]) =>
    rendered(sql`select ${balanced(names.map(stampOf), '||')} as "stamps" from ${stamps} where ${stamps.id} = 1`),
  new WeakMap(),
);

/** Reads the current stamps; undefined if they are not stored. */
export const currentStamps = (names: readonly string[]): Compiled<string | undefined> =>
  query({ ...toStatement(stampsOf(names)), kind: 'value', columns: ['stamps'], unguarded: true }, ([row]) =>
    typeof row?.stamps === 'string' ? row.stamps : undefined,
  );

/** Has a commit changed anything since the stamps were any of these? As a condition, for a LIMIT. */
export const stampsMoved = (names: readonly string[], known: readonly string[]): Rendered => {
  const isKnown = sql`(${stampsOf(names)}) in (${commaList(known.map((text) => sql`${text}`))})`;
  return toStatement(sql`${isKnown} is not 1`);
};

/** So few names go into one call: SQLite on D1 takes 32 arguments. */
const NAMES_A_CALL = 15;

/** New stamps for these names. */
export function rotateStamps(names: readonly string[]): Statement {
  let rotated = sql`${stamps.stamps}`;
  for (let start = 0; start < names.length; start += NAMES_A_CALL) {
    const pairs = names.slice(start, start + NAMES_A_CALL).flatMap((name) => [path(name), RANDOM]);
    rotated = sql`json_set(${rotated}, ${commaList(pairs)})`;
  }
  return toStatement(sql`update ${stamps} set "stamps" = ${rotated} where ${stamps.id} = 1`);
}

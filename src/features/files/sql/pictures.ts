/**
 * @module Claims of pictures on request: who may make one, and how many were made in a month.
 */
import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { mapped, query, together } from '../../../content/sql/compiled.ts';
import { toStatement } from '../../../content/sql/render.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import { PICTURE_MONTH_TABLE, PICTURE_TABLE } from '../../../schema/names.ts';
import { files, type StoredFile } from './files.ts';

// Here, so that they are bundled only with the part.
export const pictures = sqliteTable(PICTURE_TABLE, {
  /** Of the object. */
  key: text('key').primaryKey(),
  /** Names the request that makes it. */
  claim: text('claim').notNull(),
  claimedAt: integer('claimed_at').notNull(),
});

export const pictureMonths = sqliteTable(PICTURE_MONTH_TABLE, {
  /** `2026-11` */
  month: text('month').primaryKey(),
  transformations: integer('transformations').notNull(),
});

/** Milliseconds after which a picture that is still missing is claimed again. */
const LAPSE = 86_400_000;

interface Claim {
  /** Of the object. */
  readonly key: string;
  /** It must not have changed since it was read. */
  readonly file: Pick<StoredFile, 'id' | 'updatedAt'>;
  /** Transformations of a month. */
  readonly limit: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Claims a picture and counts it. Its value is false if it is claimed already, and past the limit of the month. */
export function claimPicture({ key, file, limit, now }: Claim) {
  const claim = crypto.randomUUID();
  const month = new Date(now).toISOString().slice(0, 7);
  const isOwn = sql`select 1 as "own" from ${pictures} where ${pictures.key} = ${key} and ${pictures.claim} = ${claim}`;
  const isUnchanged = sql`select 1 from ${files} where ${files.id} = ${file.id} and ${files.updatedAt} = ${file.updatedAt}`;
  const isFull = sql`
    select 1 from ${pictureMonths} where ${pictureMonths.month} = ${month} and ${pictureMonths.transformations} >= ${limit}`;
  const changes = [
    sql`
      insert into ${pictures} ("key", "claim", "claimed_at")
      select ${key}, ${claim}, ${now} where exists (${isUnchanged}) and not exists (${isFull})
      on conflict ("key") do update set "claim" = "excluded"."claim", "claimed_at" = "excluded"."claimed_at"
      where ${pictures.claimedAt} < ${now - LAPSE}`,
    sql`
      insert into ${pictureMonths} ("month", "transformations") select ${month}, 1 where exists (${isOwn})
      on conflict ("month") do update set "transformations" = "transformations" + 1`,
  ];
  const ignored = changes.map((change) => query(toStatement(change), () => undefined));
  const won = query(toStatement(isOwn), (rows) => rows.length > 0);
  return mapped(together([...ignored, won]), (values) => values.at(-1) === true);
}

/** @param prefixes of keys, which end with a slash */
export function deleteClaims(prefixes: readonly string[]): Statement {
  // `0` follows the slash.
  const ranges = prefixes.map((prefix) => [prefix, `${prefix.slice(0, -1)}0`]);
  return toStatement(sql`
    delete from ${pictures} where ${pictures.key} in (
      select "$claim"."key"
      from json_each(${JSON.stringify(ranges)}) as "$range" cross join ${pictures} as "$claim"
        on "$claim"."key" > "$range"."value" ->> 0 and "$claim"."key" < "$range"."value" ->> 1
    )`);
}

/**
 * @module The fence of a database: the last migration that moved stored values. A version of the Worker that does not know it
 * neither writes nor reads (`src/content/sql/stamps.ts`).
 */

import type { Results } from '../../../src/content/sql/statement.ts';
import { FENCE, STAMP_TABLE } from '../../../src/schema/names.ts';
import { hasTable } from './database.ts';
import { identifier, jsonPath, literal } from './sql-text.ts';
import { runBatch } from './statements.ts';

const STAMPS = identifier(STAMP_TABLE);
const PATH = jsonPath(FENCE);

const setFence = (value: string, stored: string): string =>
  `INSERT INTO ${STAMPS} ("id", "stamps") VALUES (1, json_object(${literal(FENCE)}, ${literal(value)})) ON CONFLICT ("id") DO UPDATE SET "stamps" = json_set(${STAMPS}."stamps", ${PATH}, ${stored})`;

/** A statement that keeps versions out which do not know the fence. */
export const fenceSql = (fence: string): string => setFence(fence, literal(fence));

/** A statement that notes, once and for all, that a version was deployed which checks the fence. */
export const NOTE_CHECKED = setFence('', `coalesce(${STAMPS}."stamps" ->> ${PATH}, '')`);

/** For `fenceIn`. */
export const READ_FENCE = `SELECT iif(json_valid("stamps"), "stamps" ->> ${PATH}, NULL) AS "fence" FROM ${STAMPS} WHERE "id" = 1`;

/** Reads the fence from the rows of `READ_FENCE`; undefined if no version was deployed that checks it, and no migration set one. */
export function fenceIn([rows = []]: Results): string | undefined {
  const [row] = rows;
  return typeof row?.fence === 'string' ? row.fence : undefined;
}

/** Reads the fence of a database with a binding; undefined as in `fenceIn`. */
export const storedFence = async (db: D1Database): Promise<string | undefined> =>
  (await hasTable(db, STAMP_TABLE)) ? fenceIn(await runBatch(db, [READ_FENCE])) : undefined;

/** The statement of `fenceSql`. */
const SET = /json_set\("edgewise_stamps"\."stamps", '\$\."fence"', '([\w-]+)'\)/g;

/** The fences that migrations set, in order. */
export const fencesOf = (migrations: readonly { readonly text: string }[]): readonly string[] =>
  migrations.flatMap(({ text }) => Array.from(text.matchAll(SET), ([, fence = '']) => fence));

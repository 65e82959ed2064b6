/**
 * @module Databases of this process.
 */
import { DatabaseSync } from 'node:sqlite';
import {
  MAX_ARGUMENTS,
  MAX_COLUMNS,
  MAX_PARAMS,
  MAX_PATTERN_BYTES,
  MAX_SQL_BYTES,
  MAX_TERMS,
  MAX_VALUE_BYTES,
} from '../../../src/common/d1-limits.ts';

/**
 * A database in memory for statements of a project's files: they can reach no file of the machine. It rejects ATTACH, and so
 * `VACUUM INTO`, which attaches its file.
 */
export const openMemory = (): DatabaseSync => new DatabaseSync(':memory:', { limits: { attach: 0 } });

/** The limits of D1 as SQLite takes them. */
export const D1_LIMITS = {
  ...{ sqlLength: MAX_SQL_BYTES, length: MAX_VALUE_BYTES, exprDepth: 100, compoundSelect: MAX_TERMS, vdbeOp: 25_000 },
  ...{ functionArg: MAX_ARGUMENTS, column: MAX_COLUMNS, variableNumber: MAX_PARAMS, triggerDepth: 10 },
  likePatternLength: MAX_PATTERN_BYTES,
};

/** Opens a file whose schema may be hostile, to read it: https://www.sqlite.org/security.html */
export function openUntrusted(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, defensive: true, limits: { attach: 0 } });
  db.exec('pragma trusted_schema = off; pragma cell_size_check = on');
  return db;
}

/** https://www.sqlite.org/inmemorydb.html: a file that no other process sees, and that goes with this one. */
const TEMPORARY = '';

/**
 * A database on the disk for as long as a command runs, so that there may be more rows than memory. Nothing of it has to
 * outlast a crash: it is in one transaction, without a journal.
 */
export function openTemporary(tables: string): DatabaseSync {
  const db = new DatabaseSync(TEMPORARY);
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -16000; pragma temp_store = file');
  db.exec(tables);
  db.exec('begin');
  return db;
}

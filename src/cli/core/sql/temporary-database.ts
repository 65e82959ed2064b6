/**
 * @module A database on the disk for as long as a command runs, so that there may be more rows than memory.
 */
import { DatabaseSync } from 'node:sqlite';

/** https://www.sqlite.org/inmemorydb.html: a file that no other process sees, and that goes with this one. */
const TEMPORARY = '';

/** Nothing of it has to outlast a crash: it is in one transaction, without a journal. */
export function openTemporary(tables: string): DatabaseSync {
  const db = new DatabaseSync(TEMPORARY);
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -16000; pragma temp_store = file');
  db.exec(tables);
  db.exec('begin');
  return db;
}

/**
 * @module A database on the disk for as long as a command runs, so that there may be more rows than memory.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface TemporaryDatabase {
  readonly db: DatabaseSync;
  /** Leaves nothing behind. */
  close(): void;
}

/** Nothing of it has to outlast a crash: it is in one transaction, without a journal. */
export function openTemporary(tables: string): TemporaryDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-'));
  const db = new DatabaseSync(join(folder, 'rows.sqlite'));
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -16000; pragma temp_store = file');
  db.exec(tables);
  db.exec('begin');
  return {
    db,
    close() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

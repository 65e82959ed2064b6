/**
 * @module A database and a bucket on the disk, for what is to be killed: a batch is a transaction of SQLite, an object a
 * file that is there as a whole or not at all. It starts in milliseconds, and does what an import asks for.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

type Params = readonly SQLInputValue[];

interface Prepared {
  readonly sql: string;
  readonly params: Params;
}

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

function statement(db: DatabaseSync, sql: string, params: Params = []) {
  const rows = () => db.prepare(sql).all(...params);
  return {
    ...{ sql, params },
    bind: (...values: Params) => statement(db, sql, values),
    all: async () => ({ results: rows() }),
    first: async () => rows()[0] ?? null,
  };
}

/** An open database as D1 has it. */
export const databaseOver = (db: DatabaseSync): D1Database =>
  ({
    prepare: (sql: string) => statement(db, sql),
    async batch(statements: readonly Prepared[]) {
      db.exec('begin immediate');
      try {
        const answers = statements.map(({ sql, params }) => ({ results: db.prepare(sql).all(...params) }));
        db.exec('commit');
        return answers;
      } catch (error) {
        db.exec('rollback');
        throw error;
      }
    },
  }) as unknown as D1Database;

function openBucket(folder: string) {
  mkdirSync(folder, { recursive: true });
  return {
    async head(key: string) {
      const path = join(folder, key);
      return existsSync(path) ? { etag: md5(readFileSync(path)) } : null;
    },
    async put(key: string, bytes: Uint8Array) {
      writeFileSync(join(folder, `.${key}.part`), bytes);
      renameSync(join(folder, `.${key}.part`), join(folder, key));
    },
    keys: () => readdirSync(folder).filter((name) => !name.startsWith('.')),
  };
}

export interface DiskStorage {
  readonly db: D1Database;
  readonly bucket: R2Bucket;
  keys(): readonly string[];
  close(): void;
}

/** Opens what lies in a folder, or makes it. */
export function openDiskStorage(folder: string): DiskStorage {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'content.sqlite'));
  database.exec('pragma journal_mode = wal; pragma busy_timeout = 5000');
  const bucket = openBucket(join(folder, 'objects'));
  return {
    db: databaseOver(database),
    bucket: bucket as unknown as R2Bucket,
    keys: () => bucket.keys().sort(),
    close: () => database.close(),
  };
}

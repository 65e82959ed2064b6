/**
 * @module Finds the row of a version: links of an archive name rows, those of the database name documents.
 */
import type { Registry } from '../../registry/model.ts';
import type { Status } from '../../request/query-params.ts';
import { openTemporary } from '../core/sql/temporary-database.ts';

const TABLES = `
  create table rows (
    uid text, document_id text, locale text, status text, id integer, primary key (uid, document_id, locale, status)
  ) without rowid;
  create table links (seq integer primary key, line text);
`;

export function openRowIndex() {
  const db = openTemporary(TABLES);
  const insert = db.prepare('insert or ignore into rows values (?, ?, ?, ?, ?)');
  const select = db.prepare('select id from rows where uid = ? and document_id = ? and locale = ? and status = ?');
  const link = db.prepare('insert into links (line) values (?)');
  const numbers = new Map<string, number>();
  return {
    add(uid: string, id: number, documentId: string, locale: string, status: Status): void {
      insert.run(uid, documentId, locale, status, id);
    },
    /** Returns undefined for a version that does not exist. */
    find(uid: string, documentId: string, locale: string, status: Status): number | undefined {
      const found = select.get(uid, documentId, locale, status);
      return found === undefined ? undefined : Number(found.id);
    },
    /** Keeps a link until links are written. */
    keep(value: object): void {
      link.run(JSON.stringify(value));
    },
    *kept(): Generator<object> {
      for (const { line } of db.prepare('select line from links order by seq').iterate())
        yield JSON.parse(String(line)) as object;
    },
    /** Numbers each kind from 1. */
    nextId(kind: string): number {
      const next = (numbers.get(kind) ?? 0) + 1;
      numbers.set(kind, next);
      return next;
    },
    close: () => db.close(),
  };
}

export type RowIndex = ReturnType<typeof openRowIndex>;

export interface EntityContext {
  readonly registry: Registry;
  readonly index: RowIndex;
}

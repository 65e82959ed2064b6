/**
 * @module Finds the row of a version: links of an archive name rows, those of the database name documents.
 */
import type { Registry } from '../../registry/model.ts';
import type { Status } from '../../request/query-params.ts';
import { openTemporary } from '../core/sql/temporary-database.ts';

export interface RowIndex {
  add(uid: string, id: number, documentId: string, locale: string, status: Status): void;
  /** Returns undefined for a version that does not exist. */
  find(uid: string, documentId: string, locale: string, status: Status): number | undefined;
  /** Keeps a link until links are written. */
  keep(link: object): void;
  kept(): Iterable<object>;
  /** Numbers each kind from 1. */
  nextId(kind: string): number;
  close(): void;
}

export interface EntityContext {
  readonly registry: Registry;
  readonly index: RowIndex;
}

const TABLES = `
  create table rows (
    uid text, document_id text, locale text, status text, id integer, primary key (uid, document_id, locale, status)
  ) without rowid;
  create table links (seq integer primary key, line text);
`;

export function openRowIndex(): RowIndex {
  const db = openTemporary(TABLES);
  const insert = db.prepare('insert or ignore into rows values (?, ?, ?, ?, ?)');
  const select = db.prepare('select id from rows where uid = ? and document_id = ? and locale = ? and status = ?');
  const link = db.prepare('insert into links (line) values (?)');
  const numbers = new Map<string, number>();
  return {
    add: (uid, id, documentId, locale, status) => {
      insert.run(uid, documentId, locale, status, id);
    },
    find(uid, documentId, locale, status) {
      const found = select.get(uid, documentId, locale, status);
      return found === undefined ? undefined : Number(found.id);
    },
    keep: (value) => {
      link.run(JSON.stringify(value));
    },
    *kept() {
      for (const { line } of db.prepare('select line from links order by seq').iterate())
        yield JSON.parse(String(line)) as object;
    },
    nextId(kind) {
      const next = (numbers.get(kind) ?? 0) + 1;
      numbers.set(kind, next);
      return next;
    },
    close: () => db.close(),
  };
}

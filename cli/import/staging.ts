/**
 * @module What an import keeps of an archive: its rows, and every link between them. It lies in a temporary database, so
 * that an archive may be larger than memory.
 */
import type { StatementSync } from 'node:sqlite';
import { FILE_UID } from '../../src/schema/system-types.ts';
import { openTemporary } from '../core/sql/sqlite.ts';
import type { Entity, Link } from './archive-lines.ts';

/**
 * `seq` counts the lines of rows and of links. What links need of rows lies apart from their values, which are long. `here`
 * is the uid of the type that holds a row here, `has_drafts` whether that has drafts, `is_double` whether an earlier row
 * has the same version.
 */
const TABLES = `
  create table rows (
    seq integer primary key, type text, id integer, document_id text, locale text, published integer, is_double integer,
    here text, has_drafts integer, unique (type, id)
  );
  create table lines (seq integer primary key, line text);
  create table links (
    seq integer primary key, type text, field text, source integer, target_type text, target integer,
    position real, inverse_position real
  );
  create table objects (key text primary key, mime text) without rowid;
`;

export const isComponent = (uid: string): boolean => !uid.includes('::');

/** Opens an empty one; `close` leaves nothing behind. */
export function openStaging() {
  const db = openTemporary(TABLES);
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  return {
    db,
    /** One prepared statement for each text. */
    prepare,
    /** Of two lines of one row the first is kept. @returns false for the second. */
    addRow(seq: number, { type, id, data }: Entity, documentId: string, line: string): boolean {
      const locale = typeof data.locale === 'string' ? data.locale : '';
      const published = data.publishedAt === null || data.publishedAt === undefined ? 0 : 1;
      const insert = prepare('insert or ignore into rows values (?, ?, ?, ?, ?, ?, 0, null, 0)');
      const { changes } = insert.run(seq, type, id, documentId, locale, published);
      prepare('insert into lines values (?, ?)').run(seq, line);
      return changes > 0;
    },
    /** @returns false for a link that does not join two rows. */
    addLink({ kind, left, right }: Link): boolean {
      if (typeof left.ref !== 'number' || typeof right.ref !== 'number') return false;
      // Archives have a media link from the side of the file; its owner is made the source, as of any other link.
      const isMedia = left.type === FILE_UID && left.field === 'related';
      const [source, target] = isMedia ? [right, left] : [left, right];
      // Polymorphic links have the position of the source at the end of the target.
      const isMorph = kind === 'relation.morph';
      const position = (isMorph ? right : source).pos ?? null;
      const inverse = isMorph ? null : (target.pos ?? null);
      const insert = prepare('insert into links values (null, ?, ?, ?, ?, ?, ?, ?)');
      insert.run(
        source.type,
        source.field ?? '',
        Number(source.ref),
        target.type,
        Number(target.ref),
        position,
        inverse,
      );
      return true;
    },
    /** For types with few rows. */
    entitiesOf(type: string): readonly Entity[] {
      const found = prepare('select line from rows join lines using (seq) where type = ? order by seq').all(type);
      return found.map(({ line }) => JSON.parse(String(line)) as Entity);
    },
    close: () => db.close(),
  };
}

export type Staging = ReturnType<typeof openStaging>;

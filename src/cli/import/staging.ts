/**
 * @module What an import has to remember of an archive: which row is which version of which document, and every link.
 * It lies in a temporary database, so that an archive may be larger than memory.
 */
import type { StatementSync } from 'node:sqlite';
import { FILE_UID } from '../../registry/system-types.ts';
import { openTemporary } from '../core/sql/temporary-database.ts';
import type { Entity, Link } from './records.ts';

/** What becomes of a row: taken, a second one of the same version, or older than what the database has. */
export const ROW = { taken: 0, double: 1, older: 2 } as const;

const TABLES = `
  create table rows (
    type integer, id integer, document_id text, locale text, published integer, state integer,
    primary key (type, id)
  ) without rowid;
  create table outer_links (
    seq integer primary key, type integer, field integer, source integer, target_type integer, target integer,
    position real, inverse_position real
  );
  create table inner_links (
    type integer, owner integer, field integer, position real, seq integer, target_type integer, target integer,
    primary key (type, owner, field, position, seq)
  ) without rowid;
  create table objects (key text primary key, mime text, file integer) without rowid;
`;

export const isComponent = (uid: string): boolean => !uid.includes('::');

/** The number that stands for a name. */
function newNumbers() {
  const numbers = new Map<string, number>();
  const names: string[] = [];
  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, names.length);
    return names.push(name) - 1;
  };
  return { numberOf, nameOf: (number: number) => names[number] ?? '' };
}

/** Opens an empty one; `close` leaves nothing behind. */
export function openStaging() {
  const db = openTemporary(TABLES);
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const { numberOf, nameOf } = newNumbers();
  let seq = 0;
  return {
    db,
    /** The number of a name: of a type, or of an attribute. */
    numberOf,
    nameOf,
    /** One prepared statement for each text. */
    prepare,
    /** Of two lines of one row the first is kept. */
    addRow({ type, id, data }: Entity, documentId: string): void {
      const locale = typeof data.locale === 'string' ? data.locale : '';
      const published = data.publishedAt === null || data.publishedAt === undefined ? 0 : 1;
      const insert = prepare('insert or ignore into rows values (?, ?, ?, ?, ?, ?)');
      insert.run(numberOf(type), id, documentId, locale, published, ROW.taken);
    },
    addLink({ kind, left, right }: Link): void {
      if (typeof left.ref !== 'number' || typeof right.ref !== 'number') return;
      seq += 1;
      // A media link is told from the file's end; here its owner is the source, as of any other link.
      const isMedia = left.type === FILE_UID && left.field === 'related';
      const [source, target] = isMedia ? [right, left] : [left, right];
      const [type, field] = [numberOf(source.type), numberOf(source.field ?? '')];
      const [near, far, farType] = [Number(source.ref), Number(target.ref), numberOf(target.type)];
      // Polymorphic links have the position of the source at the end of the target.
      const isMorph = kind === 'relation.morph';
      const position = (isMorph ? right : source).pos ?? null;
      const inverse = isMorph ? null : (target.pos ?? null);
      if (isComponent(source.type)) {
        const insert = prepare('insert into inner_links values (?, ?, ?, ?, ?, ?, ?)');
        insert.run(type, near, field, position ?? seq, seq, farType, far);
      } else {
        const insert = prepare('insert into outer_links values (?, ?, ?, ?, ?, ?, ?, ?)');
        insert.run(seq, type, field, near, farType, far, position, inverse);
      }
    },
    addObject(key: string, mime: string, file: number): void {
      prepare('insert or ignore into objects values (?, ?, ?)').run(key, mime, file);
    },
    close: () => db.close(),
  };
}

export type Staging = ReturnType<typeof openStaging>;

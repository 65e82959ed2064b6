/**
 * @module What an import has to remember of an archive: which row is which version of which document, and every link.
 * It lies in a temporary database on the disk, so that an archive may be larger than memory.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { FILE_UID } from '../../registry/system-types.ts';
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

export interface Staging {
  readonly db: DatabaseSync;
  /** The number of a name: of a type, or of an attribute. */
  numberOf(name: string): number;
  nameOf(number: number): string;
  addRow(entity: Entity, documentId: string): void;
  addLink(link: Link): void;
  addObject(key: string, mime: string, file: number): void;
  /** One prepared statement for each text. */
  prepare(sql: string): StatementSync;
  close(): void;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The documentId of a row that has none of its own: the same at every import. */
export function madeUpDocumentId(type: string, id: number): string {
  const bytes = createHash('sha256').update(`${type} ${id}`).digest();
  return `x${[...bytes.subarray(0, 23)].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')}`;
}

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
export function openStaging(): Staging {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-import-'));
  const db = new DatabaseSync(join(folder, 'staging.sqlite'));
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -16000; pragma temp_store = file');
  db.exec(TABLES);
  db.exec('begin');
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const { numberOf, nameOf } = newNumbers();
  let seq = 0;
  const addOuter = (type: string, field: string, values: readonly (number | null)[], target: string) => {
    const [source = 0, targetRef = 0, position = null, inverse = null] = values;
    prepare('insert into outer_links values (?, ?, ?, ?, ?, ?, ?, ?)').run(
      ...[seq, numberOf(type), numberOf(field), source, numberOf(target), targetRef, position, inverse],
    );
  };
  const addInner = (type: string, field: string, values: readonly (number | null)[], target: string) => {
    const [owner = 0, targetRef = 0, position] = values;
    prepare('insert into inner_links values (?, ?, ?, ?, ?, ?, ?)').run(
      ...[numberOf(type), owner, numberOf(field), position ?? seq, seq, numberOf(target), targetRef],
    );
  };
  return {
    db,
    numberOf,
    nameOf,
    prepare,
    addRow({ type, id, data }, documentId) {
      const locale = typeof data.locale === 'string' ? data.locale : '';
      const published = data.publishedAt === null || data.publishedAt === undefined ? 0 : 1;
      prepare('insert or ignore into rows values (?, ?, ?, ?, ?, 0)').run(
        ...[numberOf(type), id, documentId, locale, published],
      );
    },
    addLink({ left, right }) {
      if (typeof left.ref !== 'number' || typeof right.ref !== 'number') return;
      seq += 1;
      // A media link is told from the file's end; here its owner is the source, as of any other link.
      const isMedia = left.type === FILE_UID && left.field === 'related';
      const [source, target] = isMedia ? [right, left] : [left, right];
      const field = source.field ?? '';
      const refs = [source.ref as number, target.ref as number];
      const add = isComponent(source.type) ? addInner : addOuter;
      add(source.type, field, [...refs, source.pos ?? null, isMedia ? null : (target.pos ?? null)], target.type);
    },
    addObject: (key, mime, file) => {
      prepare('insert or ignore into objects values (?, ?, ?)').run(key, mime, file);
    },
    close() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

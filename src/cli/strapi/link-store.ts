/**
 * @module Links and versions that answers name, until they are written. A link is seen from both of its ends, each of
 * which knows its own order; it lies in a temporary database until both were read.
 */
import { openTemporary } from '../archive/temporary-database.ts';

export interface End {
  readonly uid: string;
  readonly id: number;
}

export interface SeenLink {
  /** The side that owns the link. */
  readonly source: End;
  readonly field: string;
  readonly target: End;
  /** The attribute of the target that shows it too. */
  readonly inverse?: string | undefined;
}

/** A row of the server that may not be in the archive. */
export interface SeenVersion {
  readonly type: string;
  readonly id: number;
  readonly documentId: string;
  readonly locale: string;
  readonly published: boolean;
}

export interface LinkStore {
  /** @param place among the links of the source, from 1. */
  addFromSource(link: SeenLink, place: number): void;
  /** @param place among the links of the target, from 1. */
  addFromTarget(link: SeenLink, place: number): void;
  addVersion(version: SeenVersion): void;
  /** In the form of an archive. */
  links(): Iterable<object>;
  versions(): Iterable<object>;
  close(): void;
}

const TABLES = `
  create table links (
    source_type text, field text, source integer, target_type text, target integer, inverse text,
    place integer, inverse_place integer, primary key (source_type, field, source, target_type, target)
  ) without rowid;
  create table versions (
    type text, id integer, document_id text, locale text, published integer, primary key (type, id)
  ) without rowid;
`;

const insert = (column: string): string =>
  `insert into links (source_type, field, source, target_type, target, inverse, ${column}) values (?, ?, ?, ?, ?, ?, ?)
   on conflict do update set ${column} = coalesce(${column}, excluded.${column})`;

const kindOf = (left: unknown, right: unknown): string => (left === right ? 'relation.circular' : 'relation.basic');

export function openLinkStore(): LinkStore {
  const db = openTemporary(TABLES);
  const fromSource = db.prepare(insert('place'));
  const fromTarget = db.prepare(insert('inverse_place'));
  const version = db.prepare('insert or ignore into versions values (?, ?, ?, ?, ?)');
  const add = (statement: typeof fromSource, { source, field, target, inverse }: SeenLink, place: number): void => {
    statement.run(source.uid, field, source.id, target.uid, target.id, inverse ?? null, place);
  };
  return {
    close: () => db.close(),
    addFromSource: (link, place) => add(fromSource, link, place),
    addFromTarget: (link, place) => add(fromTarget, link, place),
    addVersion: ({ type, id, documentId, locale, published }) => {
      version.run(type, id, documentId, locale, published ? 1 : 0);
    },
    *links() {
      for (const row of db.prepare('select * from links').iterate())
        yield {
          kind: kindOf(row.source_type, row.target_type),
          left: { type: row.source_type, field: row.field, ref: row.source, pos: row.place },
          right: {
            ...{ type: row.target_type, ref: row.target, pos: row.inverse_place },
            ...(row.inverse !== null && { field: row.inverse }),
          },
        };
    },
    *versions() {
      for (const { type, id, document_id, locale, published } of db.prepare('select * from versions').iterate())
        yield { type, id, documentId: document_id, locale, published: published === 1 };
    },
  };
}

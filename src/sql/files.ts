/**
 * @module Rows of files as writing and deleting them need them.
 */
import { eq, type SQL, sql } from 'drizzle-orm';
import { type Compiled, query } from './compiled.ts';
import { filled, toStatement } from './render.ts';
import type { Row, Statement } from './statement.ts';
import { files } from './system-tables.ts';
import { isOnlyRow } from './versions.ts';

/** The object that has a file's bytes, or those of a format of it. */
export interface StoredObject {
  readonly hash: string;
  readonly ext: string;
}

/** A file as it is stored. */
export interface StoredFile extends StoredObject {
  readonly id: number;
  readonly documentId: string;
  readonly updatedAt: number;
  readonly formats: Readonly<Record<string, StoredObject>>;
  readonly row: Row;
}

export function storedFile(row: Row): StoredFile {
  const formats: unknown = typeof row.formats === 'string' ? JSON.parse(row.formats) : null;
  return {
    id: Number(row.id),
    documentId: String(row.document_id),
    updatedAt: Number(row.updated_at),
    hash: String(row.hash),
    ext: String(row.ext ?? ''),
    formats: (formats ?? {}) as StoredFile['formats'],
    row,
  };
}

const fileWhere = (condition: SQL): Statement => toStatement(sql`select * from ${files} where ${condition} limit 1`);
const byId = fileWhere(eq(files.id, sql.placeholder('id')));
const byDocumentId = fileWhere(isOnlyRow(sql.placeholder('documentId'), files));

const found = ([row]: readonly Row[]): StoredFile | undefined => row && storedFile(row);

export const fileById = (id: number): Compiled<StoredFile | undefined> => query(filled(byId, { id }), found);
export const fileByDocumentId = (documentId: string): Compiled<StoredFile | undefined> =>
  query(filled(byDocumentId, { documentId }), found);

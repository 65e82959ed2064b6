/**
 * @module Rows of files.
 */
import { eq, type SQL, sql } from 'drizzle-orm';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RowName } from '../../../content/request/plain-params.ts';
import { type Compiled, query } from '../../../content/sql/compiled.ts';
import { documentColumns } from '../../../content/sql/document-columns.ts';
import { toStatement } from '../../../content/sql/render.ts';
import type { Row } from '../../../content/sql/statement.ts';
import { isOnlyRow } from '../../../content/sql/versions.ts';

export const files = sqliteTable('files', { ...documentColumns(), hash: text('hash'), ext: text('ext') });

/** The object in R2 with the bytes of a file, or of one of its formats. */
export interface StoredObject {
  readonly hash: string;
  readonly ext: string;
}

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

const fileWhere = (condition: SQL): Compiled<StoredFile | undefined> =>
  query(toStatement(sql`select * from ${files} where ${condition} limit 1`), ([row]) => row && storedFile(row));

export const fileById = (id: number) => fileWhere(eq(files.id, id));
export const fileByName = ({ hash, ext }: StoredObject) =>
  fileWhere(sql`${files.hash} = ${hash} and coalesce(${files.ext}, '') = ${ext}`);
export const fileByDocumentId = (documentId: string) => fileWhere(isOnlyRow(documentId, files));
export const fileNamed = (row: RowName) => (typeof row === 'number' ? fileById(row) : fileByDocumentId(row));

/**
 * @module The documentId of an API token, which previews name as their maker.
 */
import { eq, sql } from 'drizzle-orm';
import { type Compiled, query } from '../compiled.ts';
import { db, prepared } from '../prepared.ts';
import { apiTokens } from '../system-tables.ts';

const selectId = prepared(() =>
  db
    .select({ documentId: apiTokens.documentId })
    .from(apiTokens)
    .where(eq(apiTokens.accessKey, sql.placeholder('key')))
    .limit(1),
);

/** @param key SHA-256 of the token */
export const tokenDocumentId = (key: string): Compiled<string> =>
  query(selectId.statement({ key }), ([row]) => String(row?.document_id ?? ''));

/**
 * @module A D1 database that writes down every round trip it is asked for.
 */
import { legibleDatabase, legibleSession } from './legible-session.ts';

export interface CountedDatabase {
  readonly database: D1Database;
  /** The SQL of each batch, in order. */
  readonly batches: (readonly string[])[];
  /** SQL → how many rows its statements have read. */
  readonly rowsRead: Map<string, number>;
  /** SQL → how many rows of tables and indexes its statements have written. */
  readonly rowsWritten: Map<string, number>;
  /** Batches that are part of the answer: the note of when a token was last used, and steps of tasks, come after it. */
  answering(): readonly (readonly string[])[];
}

const isNote = (batch: readonly string[]): boolean =>
  batch.length === 1 && batch[0]?.startsWith('update "strapi_api_tokens" set "last_used_at"') === true;

/** Its write ends with the task, its read is of nothing else. */
const isStep = (batch: readonly string[]): boolean => batch.at(-1)?.includes('edgewise_tasks') === true;

export function countedDatabase(real: D1Database): CountedDatabase {
  const batches: (readonly string[])[] = [];
  const rowsRead = new Map<string, number>();
  const rowsWritten = new Map<string, number>();
  const counted = (session: D1DatabaseSession) =>
    legibleSession(session, async (statements, texts) => {
      batches.push(texts);
      const results = await session.batch(statements);
      for (const [index, sql] of texts.entries()) {
        rowsRead.set(sql, (rowsRead.get(sql) ?? 0) + (results[index]?.meta.rows_read ?? 0));
        rowsWritten.set(sql, (rowsWritten.get(sql) ?? 0) + (results[index]?.meta.rows_written ?? 0));
      }
      return results;
    });
  return {
    database: legibleDatabase((constraint) => counted(real.withSession(constraint))),
    batches,
    rowsRead,
    rowsWritten,
    answering: () => batches.filter((batch) => !isNote(batch) && !isStep(batch)),
  };
}

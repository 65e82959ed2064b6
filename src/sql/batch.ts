/**
 * @module The only caller of D1: one batch is one round trip and one transaction.
 */
import { ApiError, answerTooLarge } from '../errors.ts';
import { SHARE, type Statement } from './statement.ts';

export type Row = Readonly<Record<string, unknown>>;

/** What the caller may assume about the replica that answers. */
export type Consistency = 'read' | 'write';

/** One session per request: reads may use any replica that is as new as the caller's bookmark, writes the primary. */
export interface Database {
  /** Rows of each statement, in order; all or nothing. */
  run(statements: readonly Statement[], consistency: Consistency): Promise<readonly (readonly Row[])[]>;
  /** To be sent back as `x-d1-bookmark`, so that the caller's next read sees its own write. */
  bookmark(): string | null;
}

/** An assertion inside a batch that did not hold; the batch left nothing behind. */
export class AssertionFailed extends Error {
  readonly code: string;
  constructor(code: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

// https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
const TRANSIENT =
  /Network connection lost|reset because its code was updated|caused object to be reset|transient issue on remote node|client disconnected|Replica disconnected/;
const OVERLOADED = /D1 DB is overloaded|Too many requests queued|exceeded timeout|database or disk is full/;
/** What SQLite refuses to compile; the named limits of the settings are there to come first. */
const TOO_COMPLEX =
  /Expression tree is too large|parser stack overflow|too many (SQL variables|columns|terms|arguments)|statement too long|too complex|at most 64 tables/;
/** A document, or the page of an answer, is one value to SQLite, and that has a largest size. */
const TOO_BIG = /string or blob too big/;
/** What stays below the named limits may still take more than a database has. */
const EXHAUSTED = /exceeded its (CPU time|memory) limit|out of memory|SQLITE_NOMEM|interrupted/;
/** A limit of the answer, and its value, as an assertion names them. */
const LIMIT = /^LIMIT (answerRows|answerBytes) (\d+)$/;
const ASSERTION = /bad JSON path: '([^']+)'/;
/** Two writers made the same version of a document: the later one has to look again. */
const DUPLICATE = /UNIQUE constraint failed/;

/** The code of a row that was written since it was read. */
export const CONFLICT = 'CONFLICT';
const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;
const RETRIES = 2;

/** Does a page say that it exceeds its share, or could SQLite not even hold it? */
const LARGE = new RegExp(`'${SHARE}'|${TOO_BIG.source}|out of memory`);
function excessOf(message: string): string | undefined {
  if (TOO_COMPLEX.test(message)) return 'The query is too complex';
  if (EXHAUSTED.test(message)) return 'The query takes more than the database has';
  return TOO_BIG.test(message) ? 'The document or the answer is too large' : undefined;
}

function passedLimit(code: string): ApiError | undefined {
  const [, limit, most] = LIMIT.exec(code) ?? [];
  return limit === undefined ? undefined : answerTooLarge(limit as 'answerRows', Number(most));
}

function translated(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const assertion = ASSERTION.exec(message);
  if (assertion?.[1]) return passedLimit(assertion[1]) ?? new AssertionFailed(assertion[1], { cause: error });
  if (DUPLICATE.test(message)) return new AssertionFailed(CONFLICT, { cause: error });
  const excess = excessOf(message);
  if (excess)
    return new ApiError({ kind: 'validation', message: excess, details: { limit: 'database' } }, { cause: error });
  if (OVERLOADED.test(message)) return new ApiError({ kind: 'overloaded', retryAfter: 1 }, { cause: error });
  return error instanceof Error ? error : new Error(message);
}

/**
 * Opens a session on the database of a request.
 * @param bookmark what the caller sent as `x-d1-bookmark`; ignored unless it has the form of one.
 */
export function openDatabase(db: D1Database, bookmark: string | undefined): Database {
  let session: D1DatabaseSession | undefined;
  const start = (consistency: Consistency) => {
    if (bookmark && BOOKMARK.test(bookmark)) return db.withSession(bookmark);
    return db.withSession(consistency === 'write' ? 'first-primary' : 'first-unconstrained');
  };
  const attempt = async (statements: readonly Statement[], consistency: Consistency) => {
    session ??= start(consistency);
    const open = session;
    const prepared = statements.map(({ sql, params }) => open.prepare(sql).bind(...params));
    const results = await open.batch<Row>(prepared);
    return results.map(({ results: rows }) => rows);
  };
  return {
    async run(asked, consistency) {
      let statements = asked;
      for (let tries = 0; ; tries += 1) {
        try {
          return await attempt(statements, consistency);
        } catch (error) {
          if (LARGE.test(String(error)) && statements.some(({ measured }) => measured)) {
            statements = statements.map((statement) => statement.measured?.() ?? statement);
            continue;
          }
          // A read can be repeated; a write that lost its connection may have been done.
          const again = consistency === 'read' && tries < RETRIES && TRANSIENT.test(String(error));
          if (!again) throw translated(error);
        }
      }
    },
    bookmark: () => session?.getBookmark() ?? null,
  };
}

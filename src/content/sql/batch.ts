/**
 * @module The only caller of D1 in the Worker: one batch is one round trip and one transaction.
 */
import { sql } from 'drizzle-orm';
import { ApiError, isProblem, notReady, responseTooLarge, unknownSchema } from '../../common/errors.ts';
import { withAssertionsTogether } from './assertions.ts';
import { type Gathered, gathered, pageOf, ungathered } from './gather.ts';
import { columnOf } from './pieces.ts';
import { toStatement } from './render.ts';
import { isPage, type Results, type Row, SCHEMA, SHARE, type Statement } from './statement.ts';
import { countStatements, hasRoom, sentBy } from './statement-count.ts';

/** A replica at least as new as the caller's bookmark, or the primary. */
export type DatabaseSource = 'replica' | 'primary';

/** A statement that read many rows for the `rows` that it returned; `advice` is a setting that would help. */
export interface Costly {
  readonly rowsRead: number;
  readonly rows: number;
  readonly advice: string;
}

/** Statements are costly above both: rows read, and rows read for each returned row. */
const MANY_ROWS = 2_000;
const MANY_FOR_EACH = 20;

function costlyOf(statement: Statement | undefined, { results, meta }: D1Result<Row>): readonly Costly[] {
  if (!isPage(statement)) return [];
  const rowsRead = meta.rows_read;
  const rows = pageOf(results).length;
  if (rowsRead < MANY_ROWS || rowsRead < MANY_FOR_EACH * rows) return [];
  const advice = statement.advice?.();
  return advice === undefined ? [] : [{ rowsRead, rows, advice }];
}

/** The database of one request. Every batch is atomic. */
export interface Database {
  /** Retried when the connection is lost. */
  read(statements: readonly Statement[], source: DatabaseSource): Promise<Results>;
  /** Never retried: the commit outcome of a write that lost its connection is unknown. */
  write(statements: readonly Statement[]): Promise<Results>;
  /** Writes that a piece of work takes too many statements, for which each invocation has room. */
  note(statement: Statement): Promise<void>;
  /** May the invocation send so many more statements? All its databases share the limit. */
  hasRoom(statements: number): boolean;
  /** The cost so far. */
  readonly spent: {
    readonly trips: number;
    readonly statements: number;
    readonly rowsRead: number;
    readonly rowsWritten: number;
  };
  readonly costly: readonly Costly[];
  /** Returns the value of `x-d1-bookmark`: with it the caller's next read sees this request's writes. */
  bookmark(): string | null;
}

/** An assertion of a batch failed; the batch was rolled back. */
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
/** SQLite does not compile the statement; the limits of the settings normally apply first. */
const TOO_COMPLEX =
  /Expression tree is too large|parser stack overflow|too many (SQL variables|columns|terms|arguments)|statement too long|too complex|at most 64 tables/;
/** A document, or the page of a response, is one value of SQLite. */
const TOO_BIG = /string or blob too big/;
const EXHAUSTED = /exceeded its (CPU time|memory) limit|out of memory|SQLITE_NOMEM|interrupted/;
/** Failures that a measured page avoids: a value over its share, or bytes, which JSON cannot hold. */
const UNFIT = new RegExp(`'${SHARE}'|${TOO_BIG.source}|out of memory|JSON cannot hold BLOB`);
/** The database lacks tables of this version. */
const UNMIGRATED = /no such (?:table|column): [^\s:]+|table \S+ has no column named [^\s:]+/;
const COLUMN = /^no such column: ([^.]+)\.(.+)$/;
/** The code of a response limit: the setting and its value. */
const LIMIT = /^LIMIT (\w+) (\d+)$/;
const ASSERTION = /bad JSON path: '([^']+)'/;
const DUPLICATE = /UNIQUE constraint failed: (?:index '([^']+)'|([^:]+?))(?:: SQLITE|$)/;
/** Indexes that two writers of the same version, link, counter or key violate; the later one is replanned. */
const OWN_INDEX = /^(\S+)\.document_id, \1\.locale$|\.source_document_id, |^edgewise_(?:counters|requests)\./;
/** The code of a conflict: a row was written since it was read. */
export const CONFLICT = 'CONFLICT';
/** `first-primary`: the newest state. */
const BOOKMARK = /^(first-primary|[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32})$/;
const RETRIES = 2;

/** The batch violated a unique index that Edgewise did not create. */
export class DuplicateValue extends Error {
  /** The index's name, or `table.column, table.column`. */
  readonly index: string;
  constructor(index: string, options?: ErrorOptions) {
    super(`duplicate value in ${index}`, options);
    this.index = index;
  }
}

/** Is the cause of a failure the database, not the statements? */
export const isTransient = (error: unknown): boolean => TRANSIENT.test(String(error)) || isProblem(error, 'overloaded');

const EXCESSES = [
  [TOO_COMPLEX, 'The query is too complex'],
  [EXHAUSTED, 'The query takes more than the database has'],
  [TOO_BIG, 'The document or the response is too large'],
] as const;

function failedAssertion(code: string, cause: unknown): Error {
  if (code === SCHEMA) return unknownSchema();
  const [, limit, max] = LIMIT.exec(code) ?? [];
  if (limit === 'answerRows' || limit === 'answerBytes') return responseTooLarge(limit, Number(max));
  return new AssertionFailed(code, { cause });
}

function translated(error: unknown): Error {
  const message = String(error);
  const [, code] = ASSERTION.exec(message) ?? [];
  if (code) return failedAssertion(code, error);
  const [duplicate, name, columns = ''] = DUPLICATE.exec(message) ?? [];
  if (OWN_INDEX.test(columns)) return new AssertionFailed(CONFLICT, { cause: error });
  if (duplicate) return new DuplicateValue(name ?? columns, { cause: error });
  const [, excess] = EXCESSES.find(([pattern]) => pattern.test(message)) ?? [];
  if (excess)
    return new ApiError({ kind: 'validation', message: excess, details: { limit: 'database' } }, { cause: error });
  if (OVERLOADED.test(message)) return new ApiError({ kind: 'overloaded', retryAfter: 1 }, { cause: error });
  return error instanceof Error ? error : new Error(message);
}

/** Has the database what the message `no such column: table.column` names? Then the statement is wrong. */
async function hasColumn(db: D1Database, missing: string): Promise<boolean> {
  const [, table, column] = COLUMN.exec(missing) ?? [];
  if (table === undefined || column === undefined) return false;
  const { sql: text } = toStatement(sql`select ${columnOf(table, column)} from ${sql.identifier(table)} limit 0`);
  const session = db.withSession('first-primary');
  return session.batch([session.prepare(text)]).then(
    () => true,
    () => false,
  );
}

/** Returns the error of a failed batch. */
async function explained(error: unknown, db: D1Database): Promise<Error> {
  const [missing] = UNMIGRATED.exec(String(error)) ?? [];
  if (!missing || (await hasColumn(db, missing))) return translated(error);
  return notReady(`A migration was not applied (${missing}): npx edgewise migrate, or with --remote`);
}

/** Replaces pages by measured ones; undefined if there are none. */
function withMeasures(statements: readonly Statement[]) {
  const pages = statements.map((each) => (isPage(each) ? each.measured?.() : undefined));
  if (!pages.some(Boolean)) return undefined;
  const all = statements.flatMap((each, index) => pages[index] ?? [each]);
  const measures = new Set<Statement | undefined>(pages.map((page) => page?.[0]));
  return { all, withoutMeasures: (results: Results) => results.filter((_, index) => !measures.has(all[index])) };
}

/**
 * Opens the database of a request. Reads from replicas share a session, until a write: those after it see the write. Each
 * batch for the primary opens its own session, since D1 sends only the first batch of a session there.
 * @param bookmark the header `x-d1-bookmark`; ignored unless it has the form of one
 * @param invocation its execution context; all databases that it opens count their statements together
 */
export function openDatabase(db: D1Database, bookmark: string | undefined, invocation: object): Database {
  let start = bookmark && BOOKMARK.test(bookmark) ? bookmark : 'first-unconstrained';
  let replica: D1DatabaseSession | undefined;
  /** The newest bookmark: they sort by age (https://developers.cloudflare.com/d1/reference/time-travel/#bookmarks). */
  let newest: string | null = null;
  const spent = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
  const sent = sentBy(invocation);
  const costly: Costly[] = [];
  const open = (source: DatabaseSource): D1DatabaseSession => {
    if (source === 'primary') return db.withSession('first-primary');
    replica ??= db.withSession(start);
    return replica;
  };
  const runBatch = async (
    { statements, spread }: Gathered,
    session: D1DatabaseSession,
    isNote = false,
  ): Promise<Results> => {
    countStatements(statements.length, sent, isNote);
    spent.statements += statements.length;
    const results = await session.batch<Row>(statements.map(({ sql, params }) => session.prepare(sql).bind(...params)));
    const reached = session.getBookmark();
    if (reached !== null && reached > (newest ?? '')) newest = reached;
    spent.trips += 1;
    for (const [at, result] of results.entries()) {
      costly.push(...costlyOf(statements[at], result));
      spent.rowsRead += result.meta.rows_read;
      spent.rowsWritten += result.meta.rows_written;
    }
    return spread(results.map(({ results: rows }) => rows));
  };
  const run = async (
    statements: readonly Statement[],
    source: DatabaseSource,
    gather: typeof gathered,
  ): Promise<Results> => {
    try {
      return await runBatch(gather(statements), open(source));
    } catch (error) {
      const measured = UNFIT.test(String(error)) ? withMeasures(statements) : undefined;
      if (!measured) throw error;
      return measured.withoutMeasures(await runBatch(gather(measured.all), open(source)));
    }
  };
  return {
    async read(statements, source) {
      for (let tries = 0; ; tries += 1) {
        try {
          return await run(statements, source, gathered);
        } catch (error) {
          if (tries === RETRIES || !TRANSIENT.test(String(error))) throw await explained(error, db);
        }
      }
    },
    async write(statements) {
      try {
        const results = await run(statements, 'primary', withAssertionsTogether);
        start = newest ?? 'first-primary';
        return results;
      } catch (error) {
        // The commit outcome may be unknown.
        start = 'first-primary';
        throw await explained(error, db);
      } finally {
        replica = undefined;
      }
    },
    async note(statement) {
      await runBatch(ungathered([statement]), open('primary'), true);
    },
    hasRoom: (statements) => hasRoom(statements, sent),
    spent,
    costly,
    bookmark: () => newest,
  };
}

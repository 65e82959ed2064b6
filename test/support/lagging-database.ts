/**
 * @module A D1 database with read replication, whose replica lags: it catches up with the primary only where the bookmark
 * of a session requires it. Miniflare has no replicas.
 */
import { env } from 'cloudflare:workers';
import { legibleDatabase, legibleSession } from './legible-session.ts';

const bookmarkAt = (commits: number): string =>
  `${commits.toString(16).padStart(8, '0')}-00000000-00000000-${'0'.repeat(32)}`;

const SCHEMA = `
  select name, type, sql from sqlite_master
  where sql is not null and name not like '\\_cf%' escape '\\' and name not like 'sqlite%'`;

interface SchemaItem {
  readonly name: string;
  readonly type: string;
  readonly sql: string;
}

/** Returns a database whose replica is a copy of the primary as it is now. It takes tables without triggers. */
export async function laggingDatabase(): Promise<D1Database> {
  const { DB: primary, REPLICA: replica } = env as Env & { readonly REPLICA: D1Database };
  const schema = (await primary.prepare(SCHEMA).all<SchemaItem>()).results;
  await replica.batch(schema.map(({ sql }) => replica.prepare(sql)));
  const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => name);

  async function copyRows(): Promise<void> {
    const contents = await primary.batch<object>(tables.map((name) => primary.prepare(`select * from "${name}"`)));
    const inserts = contents.flatMap(({ results }, index) =>
      results.map((row) => {
        const columns = Object.keys(row);
        const values = columns.map(() => '?').join();
        const sql = `insert into "${tables[index]}" ("${columns.join('", "')}") values (${values})`;
        return replica.prepare(sql).bind(...Object.values(row));
      }),
    );
    await replica.batch([...tables.map((name) => replica.prepare(`delete from "${name}"`)), ...inserts]);
  }

  /** Commits of the primary, and those that the replica has. */
  let [commits, applied] = [0, 0];
  let caughtUp = copyRows();

  function catchUp(position: number): Promise<void> {
    caughtUp = caughtUp.then(async () => {
      if (position <= applied) return;
      const reached = commits;
      await copyRows();
      applied = reached;
    });
    return caughtUp;
  }

  function withSession(constraint = 'first-unconstrained'): D1DatabaseSession {
    let position = constraint.startsWith('first-') ? undefined : Number.parseInt(constraint.slice(0, 8), 16);
    const real = primary.withSession('first-primary');
    const { prepare, batch } = legibleSession(real, async (statements, texts, values) => {
      // Only the first batch of a session goes to the primary.
      if (constraint === 'first-primary' && position === undefined) {
        const results = await real.batch(statements);
        if (results.some(({ meta }) => meta.changed_db)) commits += 1;
        position = commits;
        return results;
      }
      await catchUp(position ?? 0);
      position = Math.max(position ?? 0, applied);
      const bound = texts.map((text, index) => replica.prepare(text).bind(...(values[index] ?? [])));
      const results = await replica.batch(bound);
      if (results.some(({ meta }) => meta.changed_db)) throw new Error('A write went to a replica');
      return results;
    });
    const getBookmark = () => (position === undefined ? null : bookmarkAt(position));
    return { prepare, batch, getBookmark };
  }
  return legibleDatabase(withSession);
}

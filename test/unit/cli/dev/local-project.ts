/**
 * @module A project in a temporary folder with a local database in memory, for tests of what `npm run dev` does to both.
 */

import type { Wrangler } from '../../../../cli/core/wrangler/wrangler.ts';
import { type Consent, type Push, planPush, readFiles, settle } from '../../../../cli/dev/push.ts';
import { applyLocally, localHistory, runAll } from '../../../../cli/migrations/apply.ts';
import { readFolder } from '../../../../cli/migrations/revisions.ts';
import { openMemoryStorage } from '../memory-storage.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';

export interface LocalDatabase {
  readonly db: D1Database;
  close(): Promise<void>;
}

export interface LocalProject extends ScratchProject {
  /** What `npm run dev` does after a save, or `npx edgewise migrate`, which is given a consent. */
  push(consent?: Consent): Promise<Push>;
  /** What somebody does who has the migrations alone. */
  migrate(): Promise<void>;
  /** Answers what commands ask in another terminal. */
  readonly execute: Wrangler;
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** A database in memory. */
export async function localDatabase(): Promise<LocalDatabase> {
  const { storage, close } = await openMemoryStorage();
  return { db: storage.db, close };
}

/** Drops all tables. */
export async function emptyDatabase({ db }: LocalDatabase): Promise<void> {
  const { results } = await db
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`,
    )
    .all<{ readonly name: string }>();
  if (results.length > 0) await db.batch(results.map(({ name }) => db.prepare(`DROP TABLE "${name}"`)));
}

/** Answers what commands ask in another terminal. */
export const executeOn =
  (db: D1Database): Wrangler =>
  async (args) => {
    const statements = String(args[args.indexOf('--command') + 1]).split(';\n');
    try {
      const answers = await db.batch(statements.map((sql) => db.prepare(sql)));
      return { code: 0, stdout: JSON.stringify(answers), stderr: '' };
    } catch (error) {
      return { code: 1, stdout: '', stderr: (error as Error).message };
    }
  };

/** A project on an empty database. */
export function localProject({ db }: LocalDatabase): LocalProject {
  const project = scratchProject();
  return {
    ...project,
    async push(consent) {
      const [local] = await settle(readFolder(project.root), db);
      const push = await planPush(await readFiles(project.root), db, local, consent);
      await runAll(db, 'content-types/', push.statements);
      return push;
    },
    migrate: async () => applyLocally(db, await localHistory(readFolder(project.root).migrations, db)),
    execute: executeOn(db),
    rows: async (sql) => (await db.prepare(sql).all()).results,
  };
}

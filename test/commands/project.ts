/**
 * @module A project in a folder, with its database and buckets on the disk: commands run in it, and a Worker of its
 * content types writes between them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fencesOf } from '../../cli/core/sql/fence.ts';
import type { Storage } from '../../cli/core/storage/bindings.ts';
import { withStorage } from '../../cli/core/storage/storage.ts';
import { withFences, withRenames } from '../../cli/migrations/history-renames.ts';
import { readFolder, readState } from '../../cli/migrations/revisions.ts';
import { readSources, wantedOf } from '../../cli/project/sources.ts';
import { createApp } from '../../src/app.ts';
import { sha256 } from '../../src/common/digest.ts';
import { createDeployment } from '../../src/deployment.ts';
import { cronHandler } from '../../src/http/cron.ts';
import { buildRegistry } from '../../src/schema/build.ts';
import type { Registry } from '../../src/schema/model.ts';
import { CHECKED } from '../../src/schema/schema-json.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { type Model, schemaFiles } from '../generators/models.ts';
import { JWT_SECRET } from '../support/users.ts';
import { STORAGE_TOML } from '../unit/cli/memory-storage.ts';
import { type Ended, runCommand } from '../unit/cli/run-command.ts';
import { type ScratchProject, scratchProject } from '../unit/cli/scratch-project.ts';
import { type Seen, seenBy } from './seen.ts';

const ROOT = join(import.meta.dirname, '../..');
const TOKEN = 'full';

/** @param token that of a caller who may do all by default; null: none */
export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  token?: string | null,
) => Promise<{ status: number; body: never }>;

/** A Worker of the content types of some time, on the database of today. */
export interface Worker {
  readonly ask: Ask;
  readonly storage: Storage;
  /** Runs the cron trigger. */
  readonly runCron: () => Promise<void>;
}

export class Project {
  readonly #folder: ScratchProject = scratchProject();
  readonly root: string = this.#folder.root;
  settings: SettingsInput;

  constructor(settings: SettingsInput) {
    this.settings = settings;
    this.#folder.write('wrangler.toml', STORAGE_TOML);
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
  }

  write(model: Model): void {
    rmSync(join(this.root, 'content-types'), { recursive: true, force: true });
    this.#folder.schemas(...schemaFiles(model));
    this.#folder.write('edgewise.config.ts', `export default ${JSON.stringify(this.settings)};\n`);
  }

  run(line: string): Promise<Ended> {
    return runCommand(this.root, line);
  }

  /** @throws Error if the command fails */
  async done(line: string): Promise<string> {
    const { code, said } = await this.run(line);
    if (code !== 0) throw new Error(`edgewise ${line}: ${code}\n${said}`);
    return said;
  }

  /** Arguments of Node for a command as a process. */
  args(line: string): readonly string[] {
    return ['--no-warnings', join(ROOT, 'cli/edgewise.mjs'), ...line.split(' ')];
  }

  /** Runs a command as a process, and kills it after some milliseconds. Returns false if it had ended before. */
  async killed(line: string, after: number): Promise<boolean> {
    const child: ChildProcess = spawn(process.execPath, this.args(line), {
      cwd: this.root,
      detached: true,
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const isOver = await Promise.race([ended.then(() => true), pause(after).then(() => false)]);
    if (!isOver && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
    return !isOver;
  }

  /** As the Worker has it that is deployed now. */
  async registry(): Promise<Registry> {
    const sources = await readSources(this.root);
    const { revisions, migrations } = readFolder(this.root);
    const { files } = wantedOf(sources, readState(this.root).layout);
    const bundled = withFences(withRenames(files, sources.settings, revisions), fencesOf(migrations));
    return buildRegistry(bundled, CHECKED);
  }

  /** @param registry of the Worker; that of today by default */
  async serve<T>(work: (worker: Worker) => Promise<T>, registry?: Registry): Promise<T> {
    const served = registry ?? (await this.registry());
    const settings = parseSettings({ ...this.settings, rateLimit: { auth: { enabled: false } } });
    const deployment = createDeployment({ registry: served, settings });
    const app = createApp(deployment);
    return withStorage(this.root, {}, async (storage) => {
      const session = { ...bound(storage.db), getBookmark: () => null };
      const DB = { ...session, withSession: () => session };
      const env = { DB, MEDIA: storage.bucket, PRIVATE_MEDIA: storage.bucket, JWT_SECRET } as unknown as Env;
      const inContext = async <R>(run: (context: ExecutionContext) => Promise<R>): Promise<R> => {
        const pending: Promise<unknown>[] = [];
        const waitUntil = (promise: Promise<unknown>) => void pending.push(promise);
        const result = await run({ waitUntil } as unknown as ExecutionContext);
        await Promise.all(pending);
        return result;
      };
      const ask: Ask = async (method, path, body, token = TOKEN) => {
        const headers = {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          'content-type': 'application/json',
        };
        const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
        const request = new Request(`http://edgewise.test${path}`, init);
        return inContext(async (context) => {
          const response = await app.fetch(request, env, context);
          const text = await response.text();
          return { status: response.status, body: (/^[{[]/.test(text) ? JSON.parse(text) : text) as never };
        });
      };
      const runCron = () => inContext((context) => cronHandler(deployment)(undefined, env, context));
      return work({ ask, storage, runCron });
    });
  }

  /** What is seen by the Worker that is deployed now. */
  look(model: Model): Promise<Seen> {
    return this.serve((worker) => seenBy(worker, model));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

const bound = (db: D1Database) => ({
  prepare: (sql: string) => db.prepare(sql),
  batch: async (statements: D1PreparedStatement[]) =>
    (await db.batch(statements)).map((result) => ({ ...result, meta: { rows_read: 0, rows_written: 0 } })),
});

/** Inserts the tokens of the chain: one with full access, and a custom one with a condition. */
export async function insertTokens({ db }: Storage, grants: readonly unknown[]): Promise<void> {
  const insert = (name: string, type: string, permissions: string | null) =>
    db
      .prepare(
        `insert into strapi_api_tokens
           (document_id, locale, published_at, created_at, updated_at, name, type, access_key, permissions, last_used_at)
         values (?, '', 0, 0, 0, ?, ?, ?, ?, 9e15)`,
      )
      .bind(name, name, type, sha256(name), permissions);
  await db.batch([insert(TOKEN, 'full-access', null), insert('custom', 'custom', JSON.stringify(grants))]);
}

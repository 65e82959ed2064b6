/**
 * @module A project with content in a folder of its own, whose commands run as processes and are killed at a known place.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { withStorage } from '../../cli/core/storage/storage.ts';
import type { Row } from '../../src/content/sql/statement.ts';
import { type Attributes, contentType } from '../support/schema-files.ts';
import { STORAGE_TOML } from '../unit/cli/memory-storage.ts';
import { cleanEnv, type Ended, runCommand } from '../unit/cli/run-command.ts';
import { scratchProject } from '../unit/cli/scratch-project.ts';

const ROOT = join(import.meta.dirname, '../..');
const NOTES = 3_000;

/** A query that takes seconds, on the rows that each project has. */
export const SLOW = `select count(*) from (select 1 from notes limit 1000) a, (select 1 from notes limit 1000) b, (select 1 from notes limit 100) c`;

export class KilledProject {
  readonly root: string = scratchProject().root;

  /** @param prepared what it begins as */
  constructor(prepared?: KilledProject) {
    if (prepared) cpSync(prepared.root, this.root, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'));
  }

  path(name: string): string {
    return join(this.root, name);
  }

  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  write(name: string, text: string): void {
    writeFileSync(this.path(name), text);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** Names in a folder. */
  names(folder = ''): readonly string[] {
    return readdirSync(this.path(folder)).toSorted();
  }

  schema(attributes: Attributes): void {
    const { path, json } = contentType('note', attributes);
    mkdirSync(dirname(this.path(path)), { recursive: true });
    this.write(path, JSON.stringify(json));
  }

  run(line: string): Promise<Ended> {
    return runCommand(this.root, line);
  }

  /** @throws Error if the command fails. @returns what it has said */
  async done(line: string): Promise<string> {
    const { code, said } = await this.run(line);
    if (code !== 0) throw new Error(`edgewise ${line}: ${code}\n${said}`);
    return said;
  }

  /** Runs a command as a process, and kills it with its children as soon as it is there. @throws Error if it ends before */
  killed(line: string, isThere: (said: string) => boolean): Promise<void> {
    return this.killedScript('cli/edgewise.mjs', line.split(' '), isThere);
  }

  async killedScript(script: string, args: readonly string[], isThere: (said: string) => boolean): Promise<void> {
    const resolving = ['--no-warnings', '--import', join(ROOT, 'cli/resolve-drizzle.mjs')];
    const child = spawn(process.execPath, [...resolving, join(ROOT, script), ...args], {
      ...{ cwd: this.root, detached: true, env: cleanEnv({}) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += String(chunk);
      });
    let isOver = false;
    const ended = once(child, 'exit').then(() => {
      isOver = true;
    });
    while (!isOver && !isThere(said)) await pause(1);
    if (isOver) throw new Error(`${args.join(' ')} ended before it was killed:\n${said}`);
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
  }

  #database(): string {
    const [path = ''] = globSync('.wrangler/state/v3/d1/*/*.sqlite', { cwd: this.root }).filter(
      (name) => !name.endsWith('metadata.sqlite'),
    );
    return this.path(path);
  }

  /** Reads the local database, also while a command has it open; no rows where that lacks a table. */
  rows(sql: string): readonly Row[] {
    let db: DatabaseSync | undefined;
    try {
      db = new DatabaseSync(this.#database(), { readOnly: true });
      return db.prepare(sql).all() as readonly Row[];
    } catch {
      return [];
    } finally {
      db?.close();
    }
  }

  /** Changes the local database, while no command has it open. */
  change(sql: string): void {
    const db = new DatabaseSync(this.#database());
    db.exec(sql);
    db.close();
  }

  /**
   * The same, while a change of one row takes seconds: what comes before it is done then, and what comes after it is not.
   * @param event of a trigger
   */
  async killedWhileSlow(line: string, event: string, condition: string, isThere: () => boolean): Promise<void> {
    this.change(`create trigger slow before ${event} when ${condition} begin ${SLOW}; end`);
    await this.killed(line, isThere);
    this.change('drop trigger slow');
  }

  put(keys: readonly string[]): Promise<void> {
    return withStorage(this.root, {}, async ({ bucket }) => {
      await Promise.all(keys.map((key) => bucket.put(key, `bytes of ${key}`)));
    });
  }

  /** What callers get: the notes. @throws Error where they cannot be read, which two failures would have in common */
  content(): Row {
    const [row] = this.rows(
      'select count(*) as notes, total(length(text)) as characters, max(text) as last from notes',
    );
    if (!(Number(row?.notes) > 0)) throw new Error('The notes cannot be read');
    return row as Row;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Makes a project with 3,000 notes, their versions, an archive and a backup. */
export async function preparedProject(): Promise<KilledProject> {
  const project = new KilledProject();
  project.write('wrangler.toml', STORAGE_TOML);
  const hook = { url: 'http://127.0.0.1:9/', allowPrivate: true, events: ['entry.create'] };
  const settings = { history: { 'api::note.note': { days: 1 } }, users: {}, webhooks: [hook] };
  project.write('edgewise.config.ts', `export default ${JSON.stringify(settings)};\n`);
  project.schema({ text: { type: 'text' } });
  for (const line of ['generate', 'migrate']) await project.done(line);
  project.change(`with recursive numbers(value) as (select 1 union all select value + 1 from numbers where value < ${NOTES})
    insert into notes (document_id, locale, published_at, created_at, updated_at, text)
    select printf('note%020d', value), '', 1, 1, 1, printf('%05d', value) || hex(randomblob(500))
    from numbers`);
  return project;
}

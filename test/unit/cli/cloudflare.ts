/**
 * @module A stand-in for wrangler and the account behind it, as far as `deploy` and `migrate` know them. Its databases are
 * real ones of SQLite, and each command can be made to fail.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unstable_splitSqlQuery as split, unstable_readConfig } from 'wrangler';
import type { Finished } from '../../../cli/core/wrangler/wrangler.ts';

export interface Account {
  readonly databases: Map<string, DatabaseSync>;
  /** Names of the Worker's secrets; undefined: there is no Worker. */
  secrets: string[] | undefined;
  readonly versions: string[];
  /** The version that serves. */
  live: string | undefined;
}

/** A `wrangler.toml` with one database, to which more may be added. */
export const wranglerToml = (database: string): string => `name = "magazine"
compatibility_date = "2026-11-01"
[[d1_databases]]
binding = "DB"
database_name = "${database}"
migrations_dir = "drizzle"
`;

/** The same with the bucket of files in front of the database. */
export const siteToml = (database: string): string =>
  wranglerToml(database).replace(/^(?=\[)/m, '[[r2_buckets]]\nbinding = "MEDIA"\nbucket_name = "test"\n');

export const emptyAccount = (): Account => ({
  databases: new Map(),
  secrets: undefined,
  versions: [],
  live: undefined,
});

const NO_WORKER = 'Worker "magazine" not found.\n\nIf this is a new Worker, run `wrangler deploy` first';
const LEDGER =
  'CREATE TABLE IF NOT EXISTS "d1_migrations" (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)';

const done = (stdout = ''): Finished => ({ code: 0, stdout, stderr: '' });
const failed = (message: string, stdout = ''): Finished => ({ code: 1, stdout, stderr: message });
const named = (names: Iterable<string>): string => JSON.stringify([...names].map((name) => ({ name })));

const after = (args: readonly string[], option: string): string | undefined => {
  const at = args.indexOf(option);
  return at < 0 ? undefined : args[at + 1];
};

function databaseOf(
  account: Account,
  config: string,
  env?: string,
): { readonly database: DatabaseSync; readonly folder: string } {
  const [entry] = unstable_readConfig({ config, ...(env !== undefined && { env }) }).d1_databases;
  const database = account.databases.get(entry?.database_name ?? '');
  if (!database) throw new Error(`Couldn't find DB with name ${entry?.database_name}`);
  return { database, folder: join(dirname(config), entry?.migrations_dir ?? 'migrations') };
}

function applyMigrations(account: Account, config: string, env?: string): Finished {
  const { database, folder } = databaseOf(account, config, env);
  database.exec(LEDGER);
  const applied = new Set(
    database
      .prepare('SELECT name FROM d1_migrations')
      .all()
      .map(({ name }) => name),
  );
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && !applied.has(name));
  let shown = '';
  for (const name of names.sort()) {
    database.exec('BEGIN');
    try {
      database.exec(readFileSync(join(folder, name), 'utf8'));
      database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name);
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      return failed(`Migration ${name} failed with the following errors: ${(error as Error).message}`, shown);
    }
    shown += `│ ${name} │ ✅ │\n`;
  }
  return done(shown);
}

function execute(account: Account, config: string, command: string, env?: string): Finished {
  const { database } = databaseOf(account, config, env);
  try {
    const results = split(command).map((sql) => ({ results: database.prepare(sql).all() }));
    return done(JSON.stringify(results));
  } catch (error) {
    return failed(JSON.stringify({ error: { text: `${(error as Error).message}: SQLITE_ERROR` } }));
  }
}

function upload(account: Account, args: readonly string[]): string {
  const path = after(args, '--secrets-file');
  const secrets = path ? Object.keys(JSON.parse(readFileSync(path, 'utf8'))) : [];
  account.secrets = [...(account.secrets ?? []), ...secrets];
  const version = `00000000-0000-4000-8000-${String(account.versions.length + 1).padStart(12, '0')}`;
  account.versions.push(version);
  return version;
}

function route(account: Account, spec = ''): Finished {
  const [version = ''] = spec.split('@');
  if (!account.versions.includes(version)) return failed(`there is no version ${version}`);
  account.live = version;
  return done(`SUCCESS  Deployed magazine version ${version} at 100%`);
}

function answer(account: Account, root: string, args: readonly string[]): Finished {
  const config = after(args, '--config') ?? join(root, 'wrangler.toml');
  const env = after(args, '--env');
  const command = args.join(' ');
  if (command.startsWith('d1 list')) return done(named(account.databases.keys()));
  if (command.startsWith('d1 create')) {
    account.databases.set(args[2] ?? '', new DatabaseSync(':memory:'));
    return done();
  }
  if (command.startsWith('d1 migrations apply DB --remote')) return applyMigrations(account, config, env);
  if (command.startsWith('d1 execute DB --remote'))
    return execute(account, config, after(args, '--command') ?? '', env);
  if (command.startsWith('d1 time-travel info')) return done('{ "bookmark": "0000-b00c" }');
  if (command.startsWith('secret list')) return account.secrets ? done(named(account.secrets)) : failed(NO_WORKER);
  if (command.startsWith('versions upload')) return done(`Worker Version ID: ${upload(account, args)}\n`);
  if (command.startsWith('versions deploy')) return route(account, args[2]);
  if (command.startsWith('triggers deploy')) return done();
  if (command.startsWith('deploy')) return route(account, upload(account, args));
  throw new Error(`the stand-in does not know: wrangler ${command}`);
}

export interface StandIn {
  /** What was asked, without the names of temporary files and without SQL. */
  readonly commands: string[];
  /** Files with secrets that were sent. */
  readonly secretFiles: { readonly path: string; readonly secrets: Readonly<Record<string, string>> }[];
  quietly(args: readonly string[]): Promise<Finished>;
  openly(args: readonly string[]): Promise<number>;
}

interface Behaviour {
  /** A command that begins so fails, without having done anything. */
  readonly failing?: string | undefined;
  /** Called before each command. */
  readonly before?: (command: string) => void | Promise<void>;
}

/** wrangler in the project at `root`, on an account. */
export function standIn(root: string, account: Account, { failing, before }: Behaviour = {}): StandIn {
  const commands: string[] = [];
  const secretFiles: StandIn['secretFiles'] = [];
  const quietly = async (args: readonly string[]): Promise<Finished> => {
    const path = after(args, '--secrets-file');
    if (path) secretFiles.push({ path, secrets: JSON.parse(readFileSync(path, 'utf8')) });
    const command = args
      .filter((arg) => !arg.includes('/') && !/^(SELECT|INSERT|CREATE|UPDATE|DELETE) /.test(arg))
      .join(' ');
    await before?.(command);
    commands.push(command);
    if (failing && command.startsWith(failing)) return failed('the API said no');
    return answer(account, root, args);
  };
  return { commands, secretFiles, quietly, openly: async (args) => (await quietly(args)).code };
}

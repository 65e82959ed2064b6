/**
 * @module What a deployment finds in the account of Cloudflare: the database, the secrets of the Worker.
 */
import { join } from 'node:path';
import { progress, UserError } from '../core/terminal.ts';
import { assertDone, CONFIG, envArgs, type Finished, type Target, type Wrangler } from '../core/wrangler/wrangler.ts';
import { unstable_readConfig } from '../core/wrangler/wrangler-module.ts';
import type { Consent } from '../migrations/consent.ts';

export interface DeployTools extends Consent {
  /** The deployed database. */
  readonly target: Target;
  /** Runs wrangler without showing what it writes. */
  readonly quietly: Wrangler;
  /** Runs wrangler on the terminal. */
  readonly openly: (args: readonly string[]) => Promise<number>;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** wrangler.toml, as an environment has it. */
export const configOf = (root: string, { env }: Target): ReturnType<typeof unstable_readConfig> =>
  unstable_readConfig({ config: join(root, CONFIG), ...(env !== undefined && { env }) });

function databaseOf(root: string, target: Target): { readonly name: string; readonly id?: string | undefined } {
  const { d1_databases: databases } = configOf(root, target);
  const database = databases.find((entry: { readonly binding: string }) => entry.binding === 'DB');
  if (!database?.database_name) throw new UserError('wrangler.toml: d1_databases: expected a database_name for DB');
  return { name: database.database_name, id: database.database_id };
}

function listOf(what: string, done: Finished): readonly { readonly name: string }[] {
  assertDone(what, done);
  try {
    return JSON.parse(done.stdout.slice(done.stdout.indexOf('[')));
  } catch {
    throw new UserError(`${what}: wrangler answered no list:\n${done.stdout}`);
  }
}

/**
 * On the first deployment there is no database, and wrangler would make it only while it deploys, so that the Worker would
 * be live without tables. Therefore it is made first, under the `database_name` of wrangler.toml: `wrangler d1 migrations
 * apply --remote` finds it by that name, and `wrangler deploy` connects the binding to it. It needs no id in wrangler.toml.
 */
export async function ensureDatabase(root: string, { quietly, target }: DeployTools): Promise<void> {
  const { name, id } = databaseOf(root, target);
  if (id !== undefined) return;
  const databases = listOf('Listing the databases', await quietly(['d1', 'list', '--json']));
  if (databases.some((database) => database.name === name)) return;
  progress(`making the database ${name} …`);
  assertDone(`Making the database ${name}`, await quietly(['d1', 'create', name, '--update-config=false']));
}

/** The names of the Worker's secrets; undefined: there is no Worker yet. */
export async function secretNames({ quietly, target }: DeployTools): Promise<readonly string[] | undefined> {
  const done = await quietly(['secret', 'list', '--format', 'json', ...envArgs(target)]);
  if (done.code !== 0 && /Worker ".*" .*not found/.test(done.stdout + done.stderr)) return undefined;
  return listOf('Listing the secrets', done).map(({ name }) => name);
}

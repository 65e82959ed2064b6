/**
 * @module What a deployment finds in the account of Cloudflare: the database, the secrets of the Worker.
 */
import { progress } from '../core/terminal.ts';
import { databaseIn, listDatabases, listedBy, readConfiguration } from '../core/wrangler/configuration.ts';
import { assertDone, envArgs, type Target, type Wrangler } from '../core/wrangler/wrangler.ts';
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

/**
 * On the first deployment there is no database, and wrangler would make it only while it deploys, so that the Worker would
 * be live without tables. Therefore it is made first, under the `database_name` of wrangler.toml: `wrangler d1 migrations
 * apply --remote` finds it by that name, and `wrangler deploy` connects the binding to it. It needs no id in wrangler.toml.
 */
export async function ensureDatabase(root: string, { quietly, target }: DeployTools): Promise<void> {
  const { name, id } = databaseIn(readConfiguration(root, target));
  if (id !== undefined) return;
  const databases = await listDatabases(quietly);
  if (databases.some((database) => database.name === name)) return;
  progress(`making the database ${name} …`);
  assertDone(`Making the database ${name}`, await quietly(['d1', 'create', name, '--update-config=false']));
}

/** The names of the Worker's secrets; undefined: there is no Worker yet. */
export async function secretNames({ quietly, target }: DeployTools): Promise<readonly string[] | undefined> {
  const done = await quietly(['secret', 'list', '--format', 'json', ...envArgs(target)]);
  if (done.code !== 0 && /Worker ".*" .*not found/.test(done.stdout + done.stderr)) return undefined;
  return listedBy<{ readonly name: string }>('Listing the secrets', done).map(({ name }) => name);
}

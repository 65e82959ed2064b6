/**
 * @module The account at Cloudflare: its databases, the secrets of the Worker.
 */
import { progress } from '../core/terminal.ts';
import { databaseIn, listDatabases, listedBy, readConfiguration } from '../core/wrangler/configuration.ts';
import { assertDone, envArgs, type Target, type Wrangler } from '../core/wrangler/wrangler.ts';
import type { Consent } from '../migrations/consent.ts';

export interface DeployTools extends Consent {
  /** The deployed database. */
  readonly target: Target;
  /** Runs wrangler without showing its output. */
  readonly quietly: Wrangler;
  /** Runs wrangler on the terminal. */
  readonly openly: (args: readonly string[]) => Promise<number>;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Creates the database before the first deployment: wrangler would create it while it deploys, so the Worker would be live
 * without tables. wrangler finds it by the `database_name` of wrangler.toml and needs no id.
 */
export async function ensureDatabase(root: string, { quietly, target }: DeployTools): Promise<void> {
  const { name, id } = databaseIn(readConfiguration(root, target));
  if (id !== undefined) return;
  const databases = await listDatabases(quietly);
  if (databases.some((database) => database.name === name)) return;
  progress(`creating the database ${name} …`);
  assertDone(`Creating the database ${name}`, await quietly(['d1', 'create', name, '--update-config=false']));
}

/** Returns the names of the Worker's secrets; undefined if there is no Worker yet. */
export async function secretNames({ quietly, target }: DeployTools): Promise<readonly string[] | undefined> {
  const done = await quietly(['secret', 'list', '--format', 'json', ...envArgs(target)]);
  if (done.code !== 0 && /Worker ".*" .*not found/.test(done.stdout + done.stderr)) return undefined;
  return listedBy<{ readonly name: string }>('Listing the secrets', done).map(({ name }) => name);
}

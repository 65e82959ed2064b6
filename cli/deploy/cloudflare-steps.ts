/**
 * @module What a deployment has wrangler do at Cloudflare: make the database, list secrets, and upload versions of the Worker
 * (https://developers.cloudflare.com/workers/versions-and-deployments/). The first version is deployed when it is uploaded.
 */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTemporaryFolder } from '../core/leftovers.ts';
import { progress, UserError } from '../core/terminal.ts';
import { databaseIn, listDatabases, readConfiguration } from '../core/wrangler/configuration.ts';
import { assertDone, envArgs, type Target, type Wrangler } from '../core/wrangler/wrangler.ts';
import type { Consent } from '../migrations/apply.ts';

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

const JWT_SECRET = 'JWT_SECRET';

/** Adds a random JWT secret to the next version of a Worker that has none. */
async function withSecret<T>(
  secrets: readonly string[],
  upload: (options: readonly string[]) => Promise<T>,
): Promise<T> {
  if (secrets.includes(JWT_SECRET)) return upload([]);
  return withTemporaryFolder((folder) => {
    const path = join(folder, 'secrets.json');
    writeFileSync(path, JSON.stringify({ [JWT_SECRET]: randomBytes(32).toString('hex') }), { mode: 0o600 });
    progress(`setting a random ${JWT_SECRET}`);
    return upload(['--secrets-file', path]);
  });
}

/** Deploys on the terminal: wrangler may ask about what it creates, such as the bucket. */
export async function deployFirst({ openly, target }: DeployTools): Promise<void> {
  const code = await withSecret([], (options) => openly(['deploy', ...envArgs(target), ...options]));
  if (code !== 0) throw new UserError('wrangler deploy failed');
}

/** @returns the id of the new version, which gets no traffic yet. */
export async function uploadVersion({ quietly, target }: DeployTools, secrets: readonly string[]): Promise<string> {
  const done = await withSecret(secrets, (options) => quietly(['versions', 'upload', ...envArgs(target), ...options]));
  assertDone('Uploading the new version', done);
  const [, version] = /Worker Version ID: ([\da-f-]{36})/.exec(done.stdout) ?? [];
  if (!version) throw new UserError(`Uploading the new version: wrangler returned no id:\n${done.stdout}`);
  return version;
}

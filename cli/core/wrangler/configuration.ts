/**
 * @module What wrangler.toml says: its environments, the database, the bucket.
 */
import { join } from 'node:path';
import { UserError } from '../terminal.ts';
import { jsonOf, type Target, WRANGLER_TOML, type Wrangler } from './wrangler.ts';
import { experimental_readRawConfig, unstable_readConfig } from './wrangler-module.ts';

type Configuration = ReturnType<typeof unstable_readConfig>;

/** What wrangler.toml says of a database or a bucket; wrangler's own types are lost with its lazy import. */
export interface Binding {
  readonly binding: string;
}

/** The file as an environment has it. */
export const readConfiguration = (root: string, { env }: Target): Configuration =>
  unstable_readConfig({ config: join(root, WRANGLER_TOML), ...(env !== undefined && { env }) });

/**
 * A database without an id was made under its name, and has the binding by that.
 * @throws UserError for a database without a name.
 */
export function databaseIn({ d1_databases: databases }: Configuration): { name: string; id?: string } {
  const database = databases.find(({ binding }: Binding) => binding === 'DB');
  if (!database?.database_name) throw new UserError(`${WRANGLER_TOML}: d1_databases: expected a database_name for DB`);
  return { name: database.database_name, id: database.database_id };
}

/** @throws UserError for a bucket without a name. */
export function bucketIn({ r2_buckets: buckets }: Configuration): string {
  const name = buckets.find(({ binding }: Binding) => binding === 'MEDIA')?.bucket_name;
  if (!name) throw new UserError(`${WRANGLER_TOML}: r2_buckets: expected a bucket_name for MEDIA`);
  return name;
}

interface Database {
  readonly name: string;
  readonly uuid: string;
}

export const listDatabases = async (run: Wrangler): Promise<readonly Database[]> =>
  jsonOf('Listing the databases', await run(['d1', 'list', '--json'])) as readonly Database[];

/**
 * Without any environment in its file, wrangler would take a wrong name for what stands outside of all.
 * @throws UserError for a name that wrangler.toml does not have.
 */
export function assertEnvironment(name: string): void {
  const names = Object.keys(experimental_readRawConfig({ config: WRANGLER_TOML }).rawConfig.env ?? {});
  if (names.includes(name)) return;
  const others = names.length > 0 ? names.join(', ') : 'no environments';
  throw new UserError(`--env: ${WRANGLER_TOML} has no [env.${name}]; it has ${others}`);
}

/**
 * @module What wrangler.toml says: its environments, the database, the bucket.
 */
import { join } from 'node:path';
import { missingBinding, type NeededBinding } from '../../../src/http/bindings.ts';
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

/** @throws UserError with the lines to add. @param names of the bindings that there are */
function assertBound(needed: NeededBinding, names: readonly string[], env: string | undefined): void {
  if (!names.includes(needed)) throw new UserError(missingBinding(needed, env));
}

const namesOf = (bindings: readonly Binding[]): readonly string[] => bindings.map(({ binding }) => binding);

/** The names of databases and of buckets. */
type Bound = Readonly<Record<NeededBinding, readonly string[]>>;

export const boundIn = ({ d1_databases, r2_buckets }: Configuration): Bound => ({
  DB: namesOf(d1_databases),
  MEDIA: namesOf(r2_buckets),
});

/** Returns the lines to add for each binding that is missing. */
export const missingBindings = (bound: Bound, env: string | undefined): readonly string[] =>
  (['DB', 'MEDIA'] as const).filter((name) => !bound[name].includes(name)).map((name) => missingBinding(name, env));

/** @throws UserError with the lines to add */
export function assertAllBound(bound: Bound, env: string | undefined): void {
  const missing = missingBindings(bound, env);
  if (missing.length > 0) throw new UserError(...missing);
}

/**
 * A database without an id was made under its name, and has the binding by that.
 * @throws UserError for a file without the database, and for a database without a name.
 */
export function databaseIn({ d1_databases: databases, targetEnvironment: env }: Configuration): {
  name: string;
  id?: string;
} {
  assertBound('DB', namesOf(databases), env);
  const database = databases.find(({ binding }: Binding) => binding === 'DB');
  if (!database?.database_name) throw new UserError(`${WRANGLER_TOML}: d1_databases: expected a database_name for DB`);
  return { name: database.database_name, id: database.database_id };
}

/** @throws UserError for a file without the bucket, and for a bucket without a name. */
export function bucketIn({ r2_buckets: buckets, targetEnvironment: env }: Configuration): string {
  assertBound('MEDIA', namesOf(buckets), env);
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

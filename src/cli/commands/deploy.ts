/**
 * @module `npm run deploy`: migrates the deployed database, then deploys the Worker.
 *
 * Tables come before the Worker, always. On the first deploy there is no database yet, and wrangler would make it only
 * while it deploys, so that the Worker would be live without tables. Therefore the database is made first, under the
 * `database_name` of wrangler.toml: `wrangler d1 migrations apply --remote` finds it by that name, and `wrangler deploy`
 * connects the binding to an existing database of that name instead of making one. It needs no id in wrangler.toml. The
 * bucket holds nothing that the Worker needs to start, and is left to wrangler's own provisioning.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { unstable_readConfig } from 'wrangler';
import { tellUnfinished } from '../import/unfinished.ts';
import { withEnvironment } from '../platform/target-options.ts';
import {
  assertDone,
  envArgs,
  type Finished,
  spawnWrangler,
  type Target,
  type Wrangler,
  wrangler,
} from '../platform/wrangler.ts';
import { loadSettings } from '../project/project.ts';
import { deployRemarks } from '../project/remarks.ts';
import { progress, run, UserError } from '../terminal.ts';
import { staleFiles } from './generate.ts';
import { migrate, reportMigrated } from './migrate.ts';

export interface DeployTools {
  /** Runs wrangler without showing what it writes. */
  readonly quietly: Wrangler;
  /** Runs wrangler on the terminal. */
  readonly openly: (args: readonly string[]) => Promise<number>;
}

const JWT_SECRET = 'JWT_SECRET';

const openly: DeployTools['openly'] = (args) =>
  new Promise((resolve, reject) => {
    const child = spawnWrangler(args, false);
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });

function databaseOf(configPath: string, { env }: Target): { readonly name: string; readonly id?: string | undefined } {
  const { d1_databases: databases } = unstable_readConfig({ config: configPath, ...(env !== undefined && { env }) });
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

async function ensureDatabase(root: string, { quietly }: DeployTools, target: Target): Promise<void> {
  const { name, id } = databaseOf(join(root, 'wrangler.toml'), target);
  if (id !== undefined) return;
  const databases = listOf('Listing the databases', await quietly(['d1', 'list', '--json']));
  if (databases.some((database) => database.name === name)) return;
  progress(`making the database ${name} …`);
  assertDone(`Making the database ${name}`, await quietly(['d1', 'create', name, '--update-config=false']));
}

/** Has the deployed Worker no secret for its JWTs? A Worker that does not exist has none. */
async function lacksSecret({ quietly }: DeployTools, target: Target): Promise<boolean> {
  const done = await quietly(['secret', 'list', '--format', 'json', ...envArgs(target)]);
  if (done.code !== 0 && /Worker ".*" .*not found/.test(done.stdout + done.stderr)) return true;
  return !listOf('Listing the secrets', done).some(({ name }) => name === JWT_SECRET);
}

/** Deploys; a Worker without a secret gets a random one in the same step. Older secrets stay as they are. */
async function deployWorker(tools: DeployTools, target: Target): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-'));
  try {
    const args = ['deploy', ...envArgs(target)];
    if (await lacksSecret(tools, target)) {
      const path = join(folder, 'secrets.json');
      writeFileSync(path, JSON.stringify({ [JWT_SECRET]: randomBytes(32).toString('hex') }), { mode: 0o600 });
      args.push('--secrets-file', path);
      progress(`setting a random ${JWT_SECRET}`);
    }
    if ((await tools.openly(args)) !== 0)
      throw new UserError('wrangler deploy failed; the database is migrated already');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Checks that nothing is stale, migrates, deploys; the first failure ends it.
 * @throws UserError with what wrangler said.
 */
export async function deploy(
  root: string,
  tools: DeployTools = { quietly: wrangler, openly },
  { env }: Pick<Target, 'env'> = {},
): Promise<void> {
  const target: Target = { remote: true, ...(env !== undefined && { env }) };
  progress('checking that nothing is stale …');
  const stale = await staleFiles(root);
  if (stale.length > 0)
    throw new UserError(`Stale, run npm run generate:\n${stale.map((path) => `  ${path}`).join('\n')}`);
  const bindings = unstable_readConfig({ config: join(root, 'wrangler.toml'), ...(env !== undefined && { env }) });
  for (const remark of deployRemarks(await loadSettings(root), bindings)) progress(remark);
  await ensureDatabase(root, tools, target);
  progress('applying migrations to the deployed database …');
  reportMigrated(await migrate(target, tools.quietly), target);
  await tellUnfinished(target, tools.quietly);
  progress('deploying …');
  await deployWorker(tools, target);
}

if (import.meta.main)
  await withEnvironment(
    new Command('npm run deploy --').description(
      'Migrates the deployed database, then deploys the Worker; the first time it makes what is missing.',
    ),
  )
    .action((flags: Pick<Target, 'env'>) => run(() => deploy(process.cwd(), undefined, flags)))
    .parseAsync();

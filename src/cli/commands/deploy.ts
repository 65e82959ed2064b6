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
import { appliedNames } from '../migrations/applied.ts';
import { agreeToLosses, type Consent, terminalQuestion } from '../migrations/consent.ts';
import { migrationNames } from '../migrations/migration-files.ts';
import { assertDone, type Finished, spawnWrangler, type Wrangler, wrangler } from '../platform/wrangler.ts';
import { staleFiles } from '../project/generate.ts';
import { loadSettings } from '../project/project.ts';
import { deployRemarks } from '../project/remarks.ts';
import { progress, run, UserError } from '../terminal.ts';
import { migrate, reportMigrated } from './migrate.ts';

export interface DeployTools extends Consent {
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

function databaseOf(configPath: string): { readonly name: string; readonly id?: string | undefined } {
  const { d1_databases: databases } = unstable_readConfig({ config: configPath });
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

async function ensureDatabase(root: string, { quietly }: DeployTools): Promise<void> {
  const { name, id } = databaseOf(join(root, 'wrangler.toml'));
  if (id !== undefined) return;
  const databases = listOf('Listing the databases', await quietly(['d1', 'list', '--json']));
  if (databases.some((database) => database.name === name)) return;
  progress(`making the database ${name} …`);
  assertDone(`Making the database ${name}`, await quietly(['d1', 'create', name, '--update-config=false']));
}

/** Has the deployed Worker no secret for its JWTs? A Worker that does not exist has none. */
async function lacksSecret({ quietly }: DeployTools): Promise<boolean> {
  const done = await quietly(['secret', 'list', '--format', 'json']);
  if (done.code !== 0 && /Worker ".*" .*not found/.test(done.stdout + done.stderr)) return true;
  return !listOf('Listing the secrets', done).some(({ name }) => name === JWT_SECRET);
}

/** Deploys; a Worker without a secret gets a random one in the same step. Older secrets stay as they are. */
async function deployWorker(tools: DeployTools): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-'));
  try {
    const args = ['deploy'];
    if (await lacksSecret(tools)) {
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

/** A database that has no migration yet has nothing to lose. */
async function agreeToPending(root: string, tools: DeployTools): Promise<void> {
  const target = { remote: true };
  const applied = await appliedNames(target, tools.quietly);
  const pending = migrationNames(root).filter((name) => !applied.includes(name));
  if (applied.length > 0 && pending.length > 0) await agreeToLosses(root, pending, target, tools, tools.quietly);
}

/**
 * Checks that nothing is stale, migrates, deploys; the first failure ends it.
 * @throws UserError with what wrangler said.
 */
export async function deploy(root: string, tools: DeployTools): Promise<void> {
  progress('checking that nothing is stale …');
  const stale = await staleFiles(root);
  if (stale.length > 0)
    throw new UserError(`Stale, run npm run generate:\n${stale.map((path) => `  ${path}`).join('\n')}`);
  const bindings = unstable_readConfig({ config: join(root, 'wrangler.toml') });
  for (const remark of deployRemarks(await loadSettings(root), bindings)) progress(remark);
  await ensureDatabase(root, tools);
  await agreeToPending(root, tools);
  progress('applying migrations to the deployed database …');
  reportMigrated(await migrate({ remote: true }, tools.quietly), { remote: true });
  progress('deploying …');
  await deployWorker(tools);
}

if (import.meta.main)
  await new Command('npm run deploy')
    .description('Migrates the deployed database, then deploys the Worker; the first time it makes what is missing.')
    .option('--allow-drop', 'go ahead with migrations that lose stored content, without a question')
    .action(({ allowDrop = false }: { readonly allowDrop?: boolean }) =>
      run(() => deploy(process.cwd(), { quietly: wrangler, openly, allowDrop, ask: terminalQuestion })),
    )
    .parseAsync();

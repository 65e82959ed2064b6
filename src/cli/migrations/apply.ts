/**
 * @module Applies migrations that a database does not have yet, in order. Each file is applied as a whole or not at all.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { type Finished, failureText, type Target, targetArgs, type Wrangler } from '../platform/wrangler.ts';
import { progress, UserError } from '../terminal.ts';
import type { Migration } from './when.ts';

/** @returns the names of those that were applied. @throws UserError with wrangler's words. */
function appliedBy(done: Finished): readonly string[] {
  const names = [...new Set(done.stdout.match(/\d+_\S+\.sql(?=.*✅)/g))];
  if (done.code === 0) return names;
  throw new UserError(
    [
      failureText('Applying the migrations', done),
      ...(names.length > 0 ? [`Applied before that: ${names.join(', ')}`] : []),
      'The migration that failed has left nothing behind. The next run goes on with it.',
    ].join('\n'),
  );
}

/**
 * Brings a database up to date.
 * @returns how many migrations were applied.
 */
export async function migrate(target: Target, execute: Wrangler): Promise<number> {
  return appliedBy(await execute(['d1', 'migrations', 'apply', 'DB', ...targetArgs(target)])).length;
}

interface Entry {
  readonly binding: string;
  readonly database_name?: string;
  readonly database_id?: string;
}

/** wrangler applies all files of a folder; so a part of them is put into another one, with a configuration beside it. */
function configureFolder(root: string, folder: string, migrations: readonly Migration[]): string {
  const { name, account_id, compatibility_date, d1_databases } = unstable_readConfig({
    config: join(root, 'wrangler.toml'),
  });
  const databases = d1_databases
    .filter(({ binding }: Entry) => binding === 'DB')
    .map(({ binding, database_name, database_id }: Entry) => ({
      binding,
      database_name,
      database_id,
      migrations_dir: 'migrations',
    }));
  const path = join(folder, 'wrangler.json');
  writeFileSync(path, JSON.stringify({ name, account_id, compatibility_date, d1_databases: databases }));
  mkdirSync(join(folder, 'migrations'));
  for (const { name: file, text } of migrations) writeFileSync(join(folder, 'migrations', file), text);
  return path;
}

/** Applies these migrations alone to the deployed database. @returns how many were applied. */
export async function applyDeployed(
  root: string,
  migrations: readonly Migration[],
  execute: Wrangler,
): Promise<number> {
  if (migrations.length === 0) return 0;
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-migrations-'));
  try {
    const config = configureFolder(root, folder, migrations);
    return appliedBy(await execute(['d1', 'migrations', 'apply', 'DB', '--remote', '--config', config])).length;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Says what came of it. */
export function reportMigrated(count: number, { remote }: Target): void {
  const database = remote ? 'deployed database' : 'local database';
  progress(count === 0 ? `${database}: up to date` : `${database}: ${count} migration(s) applied`);
}

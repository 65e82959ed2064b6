/**
 * @module `npm run renew`: after content was changed past the API, answers that isolates remember are not true any more.
 * New stamps (`sql/stamps.ts`) say so.
 */
import { Command } from 'commander';
import { EVERY_STAMP, STAMP_TABLE } from '../../registry/names.ts';
import { identifier, literal } from '../migrations/sql-text.ts';
import { withTarget } from '../platform/target-options.ts';
import { databaseName, executeSql, type Target } from '../platform/wrangler.ts';
import { progress, run } from '../terminal.ts';

/** A new stamp for everything; stands in every migration too. */
export const RENEW_STAMPS = `INSERT INTO ${identifier(STAMP_TABLE)} ("id", "stamps") VALUES (1, json_object(${literal(EVERY_STAMP)}, lower(hex(randomblob(8))))) ON CONFLICT ("id") DO UPDATE SET "stamps" = "excluded"."stamps"`;

async function command(target: Target): Promise<void> {
  await executeSql([RENEW_STAMPS], target);
  progress(`${databaseName(target)}: answers are made anew from now on`);
}

if (import.meta.main)
  await withTarget(
    new Command('npm run renew --').description(
      'Says that content was changed past the API: no answer that is remembered is given any more.',
    ),
  )
    .action((target: Target) => run(() => command(target)))
    .parseAsync();

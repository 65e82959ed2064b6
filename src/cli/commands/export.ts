/**
 * @module `npm run export`: all content as an archive that `strapi import` takes.
 */
import { Command } from 'commander';
import { counted } from '../counted.ts';
import { type Exported, exportProject, usualName } from '../export/export.ts';
import { withTarget } from '../platform/target-options.ts';
import type { Target } from '../platform/wrangler.ts';
import { untilSettled } from '../project/project-lock.ts';
import { print, run } from '../terminal.ts';

interface Flags extends Target {
  readonly file?: string;
  readonly key?: string;
  /** False: `--no-files`. */
  readonly files: boolean;
}

const KEY_VARIABLE = 'EDGEWISE_EXPORT_KEY';

function report(path: string, { missing, newPasswords }: Exported): void {
  if (missing > 0) print(`not in the bucket, so not in the archive: ${counted(missing, 'object')} of files`);
  if (newPasswords > 0)
    print(
      `${counted(newPasswords, 'user has', 'users have')} a password that Strapi cannot check: there they ask for a new one`,
    );
  print(`To take it into a Strapi with the same content types: strapi import --file ${path} --force`);
}

async function command(flags: Flags): Promise<void> {
  await untilSettled(process.cwd(), 'npm run export');
  const passphrase = flags.key ?? process.env[KEY_VARIABLE];
  const path = flags.file ?? usualName(new Date(), passphrase !== undefined);
  const options = { path, withoutFiles: !flags.files, ...(passphrase !== undefined && { passphrase }) };
  report(path, await exportProject(process.cwd(), flags, options));
}

if (import.meta.main)
  await withTarget(
    new Command('npm run export --')
      .description('All content as an archive that `strapi import` takes: documents, users, files, roles, locales.')
      .option('--file <path>', 'where the archive goes; by default a name with the time, in this folder')
      .option('--key <key>', 'enciphers it, as Strapi does; better in EDGEWISE_EXPORT_KEY')
      .option('--no-files', 'without the bytes of files'),
  )
    .action((flags: Flags) => run(() => command(flags)))
    .parseAsync();

/**
 * @module `edgewise export`: all content as an archive that `strapi import` takes.
 */
import { Command } from 'commander';
import { assertNewFile, timedName } from '../core/output-file.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { withTarget } from './options.ts';

interface Flags extends Target {
  readonly file?: string;
  readonly key?: string;
  /** False: `--no-files`. */
  readonly files: boolean;
}

async function action({ file, files, key: passphrase = process.env.EDGEWISE_EXPORT_KEY, ...target }: Flags) {
  const path = file ?? timedName('edgewise', new Date(), passphrase === undefined ? '' : '.enc');
  assertNewFile(path);
  const { exportProject } = await import('../work/export.ts');
  await exportProject(process.cwd(), target, {
    path,
    withoutFiles: !files,
    ...(passphrase !== undefined && { passphrase }),
  });
}

export const exportCommand = (): Command =>
  withTarget(
    new Command('export')
      .description('All content as an archive that `strapi import` takes: documents, users, files, roles, locales.')
      .option('--file <path>', 'where the archive goes; by default a name with the time, in this folder')
      .option('--key <key>', 'enciphers it, as Strapi does; better in EDGEWISE_EXPORT_KEY')
      .option('--no-files', 'without the bytes of files'),
  ).action(action);

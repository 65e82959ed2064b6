/**
 * @module `edgewise import`: the content of a Strapi 5, from an archive that `strapi export` made.
 */
import { Command, Option } from 'commander';
import { openArchive } from '../core/archive/archive-file.ts';
import { type Flags, groups, keyFor } from '../import/options.ts';
import { assertBackupOption, withTarget } from './options.ts';

async function action(path: string, flags: Flags): Promise<void> {
  assertBackupOption(flags);
  const file = openArchive(path, await keyFor(path, flags));
  await (await import('../work/import.ts')).importArchive(process.cwd(), file, flags);
}

const MERGE = 'into a database with content: what is newer takes the place of what is older';
const REPLACE = 'in the place of all content that is there, of which a backup is made';
const FORCE = 'takes what has a place in content-types/, and leaves the rest';

export const importCommand = (): Command =>
  withTarget(
    new Command('import')
      .description('Takes the content of a Strapi 5 from an archive of `strapi export`.')
      .argument('<file>', 'the archive: .tar, .tar.gz, or enciphered (.enc)')
      .option('--key <key>', 'key of an enciphered archive; better in EDGEWISE_IMPORT_KEY')
      .option('--only <groups>', 'some of content, files, config, with commas', groups)
      .option('--exclude <groups>', 'all but these', groups)
      .option('--dry-run', 'checks and counts everything, and writes nothing')
      .addOption(new Option('--merge', MERGE).conflicts(['replace', 'resume']))
      .addOption(new Option('--replace', REPLACE).conflicts('resume'))
      .option('--no-backup', 'with --replace: without a backup')
      .option('--resume', 'goes on with an import that was interrupted')
      .option('--replace-types', 'the content types of the archive take the place of those in content-types/')
      .option('--allow-drop', 'go ahead with new tables that lose stored content, without a question')
      .addOption(new Option('--force', FORCE).conflicts('replaceTypes')),
  ).action(action);

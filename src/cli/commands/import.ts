/**
 * @module `npm run import`: the content of a Strapi 5, from an archive that `strapi export` made.
 */
import { Command } from 'commander';
import { counted } from '../counted.ts';
import { type ArchiveFile, openArchive } from '../import/archive-file.ts';
import { importSurvey } from '../import/import.ts';
import { type Flags, groups, keyFor } from '../import/options.ts';
import { progressLine } from '../import/progress-line.ts';
import { newRemarks } from '../import/remarks.ts';
import { surveyArchive } from '../import/survey.ts';
import { withTarget } from '../platform/target-options.ts';
import { untilSettled, withProjectLock } from '../project/project-lock.ts';
import { run } from '../terminal.ts';

const COMMAND = 'npm run import';

async function importFile(root: string, file: ArchiveFile, flags: Flags): Promise<void> {
  const remarks = newRemarks();
  const line = progressLine('reading the archive', file.size);
  const survey = await surveyArchive(file, remarks, line.advance);
  try {
    const { entities, links, uploads, metadata } = survey;
    const version = metadata.strapi?.version ?? '(version unknown)';
    line.done(
      `${file.name}: Strapi ${version}, ${counted(entities, 'row')}, ${counted(links, 'link')}, ${counted(uploads.size, 'object')}`,
    );
    await importSurvey(root, survey, flags, remarks);
  } finally {
    survey.staging.close();
  }
}

async function command(path: string, flags: Flags): Promise<void> {
  const root = process.cwd();
  const file = openArchive(path, await keyFor(path, flags));
  const work = () => importFile(root, file, flags);
  return flags.dryRun ? untilSettled(root, COMMAND).then(work) : withProjectLock(root, COMMAND, work);
}

if (import.meta.main)
  await withTarget(
    new Command('npm run import --')
      .description('Takes the content of a Strapi 5 from an archive of `strapi export`.')
      .argument('<file>', 'the archive: .tar, .tar.gz, or enciphered (.enc)')
      .option('--key <key>', 'key of an enciphered archive; better in EDGEWISE_IMPORT_KEY')
      .option('--only <groups>', 'some of content, files, config, with commas', groups)
      .option('--exclude <groups>', 'all but these', groups)
      .option('--dry-run', 'checks and counts everything, and writes nothing')
      .option('--merge', 'into a database with content: what is newer takes the place of what is older')
      .option('--replace', 'in the place of all content that is there, of which a backup is made')
      .option('--no-backup', 'with --replace: without a backup')
      .option('--resume', 'goes on with an import that was interrupted')
      .option('--replace-types', 'the content types of the archive take the place of those in content-types/')
      .option('--allow-drop', 'go ahead with new tables that lose stored content, without a question')
      .option('--force', 'takes what has a place in content-types/, and leaves the rest'),
  )
    .action((file: string, flags: Flags) => run(() => command(file, flags)))
    .parseAsync();

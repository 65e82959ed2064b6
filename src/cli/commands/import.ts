/**
 * @module `npm run import`: the content of a Strapi 5, from an archive that `strapi export` made, or from a running one.
 */
import { Command } from 'commander';
import { counted } from '../counted.ts';
import { type ArchiveFile, openArchive } from '../import/archive-file.ts';
import { importSurvey } from '../import/import.ts';
import { assertTogether, type Flags, groups, keyFor, timeOf } from '../import/options.ts';
import { progressLine } from '../import/progress-line.ts';
import { newRemarks, type Remarks } from '../import/remarks.ts';
import { surveyArchive } from '../import/survey.ts';
import { withTarget } from '../platform/target-options.ts';
import { untilSettled, withProjectLock } from '../project/project-lock.ts';
import { isAddress } from '../strapi/address.ts';
import { removeArchive, serverArchive } from '../strapi/server-archive.ts';
import { print, run, UserError } from '../terminal.ts';

const COMMAND = 'npm run import';

async function importFile(root: string, file: ArchiveFile, flags: Flags, remarks: Remarks): Promise<void> {
  const line = progressLine('reading the archive', file.size);
  const survey = await surveyArchive(file, remarks, line.advance);
  try {
    const { entities, links, uploads, metadata } = survey;
    const version = metadata.source ? '' : `Strapi ${metadata.strapi?.version ?? '(version unknown)'}, `;
    line.done(
      `${file.name}: ${version}${counted(entities, 'row')}, ${counted(links, 'link')}, ${counted(uploads.size, 'object')}`,
    );
    await importSurvey(root, survey, flags, remarks);
    if (metadata.source?.next !== undefined)
      print(`What changes from now on: npm run import -- ${file.name} --since ${metadata.source.next}`);
  } finally {
    survey.staging.close();
  }
}

/** What was read of a server is kept for `--resume` alone, which a refusal has no use for. */
async function importServer(root: string, address: string, flags: Flags): Promise<void> {
  const remarks = newRemarks();
  const file = await serverArchive(root, address, flags, remarks);
  try {
    await importFile(root, file, flags, remarks);
  } catch (error) {
    if (error instanceof UserError) removeArchive(file);
    throw error;
  }
  removeArchive(file);
}

async function command(source: string, flags: Flags): Promise<void> {
  const root = process.cwd();
  const fromServer = isAddress(source);
  assertTogether(fromServer, flags);
  const work = async () =>
    fromServer
      ? importServer(root, source, flags)
      : importFile(root, openArchive(source, await keyFor(source, flags)), flags, newRemarks());
  return flags.dryRun ? untilSettled(root, COMMAND).then(work) : withProjectLock(root, COMMAND, work);
}

if (import.meta.main)
  await withTarget(
    new Command('npm run import --')
      .description(
        'Takes the content of a Strapi 5 from an archive of `strapi export`, or from the API of a running one.',
      )
      .argument('<source>', 'the archive: .tar, .tar.gz, or enciphered (.enc); or an address: https://cms.example.com')
      .option('--key <key>', 'key of an enciphered archive; better in EDGEWISE_IMPORT_KEY')
      .option('--token <token>', 'API token of a running Strapi; better in EDGEWISE_IMPORT_TOKEN')
      .option('--since <time>', 'of a running Strapi: what has changed since then', timeOf)
      .option('--deletions', 'of a running Strapi: what it has no more is deleted here, too')
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
    .action((source: string, flags: Flags) => run(() => command(source, flags)))
    .parseAsync();

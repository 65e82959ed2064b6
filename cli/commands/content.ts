/**
 * @module The commands about the content of a deployment: its database and its bucket.
 */
import { type Command, Option } from 'commander';
import { assertFile, keyOfArchive, openArchive } from '../core/archive/archive-file.ts';
import { assertNewFile, timedName } from '../core/output-file.ts';
import { UsageError } from '../core/terminal.ts';
import type { ImportFlags } from '../import/import.ts';
import { locked } from './locked.ts';
import { groups, numberIn, wholeNumber, withJson, withTarget } from './options.ts';

/** Percent. A library that was used for years has some leftovers; one beside a wrong database has nothing else. */
const USUAL_MOST = 25;

/** Of options of `import`. */
const REPLACE = 'deletes existing content first (a backup is written)';
/** Of `export`. */
const PLAIN_GRANTS = 'plain keeps permissions that have conditions here, without these; otherwise they are left out';
const FORCE = 'takes what has a place in content-types/, and leaves the rest';

/** @throws UsageError for `--no-backup` of a command that makes no backup. */
function assertBackupOption({ replace, backup }: Pick<ImportFlags, 'replace' | 'backup'>): void {
  if (!backup && !replace) throw new UsageError('--no-backup goes with --replace');
}

export function addContentCommands(program: Command): void {
  const media = program.command('media').description('The media library of this deployment.');
  withTarget(
    media
      .command('check', { isDefault: true })
      .description('Lists objects without a file and files without their bytes.')
      .addOption(new Option('--fix', 'moves such objects to the trash, and deletes such files').conflicts('purge'))
      .option('--purge', 'empties the trash')
      .addOption(new Option('--json', 'prints what is listed as JSON, for scripts').conflicts(['fix', 'purge']))
      .option('--yes <n>', 'confirms that so many are listed; otherwise the command asks', wholeNumber)
      .option(
        '--most <percent>',
        'share of all objects, and of all files, that --fix may remove',
        numberIn(0, 100),
        USUAL_MOST,
      )
      .option(
        '--min-age <minutes>',
        'passes over objects that are younger (60 with --remote and beside npm run dev, else 0)',
        wholeNumber,
      ),
  ).action(async (flags, command) => {
    if (flags.yes !== undefined && !flags.fix && !flags.purge) throw new UsageError('--yes goes with --fix or --purge');
    const work = async () => (await import('../media/check-command.ts')).checkProjectMedia(process.cwd(), flags);
    await (flags.fix || flags.purge ? locked(command, work) : work());
  });

  withTarget(
    media
      .command('usage')
      .description('Bytes of files by folder and type, and files that no document uses.')
      .option('--json', 'prints the same as JSON, for scripts'),
  ).action(async (flags) => (await import('../media/usage-command.ts')).printMediaUsage(process.cwd(), flags));

  withTarget(
    program.command('renew').description('Invalidates cached responses after the database was changed past the API.'),
  ).action((target, command) =>
    locked(command, async () => (await import('../renew/renew.ts')).invalidateResponses(target)),
  );

  withJson(
    withTarget(
      program
        .command('backup')
        .description('Database and bucket as one file, which `restore` takes.')
        .option('--file <path>', 'where it goes; by default a name with the time, in this folder'),
    ),
  ).action(async ({ file = timedName('edgewise-backup', new Date()), json, ...target }) => {
    assertNewFile(file);
    await (await import('../backup/backup.ts')).backUp(process.cwd(), target, file, json);
  });

  withTarget(
    program
      .command('restore')
      .description('Database and bucket as they are in a file of `backup`.')
      .argument('<file>', 'the backup')
      .option('--replace', 'in the place of all that is there, of which a backup is made')
      .option('--no-backup', 'with --replace: without a backup'),
  ).action(async (path, flags, command) => {
    assertBackupOption(flags);
    assertFile(path);
    await locked(command, async () =>
      (await import('../backup/restore.ts')).restoreProject(process.cwd(), path, flags),
    );
  });

  withTarget(
    program
      .command('import')
      .description('Takes the content of a Strapi 5 from an archive of `strapi export`.')
      .argument('<file>', 'the archive: .tar, .tar.gz, or enciphered (.enc)')
      .addOption(new Option('--key <key>', 'key of an enciphered archive').env('EDGEWISE_IMPORT_KEY'))
      .option('--only <groups>', 'some of content, files, config, with commas', groups)
      .option('--exclude <groups>', 'all but these', groups)
      .option('--dry-run', 'checks everything, lists what comes and what does not, and writes nothing')
      .option('--json', 'prints the report of --dry-run as JSON, for scripts')
      .addOption(new Option('--replace', REPLACE).conflicts('resume'))
      .option('--no-backup', 'with --replace: without a backup')
      .option('--resume', 'goes on with an import that was interrupted')
      .option('--replace-types', 'the content types of the archive take the place of those in content-types/')
      .option('--allow-drop', 'go ahead with new tables that lose stored content, without a question')
      .addOption(new Option('--force', FORCE).conflicts('replaceTypes')),
  ).action(async (path, flags, command) => {
    assertBackupOption(flags);
    if (flags.json && !flags.dryRun) throw new UsageError('--json goes with --dry-run');
    const file = openArchive(path, await keyOfArchive(path, flags.key));
    const work = async () => (await import('../import/import.ts')).importArchive(process.cwd(), file, flags);
    await (flags.dryRun ? work() : locked(command, work));
  });

  withTarget(
    program
      .command('export')
      .description('All content as an archive that `strapi import` takes: documents, users, files, roles, locales.')
      .option('--file <path>', 'where the archive goes; by default a name with the time, in this folder')
      .addOption(new Option('--key <key>', 'enciphers it, as Strapi does').env('EDGEWISE_EXPORT_KEY'))
      .option('--no-files', 'without the bytes of files')
      .addOption(new Option('--grants <how>', PLAIN_GRANTS).choices(['plain'])),
  ).action(async ({ file, files, grants, key: passphrase, ...target }) => {
    const path = file ?? timedName('edgewise', new Date(), passphrase === undefined ? '' : '.enc');
    assertNewFile(path);
    const { exportProject } = await import('../export/export.ts');
    await exportProject(process.cwd(), target, {
      path,
      withoutFiles: !files,
      plainGrants: grants === 'plain',
      passphrase,
    });
  });
}

/**
 * @module The commands that make, serve, generate, migrate and deploy a project.
 */
import { type Command, Option } from 'commander';
import { DEV_URL } from '../core/local-server.ts';
import { STARTER_NAMES } from '../core/starter-names.ts';
import { UsageError } from '../core/terminal.ts';
import { locked } from './locked.ts';
import { numberIn, withEnvironment, withJson, withTarget } from './options.ts';

/** Options of `generate` that say how to write. */
const WRITING = ['name', 'allowDrop', 'rename', 'renameType', 'renameComponent', 'persistTo', 'dryRun', 'json'];

export function addProjectCommands(program: Command): void {
  program
    .command('new')
    .description('Writes a project into a folder that is absent or empty.')
    .argument('[folder]', 'its name becomes that of the Worker')
    .addOption(
      new Option('--from <dir>', 'a Strapi project, whose content types and components are copied').conflicts([
        'archive',
        'fromClone',
      ]),
    )
    .addOption(
      new Option(
        '--from-clone <dir>',
        'a clone of Edgewise, whose content types, migrations, settings and wrangler.toml are copied',
      ).conflicts('archive'),
    )
    .option('--archive <file>', 'an archive of `strapi export`, whose content types are taken')
    .addOption(
      new Option('--starter <name>', 'what it begins with: content types, content, and a site in site/')
        .choices(STARTER_NAMES)
        .conflicts(['from', 'fromClone', 'archive']),
    )
    .option('--git', 'makes a git repository')
    .option('--no-git', 'makes none')
    .option('--install', 'installs the packages with npm')
    .option('--no-install', 'leaves that to you')
    .option('--yes', 'asks nothing: what no option says is an article, a repository, and an installation')
    .action(async (folder, flags) => (await import('../new/new.ts')).newProject(folder, flags));

  program
    .command('dev')
    .description('Serves on a local database that follows the files, with the demo content the first time.')
    .option('--port <n>', 'port of the server', numberIn(1, 65_535), 8787)
    .option(
      '--host <address>',
      'address to listen on; 0.0.0.0: every one, so that other machines reach it',
      '127.0.0.1',
    )
    .option('--persist-to <dir>', 'folder of the local database, in place of .wrangler/state')
    .action(async (flags) => {
      process.exitCode = await (await import('../dev/serve.ts')).serve(process.cwd(), flags);
    });

  program
    .command('build')
    .description(
      'Writes .edgewise/, which the Worker is deployed with: project.ts and Studio; wrangler runs this by itself.',
    )
    .action(async () => {
      const dev = process.env[DEV_URL];
      if (dev !== undefined) return void (await fetch(dev, { method: 'POST' }));
      await (await import('../deploy/build.ts')).buildProject(process.cwd(), process.env.WRANGLER_COMMAND);
    });

  program
    .command('test')
    .description('Runs the tests of the project, which are made from its content types, and yours in test/.')
    .argument('[args...]', 'files, and options of vitest')
    .allowUnknownOption()
    .option('--init', 'writes the tests, and installs what runs them')
    .option('--no-install', 'with --init, leaves npm install to you')
    .action(async (args, { init, install }) => {
      if (init) return (await import('../tests/init.ts')).initTests(process.cwd(), { install });
      process.exitCode = await (await import('../tests/run.ts')).runTests(process.cwd(), args);
    });

  withJson(
    program
      .command('doctor')
      .description('Checks what a project needs on this machine, and says what is to be done.')
      .option('--port <n>', 'port of the server', numberIn(1, 65_535), 8787),
  ).action(async (flags) => (await import('../doctor/doctor.ts')).examineProject(process.cwd(), flags));

  program
    .command('generate')
    .description('Everything that follows from content-types/ and edgewise.config.ts, with the next migration.')
    .addOption(
      new Option('--check', 'write nothing; fail when something is stale, or migrations were changed').conflicts(
        WRITING,
      ),
    )
    .option('--dry-run', 'prints the SQL of the next migration and the files to write, and writes nothing')
    .option('--json', 'prints the files, and the SQL of migrations, as JSON, for scripts')
    .option('--name <name>', 'what the migration does, for the names of its files')
    .option('--allow-drop', 'go ahead with changes that lose stored content')
    .option(
      '--rename <type.oldName=newName...>',
      'an attribute of a content type or component was renamed (repeatable)',
    )
    .option('--rename-type <oldType=newType...>', 'a content type was renamed, with its table (repeatable)')
    .option(
      '--rename-component <old.uid=new.uid...>',
      'a component was renamed, or oldCategory=newCategory (repeatable)',
    )
    .option('--persist-to <dir>', 'folder of the local database that is counted in, in place of .wrangler/state')
    .action((flags, command) => {
      const work = async () => (await import('../project/generate-command.ts')).generateProject(process.cwd(), flags);
      return flags.check || flags.dryRun ? work() : locked(command, work);
    });

  withTarget(
    program.command('migrate').description('Applies the migrations in drizzle/ that the database does not have yet.'),
  )
    .option('--allow-drop', 'go ahead with what loses stored content, without a question')
    .addOption(
      new Option('--status', 'lists which migrations the database has and lacks, and changes nothing').conflicts(
        'allowDrop',
      ),
    )
    .option('--json', 'prints the status as JSON, for scripts')
    .action(async ({ status, json, ...flags }, command) => {
      if (json && !status) throw new UsageError('--json goes with --status');
      const { migrateProject, printStatus } = await import('../migrate/migrate.ts');
      if (status) await printStatus(process.cwd(), flags, json);
      else await locked(command, () => migrateProject(process.cwd(), flags));
    });

  withEnvironment(
    program
      .command('deploy')
      .description('Uploads the Worker, migrates the deployed database, and gives the new version the traffic.'),
  )
    .option('--allow-drop', 'go ahead with migrations that lose stored content, without a question')
    .action((flags, command) =>
      locked(command, async () => (await import('../deploy/deploy.ts')).deployProject(process.cwd(), flags)),
    );
}

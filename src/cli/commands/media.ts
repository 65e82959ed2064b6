/**
 * @module `npm run media`: looks for bytes without a file and files without their bytes, and removes them.
 */
import { Command, InvalidArgumentError } from 'commander';
import { confirmYes, wholeNumber } from '../confirm.ts';
import { assertUnlocked, servedAt } from '../dev/lock.ts';
import { checkMedia, purgeTrash } from '../media/media-flow.ts';
import { withStorage } from '../platform/storage.ts';
import { withTarget } from '../platform/target-options.ts';
import { databaseName, type Target } from '../platform/wrangler.ts';
import { readSchemaFiles, registryOf } from '../project/project.ts';
import { untilSettled } from '../project/project-lock.ts';
import { progress, run, UserError } from '../terminal.ts';

interface Flags extends Target {
  readonly fix?: boolean;
  readonly purge?: boolean;
  readonly yes?: number;
  readonly most: number;
  readonly minAge?: number;
}

/** Minutes. Uploads that are under way have bytes before they have a file; without a server there are none. */
const USUAL_AGE = { unserved: 0, served: 60 };
/** Percent. A library that was used for years has some leftovers; one beside a wrong database has nothing else. */
const USUAL_MOST = 25;

async function check(flags: Flags): Promise<void> {
  const root = process.cwd();
  await untilSettled(root, 'npm run media');
  const isServed = flags.remote || servedAt(root, flags) !== undefined;
  const { fix = false, most, minAge = isServed ? USUAL_AGE.served : USUAL_AGE.unserved } = flags;
  if (fix && flags.purge) throw new UserError('--fix and --purge: one after the other');
  if (fix || flags.purge) assertUnlocked(root, flags);
  const registry = registryOf(await readSchemaFiles(root));
  const confirm = (count: number, what: string) => confirmYes(count, what, flags.yes);
  await withStorage(root, flags, async (storage) => {
    if (flags.purge) return purgeTrash(storage, confirm);
    progress(`comparing the ${databaseName(flags)} and its bucket …`);
    await checkMedia(storage, registry, { fix, minAge, most }, confirm);
  });
}

function percent(text: string): number {
  const number = wholeNumber(text);
  if (number > 100) throw new InvalidArgumentError('expected 0 to 100.');
  return number;
}

function program(): Command {
  const command = new Command('npm run media --').description('The media library of this deployment.');
  withTarget(
    command
      .command('check', { isDefault: true })
      .description('Lists objects without a file and files without their bytes.')
      .option('--fix', 'moves such objects to the trash, and deletes such files')
      .option('--purge', 'empties the trash')
      .option('--yes <n>', 'confirms that so many are listed; otherwise it is asked', wholeNumber)
      .option('--most <percent>', 'share of all objects, and of all files, that --fix may remove', percent, USUAL_MOST)
      .option(
        '--min-age <minutes>',
        'passes over objects that are younger (60 with --remote and beside npm run dev, else 0)',
        wholeNumber,
      ),
  ).action((flags: Flags) => run(() => check(flags)));
  return command;
}

if (import.meta.main) await program().parseAsync();

/**
 * @module `edgewise media`: looks for bytes without a file and files without their bytes, and removes them.
 */
import { Command, Option } from 'commander';
import { UsageError } from '../core/terminal.ts';
import type { MediaFlags } from '../work/media.ts';
import { numberIn, wholeNumber, withTarget } from './options.ts';

/** Percent. A library that was used for years has some leftovers; one beside a wrong database has nothing else. */
const USUAL_MOST = 25;

async function action(flags: MediaFlags): Promise<void> {
  if (flags.yes !== undefined && !flags.fix && !flags.purge) throw new UsageError('--yes goes with --fix or --purge');
  await (await import('../work/media.ts')).checkProjectMedia(process.cwd(), flags);
}

const check = (): Command =>
  withTarget(
    new Command('check')
      .description('Lists objects without a file and files without their bytes.')
      .addOption(new Option('--fix', 'moves such objects to the trash, and deletes such files').conflicts('purge'))
      .option('--purge', 'empties the trash')
      .addOption(new Option('--json', 'prints what is listed as JSON, for scripts').conflicts(['fix', 'purge']))
      .option('--yes <n>', 'confirms that so many are listed; otherwise it is asked', wholeNumber)
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
  ).action(action);

export const media = (): Command =>
  new Command('media').description('The media library of this deployment.').addCommand(check(), { isDefault: true });

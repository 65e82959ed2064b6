/**
 * @module `edgewise new`: a project of one's own, which depends on this package.
 */
import { Command, Option } from 'commander';
import type { NewFlags } from '../work/new.ts';

export const newCommand = (): Command =>
  new Command('new')
    .description('Writes a project into a folder that is absent or empty.')
    .argument('<folder>', 'its name becomes that of the Worker')
    .addOption(
      new Option('--from <dir>', 'a Strapi project, whose content types and components are copied').conflicts(
        'archive',
      ),
    )
    .option('--archive <file>', 'an archive of `strapi export`, whose content types are taken')
    .action(async (folder: string, flags: NewFlags) => (await import('../work/new.ts')).newProject(folder, flags));

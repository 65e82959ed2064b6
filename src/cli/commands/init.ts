/**
 * @module `edgewise init`: content types of one's own in the place of the demo.
 */
import { Command } from 'commander';
import type { InitOptions } from '../init/init.ts';

export const init = (): Command =>
  new Command('init')
    .description('Removes the demo: its content types, its content, its roles and its migrations.')
    .option('--from <dir>', 'a Strapi project, whose content types and components are copied')
    .option('--force', 'go ahead where the demo is gone already, or content types are not its own')
    .action(async (options: InitOptions) => (await import('../work/init.ts')).initProject(process.cwd(), options));

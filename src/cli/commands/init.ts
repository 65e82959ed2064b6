/**
 * @module `npm run init`: content types of one's own in the place of the demo.
 */
import { Command } from 'commander';
import { type InitOptions, init } from '../init/init.ts';
import { withProjectLock } from '../project/project-lock.ts';
import { print, progress, run } from '../terminal.ts';

async function command(root: string, options: InitOptions): Promise<void> {
  for (const line of await init(root, options, progress)) print(line);
}

if (import.meta.main)
  await new Command('npm run init --')
    .description('Removes the demo: its content types, its content, its roles and its migrations.')
    .option('--from <dir>', 'a Strapi project, whose content types and components are copied')
    .option('--force', 'go ahead where the demo is gone already, or content types are not its own')
    .action((options: InitOptions) =>
      run(() => withProjectLock(process.cwd(), 'npm run init', () => command(process.cwd(), options))),
    )
    .parseAsync();

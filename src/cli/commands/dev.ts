/**
 * @module `edgewise dev`: from a fresh clone to a server with content, in one command.
 */
import { Command } from 'commander';
import type { DevFlags } from '../dev/serve.ts';
import { numberIn } from './options.ts';

export const dev = (): Command =>
  new Command('dev')
    .description('Serves on a local database that follows the files, with the demo content the first time.')
    .option('--port <n>', 'port of the server', numberIn(1, 65_535), 8787)
    .option(
      '--host <address>',
      'address to listen on; 0.0.0.0: every one, so that other machines reach it',
      '127.0.0.1',
    )
    .option('--persist-to <dir>', 'folder of the local database, in place of .wrangler/state')
    .action(async (flags: DevFlags) => (await import('../work/dev.ts')).serveProject(process.cwd(), flags));

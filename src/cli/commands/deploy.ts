/**
 * @module `edgewise deploy`: uploads the Worker, migrates the deployed database, and gives the new version the traffic.
 */
import { Command } from 'commander';
import type { DeployFlags } from '../work/deploy.ts';
import { withEnvironment } from './options.ts';

export const deploy = (): Command =>
  withEnvironment(
    new Command('deploy').description(
      'Uploads the Worker, migrates the deployed database, and gives the new version the traffic.',
    ),
  )
    .option('--allow-drop', 'go ahead with migrations that lose stored content, without a question')
    .action(async (flags: DeployFlags) => (await import('../work/deploy.ts')).deployProject(process.cwd(), flags));

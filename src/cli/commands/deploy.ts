/**
 * @module `npm run deploy`: uploads the Worker, migrates the deployed database, and gives the new version the traffic.
 */
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { deploy } from '../deploy/deploy.ts';
import { removeLeftovers } from '../platform/leftovers.ts';
import { withEnvironment } from '../platform/target-options.ts';
import { spawnWrangler, type Target, wrangler } from '../platform/wrangler.ts';
import { withProjectLock } from '../project/project-lock.ts';
import { run } from '../terminal.ts';

const openly = (args: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawnWrangler(args, false);
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });

interface Flags extends Pick<Target, 'env'> {
  readonly allowDrop?: boolean;
}

function command({ allowDrop = false, env }: Flags): Promise<void> {
  // One that was killed may have left the secret that it was setting.
  removeLeftovers(tmpdir());
  const target = { remote: true, ...(env !== undefined && { env }) };
  return deploy(process.cwd(), { target, quietly: wrangler, openly, pause, allowDrop });
}

if (import.meta.main)
  await withEnvironment(
    new Command('npm run deploy --').description(
      'Uploads the Worker, migrates the deployed database, and gives the new version the traffic.',
    ),
  )
    .option('--allow-drop', 'go ahead with migrations that lose stored content, without a question')
    .action((flags: Flags) => run(() => withProjectLock(process.cwd(), 'npm run deploy', () => command(flags))))
    .parseAsync();

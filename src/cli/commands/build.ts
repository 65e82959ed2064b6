/**
 * @module `edgewise build`: what the Worker is bundled with. wrangler runs it by itself.
 */
import { Command } from 'commander';
import { DEV_URL } from '../build/dev-url.ts';

export const build = (): Command =>
  new Command('build')
    .description(
      'Writes .edgewise/, which the Worker is deployed with: project.ts and Studio; wrangler runs this by itself.',
    )
    .action(async () => {
      const dev = process.env[DEV_URL];
      if (dev !== undefined) return void (await fetch(dev, { method: 'POST' }));
      await (await import('../build/build.ts')).buildProject(process.cwd(), process.env.WRANGLER_COMMAND);
    });

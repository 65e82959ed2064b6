/**
 * @module What `edgewise deploy` does, with wrangler on the terminal.
 */
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { removeLeftovers } from '../core/leftovers.ts';
import { spawnWrangler, wrangler } from '../core/wrangler/wrangler.ts';
import { deploy } from '../deploy/deploy.ts';
import { withProjectLock } from '../project/project-lock.ts';

async function openly(args: readonly string[]): Promise<number> {
  const [code] = await once(spawnWrangler(args, false), 'exit');
  return code ?? 1;
}

export interface DeployFlags {
  readonly env?: string;
  readonly allowDrop?: boolean;
}

export function deployProject(root: string, { env, allowDrop = false }: DeployFlags): Promise<void> {
  const target = { remote: true, ...(env !== undefined && { env }) };
  return withProjectLock(root, 'npm run deploy', () => {
    // One that was killed may have left the secret that it was setting.
    removeLeftovers(tmpdir());
    return deploy(root, { target, quietly: wrangler, openly, pause, allowDrop });
  });
}

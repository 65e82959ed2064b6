/**
 * @module The development server through mistakes in the settings: with a wrong one the Worker does not start, which is
 * what keeps it from being deployed, and `wrangler dev` ends. It is started again once the settings are right.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { CONFIG, loadSettings } from '../project/project.ts';
import { progress } from '../terminal.ts';
import type { DevServer } from './dev-server.ts';

const LOOK_AGAIN = 300;

async function hasMistake(root: string): Promise<boolean> {
  try {
    await loadSettings(root);
    return false;
  } catch {
    return true;
  }
}

/**
 * Serves until the user stops it, or until the server ends for another reason than the settings.
 * @returns the exit code.
 */
export async function keepServing(root: string, first: DevServer, start: () => DevServer): Promise<number> {
  let server: DevServer | undefined = first;
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      stopping = true;
      void server?.stop();
    });
  for (;;) {
    const code: number = await server.ended;
    server = undefined;
    if (stopping || !(await hasMistake(root))) return code;
    progress(`${CONFIG} has a mistake (see above); the server starts again when it is mended and saved`);
    while (!stopping && (await hasMistake(root))) await pause(LOOK_AGAIN);
    if (stopping) return code;
    server = start();
    server.show(true);
  }
}

/**
 * @module The demo as a server: a scratch copy of the project with the demo content, over HTTP, for clients that are
 * driven as they were published.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/cli/core/free-port.ts';
import { plantSeeds, readSeeds } from '../../src/cli/dev/seed.ts';
import { readSchemaFiles, registryOf } from '../../src/cli/project/project.ts';
import type { SettingsInput } from '../../src/config.ts';
import { makeScratch, removeScratch } from '../conformance/scratch.ts';
import { createToken, runCommand, startServer, stopEverything } from '../conformance/server.ts';
import settings from '../demo/edgewise.config.ts';
import { DEMO } from '../support/demo.ts';

/** What clients find at a Strapi as it comes: they sign in often, and one goes on with the token it had. */
const SETTINGS: SettingsInput = {
  ...settings,
  rateLimit: { auth: { enabled: false } },
  users: { passwordChangeEndsTokens: false },
};

export interface ServedDemo {
  /** The project. */
  readonly folder: string;
  /** Without `/api`. */
  readonly url: string;
  /** Full access. */
  readonly token: string;
  stop(): Promise<void>;
}

export async function serveDemo(): Promise<ServedDemo> {
  const folder = makeScratch(DEMO, SETTINGS);
  const stop = async () => {
    await stopEverything();
    removeScratch(folder);
  };
  try {
    cpSync(join(DEMO, 'demo'), join(folder, 'demo'), { recursive: true });
    await runCommand(folder, 'generate');
    await runCommand(folder, 'migrate');
    const token = await createToken(folder, 'clients', { type: 'full-access' });
    const url = await startServer(folder, await freePort());
    await plantSeeds(
      { base: url, token },
      readSeeds(folder, registryOf(await readSchemaFiles(folder)), () => undefined),
      () => undefined,
    );
    return { folder, url, token, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

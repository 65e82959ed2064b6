/**
 * @module The demo as a server: a scratch copy of the project with the demo content, over HTTP, for clients that are
 * driven as they were published.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { plantSeeds, readSeeds } from '../../cli/dev/seed.ts';
import { readSchemaFiles, registryOf } from '../../cli/project/project.ts';
import settings from '../../edgewise.config.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { DEMO } from '../support/demo.ts';
import { type ServedProject, serveProject } from '../support/served-project.ts';

/** What clients find at a Strapi as it comes: they sign in often, and one goes on with the token it had. */
const SETTINGS: SettingsInput = {
  ...settings,
  rateLimit: { auth: { enabled: false } },
  users: { passwordChangeEndsTokens: false },
};

/** @param more settings beside those of the demo. @param prepare called with the project before it starts */
export async function serveDemo(
  more: SettingsInput = {},
  prepare: (folder: string) => void = () => {},
): Promise<ServedProject> {
  const served = await serveProject(DEMO, { ...SETTINGS, ...more }, prepare);
  const { folder, url: base, token } = served;
  try {
    cpSync(join(DEMO, 'demo'), join(folder, 'demo'), { recursive: true });
    const registry = registryOf(await readSchemaFiles(folder));
    await plantSeeds(
      { base, token },
      readSeeds(folder, registry, () => undefined),
      () => undefined,
    );
    return served;
  } catch (error) {
    await served.stop();
    throw error;
  }
}

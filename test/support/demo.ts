/**
 * @module The demo as a project on disk. It is the tests' own copy, since a project replaces the one in the root.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const DEMO: string = join(import.meta.dirname, '../demo');

/** What a project replaces by its own. */
const OWN = ['content-types', 'demo', 'drizzle', 'edgewise.config.ts'] as const;

/** Replaces the project in a copy of this repository by the demo. Generated files outside `drizzle/` stay as they are. */
export function copyDemo(folder: string): void {
  for (const path of OWN) {
    rmSync(join(folder, path), { recursive: true, force: true });
    cpSync(join(DEMO, path), join(folder, path), { recursive: true });
  }
  rmSync(join(folder, 'edgewise.imported.json'), { force: true });
}

/**
 * @module The demo as a project on disk: the one in the root.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const DEMO: string = join(import.meta.dirname, '../..');

/** Replaces the content types and content of a project by those of the demo, with its settings and migrations. */
export function copyDemo(folder: string): void {
  for (const path of ['content-types', 'demo', 'drizzle', 'edgewise.config.ts']) {
    rmSync(join(folder, path), { recursive: true, force: true });
    cpSync(join(DEMO, path), join(folder, path), { recursive: true });
  }
}

/**
 * @module The content that an import is about to replace, as an archive.
 */

import type { Target } from '../platform/wrangler.ts';
import { progress } from '../terminal.ts';
import { exportProject, usualName } from './export.ts';

/** Writes it into the folder of the project. */
export async function exportBackup(root: string, target: Target): Promise<void> {
  const path = `before-import-${usualName(new Date(), false)}`;
  progress(`backing up what is there to ${path} …`);
  await exportProject(root, target, { path, withoutFiles: false });
}

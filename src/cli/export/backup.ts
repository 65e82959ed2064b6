/**
 * @module The content that an import is about to replace, as an archive.
 */
import { storedRegistry } from '../import/project-registry.ts';
import { loadSettings } from '../project.ts';
import { withStorage } from '../storage.ts';
import { progress } from '../terminal.ts';
import type { Target } from '../wrangler.ts';
import { usualName } from './command.ts';
import { exportArchive } from './export.ts';

/** Writes it into the folder of the project. */
export async function exportBackup(root: string, target: Target): Promise<void> {
  const path = `before-import-${usualName(new Date(), false)}`;
  const registry = await storedRegistry(root);
  const settings = await loadSettings(root);
  progress(`backing up what is there to ${path} …`);
  await withStorage(root, target, (storage) =>
    exportArchive({ root, storage, registry, settings, path, withoutFiles: false }),
  );
}

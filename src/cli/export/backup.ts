/**
 * @module The content that an import is about to replace, as an archive.
 */
import type { Target } from '../wrangler.ts';

export async function exportBackup(_root: string, _target: Target): Promise<void> {}

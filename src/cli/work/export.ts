/**
 * @module What `edgewise export` does: the content of a deployment becomes an archive.
 */
import { withNamedActions } from '../../auth/actions.ts';
import { counted } from '../core/counted.ts';
import { withStorage } from '../core/storage/storage.ts';
import { print } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { type ExportOptions, exportArchive } from '../export/export.ts';
import { untilSettled } from '../project/project-lock.ts';
import { loadSettings } from '../project/settings.ts';
import { storedRegistry } from '../project/sources.ts';

type Exported = Awaited<ReturnType<typeof exportArchive>>;

function report({ path, passphrase }: ExportOptions, { missing, newPasswords }: Exported): void {
  if (missing > 0) print(`not in the bucket, so not in the archive: ${counted(missing, 'object')} of files`);
  if (newPasswords > 0)
    print(
      `${counted(newPasswords, 'user has', 'users have')} a password that Strapi cannot check: there they ask for a new one`,
    );
  if (passphrase === undefined)
    print('It is not enciphered, and has the hashes of passwords in it: only you may read it');
  print(`To take it into a Strapi with the same content types: strapi import --file ${path} --force`);
}

export async function exportProject(root: string, target: Target, options: ExportOptions): Promise<void> {
  await untilSettled(root, 'npm run export');
  const registry = await storedRegistry(root);
  const settings = withNamedActions(await loadSettings(root), registry);
  const exported = await withStorage(root, target, (storage) =>
    exportArchive({ ...options, root, storage, registry, settings }),
  );
  report(options, exported);
}

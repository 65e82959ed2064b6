/**
 * @module What `edgewise import` and `edgewise export` do: the content of an archive of Strapi becomes that of a deployment,
 * and the other way round.
 */
import { withNamedActions } from '../../src/auth/actions.ts';
import type { ArchiveFile } from '../core/archive/archive-file.ts';
import { counted, listed } from '../core/counted.ts';
import { progressLine } from '../core/progress-line.ts';
import { withStorage } from '../core/storage/storage.ts';
import { print } from '../core/terminal.ts';
import type { Target } from '../core/wrangler/wrangler.ts';
import { type ExportOptions, exportArchive } from '../export/export.ts';
import { importSurvey } from '../import/import.ts';
import type { Flags } from '../import/options.ts';
import { newRemarks } from '../import/remarks.ts';
import { surveyArchive } from '../import/survey.ts';
import { loadSettings } from '../project/settings.ts';
import { storedRegistry } from '../project/sources.ts';

export async function importArchive(root: string, file: ArchiveFile, flags: Flags): Promise<void> {
  const line = progressLine({ name: 'reading the archive', bytes: file.size });
  const survey = await surveyArchive(file, newRemarks(), line.advance);
  try {
    const { entities, links, uploads, metadata } = survey;
    const version = metadata?.strapi?.version ?? '(version unknown)';
    const content = listed([counted(entities, 'row'), counted(links, 'link'), counted(uploads.size, 'file')]);
    line.done(`read ${file.name} of Strapi ${version} with ${content}`);
    await importSurvey(root, survey, flags);
  } finally {
    survey.staging.close();
  }
}

export async function exportProject(root: string, target: Target, options: ExportOptions): Promise<void> {
  const registry = await storedRegistry(root);
  const settings = withNamedActions(await loadSettings(root), registry);
  const { missing, newPasswords } = await withStorage(root, target, (storage) =>
    exportArchive({ ...options, root, storage, registry, settings }),
  );
  if (missing > 0) print(`not in the bucket, so not in the archive: ${counted(missing, 'object')} of files`);
  if (newPasswords > 0)
    print(
      `${counted(newPasswords, 'user has', 'users have')} a password that Strapi cannot check: there they ask for a new one`,
    );
  if (options.passphrase === undefined)
    print('It is not enciphered, and has the hashes of passwords in it: only you may read it');
  print(`To take it into a Strapi with the same content types: strapi import --file ${options.path} --force`);
}

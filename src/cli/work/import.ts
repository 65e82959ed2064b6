/**
 * @module What `edgewise import` does: the content of an archive that `strapi export` made becomes that of a deployment.
 */

import type { ArchiveFile } from '../core/archive/archive-file.ts';
import { counted, listed } from '../core/counted.ts';
import { progressLine } from '../core/progress-line.ts';
import { importSurvey } from '../import/import.ts';
import type { Flags } from '../import/options.ts';
import { newRemarks } from '../import/remarks.ts';
import { surveyArchive } from '../import/survey.ts';
import { untilSettled, withProjectLock } from '../project/project-lock.ts';

const COMMAND = 'npm run import';

async function importFile(root: string, file: ArchiveFile, flags: Flags): Promise<void> {
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

export async function importArchive(root: string, file: ArchiveFile, flags: Flags): Promise<void> {
  const work = () => importFile(root, file, flags);
  await (flags.dryRun ? untilSettled(root, COMMAND).then(work) : withProjectLock(root, COMMAND, work));
}

/**
 * @module Archives and backups of the project, taken in again.
 */
import { newName } from '../model.ts';
import { type Seen, without } from '../seen.ts';
import { type NewStep, same } from './step.ts';

const REPLACE = '--replace --no-backup';

/** Waiting messages are of the content before. Tokens and former versions stay; sessions go with the users. */
const imported = (before: Seen): Seen => ({ ...without(before, 'messages'), schedules: '', sessions: '' });

export const exportAndImport: NewStep = (model) => {
  const file = `${newName(model, 'moved')}.tar.gz`;
  return {
    title: 'export, and import with --replace',
    lines: [`export --file ${file}`, `import ${file} ${REPLACE}`],
    expected: imported,
  };
};

/** One group after the other: each import says what it goes on with. */
export const importInPieces: NewStep = (model) => {
  const file = `${newName(model, 'pieces')}.tar.gz`;
  return {
    title: 'import of an archive, group by group',
    lines: [`export --file ${file}`, `import ${file} --only content ${REPLACE}`, `import ${file} --only files`],
    expected: imported,
  };
};

export const importOnlyFiles: NewStep = (model) => {
  const file = `${newName(model, 'files')}.tar.gz`;
  return {
    title: 'import of the files of an archive',
    lines: [`export --file ${file}`, `import ${file} --only files ${REPLACE}`],
    expected: same,
  };
};

export const backUpAndRestore: NewStep = (model) => {
  const file = `${newName(model, 'kept')}.tar.gz`;
  return {
    title: 'backup, and restore',
    lines: [`backup --file ${file}`, `restore ${file} ${REPLACE}`],
    // What waits was sent by the deployment that the backup is of.
    expected: (before) => without(before, 'messages'),
  };
};

/** Commands that only read. */
export const readAll: NewStep = (model) => ({
  title: 'export and backup, kept',
  lines: [`export --file ${newName(model, 'out')}.tar.gz`, `backup --file ${newName(model, 'out')}.tar.gz`],
  isBesideWriter: true,
  expected: same,
});

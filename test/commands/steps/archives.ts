/**
 * @module Archives and backups of the project, taken in again.
 */
import { newName } from '../../generators/models.ts';
import { type Seen, without } from '../seen.ts';
import { type NewStep, ofChain, same } from './step.ts';

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

/** An import that ended among its links goes on there, and one that is done has nothing to do. */
export const resumeImport: NewStep = (model) => {
  const file = `${newName(model, 'resumed')}.tar.gz`;
  return {
    title: 'import with --replace, then --resume',
    lines: [`export --file ${file}`, `import ${file} ${REPLACE}`, `import ${file} --resume`],
    async finish(project, before) {
      await project.serve(({ storage: { db } }) =>
        db.prepare(`update edgewise_imports set finished_at = null, stage = 'links', done = 0`).run(),
      );
      const said = await project.done(`import ${file} --resume`);
      const after = await project.look(model);
      const expected = imported(before);
      return [
        ...(said.includes('going on with content, files and config …') ? [] : [said]),
        ...Object.keys(expected).filter((subject) => after[subject] !== expected[subject]),
      ];
    },
    expected: imported,
  };
};

/** Settings and bytes: all rows stay. */
export const importWithoutContent: NewStep = (model, dice) => {
  const file = `${newName(model, 'config')}.tar.gz`;
  const groups = ofChain(
    ['--only config', '--only files,config', '--exclude content', '--exclude content,files'],
    dice,
  );
  return {
    title: `import of an archive with ${groups}`,
    lines: [`export --file ${file}`, `import ${file} ${groups} ${REPLACE}`],
    expected: same,
  };
};

/** Bytes of files are there already. */
export const importWithoutFiles: NewStep = (model, dice) => {
  const file = `${newName(model, 'rows')}.tar.gz`;
  const groups = ofChain(['--exclude files', '--exclude files,config', '--exclude config'], dice);
  return {
    title: `import of an archive with ${groups}`,
    lines: [`export --file ${file}`, `import ${file} ${groups} ${REPLACE}`],
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

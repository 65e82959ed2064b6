/**
 * @module Deletes the objects of files whose rows are gone, in steps. What fails is tried again by the cron trigger.
 */
import { endTasks } from '../../content/sql/write/tasks.ts';
import { keysOf } from './call.ts';
import { deletePicturesOf, type PicturesCall } from './pictures/drop-pictures.ts';
import { selectLeftFiles, type WhichFiles } from './sql/left-files.ts';
import { deleteAll } from './storage.ts';

/** Files of a step: the pictures of each are listed. */
const STEP = 100;

/** Steps of a cron trigger. */
const MAX_STEPS = 5;

/** @returns whether there may be more */
async function deleteStep(call: PicturesCall, which: WhichFiles): Promise<boolean> {
  const { bucket, database } = call;
  const { statements, decode } = selectLeftFiles(which, STEP);
  const left = decode(await database.read(statements, 'primary'));
  if (left.length === 0) return false;
  const files = left.filter(({ isThere }) => !isThere);
  await deleteAll(bucket, files.flatMap(keysOf));
  await deletePicturesOf(call, files);
  await database.write([endTasks(left.map(({ task }) => task))]);
  return left.length === STEP;
}

/** For the cron trigger. @throws the error of the bucket or the database: the tasks stay */
export async function deleteLeftFiles(call: PicturesCall): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) if (!(await deleteStep(call, 'all'))) return;
}

/** For the request that has left them. Logs a failure. */
export const deleteFilesJustLeft = async (call: PicturesCall, which: WhichFiles): Promise<void> => {
  await deleteStep(call, which).catch(({ message: cause }: Error) =>
    console.error(JSON.stringify({ message: 'objects of deleted files were left to the cron trigger', cause })),
  );
};

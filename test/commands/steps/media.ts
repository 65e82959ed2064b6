/**
 * @module The check of the media library beside an upload that was cut off, and one that is under way.
 */
import { newName } from '../../generators/models.ts';
import { type NewStep, same } from './step.ts';

export const checkMedia: NewStep = (model) => {
  const [cut, running] = [newName(model, 'cut'), newName(model, 'running')].map((name) => `${name}_0123456789.txt`);
  return {
    title: 'media check --fix',
    lines: ['media check --fix --yes 1 --most 100'],
    isBesideWriter: true,
    prepare: (project) =>
      project.serve(async ({ storage: { bucket } }) => {
        await bucket.put(cut as string, 'bytes without a row');
        await bucket.createMultipartUpload(running as string);
      }),
    finish: (project) =>
      project.serve(async ({ storage: { bucket } }) => {
        const left = await Promise.all([cut, running].map((key) => bucket.head(key as string)));
        return left.flatMap((object) => (object ? [`${object.key} is left, without a file`] : []));
      }),
    expected: same,
  };
};

export const pruneHistory: NewStep = () => ({
  title: 'history prune',
  lines: ['history prune'],
  isBesideWriter: true,
  expected: same,
});

/**
 * @module What a document weighs once it is written down. The database reads a document once however often components
 * name it, but the answer shows it each time.
 */
import { answerTooLarge } from '../errors.ts';
import type { Populate, ReadPlan } from '../plan/read-plan.ts';

/** Do relations of components lead to documents? */
const hasNames = (node: Populate): boolean => {
  if (node.kind === 'reference') return true;
  if (node.kind === 'related') return false;
  const selections = node.kind === 'dynamiczone' ? [...node.parts.values()] : [node.selection];
  return selections.some(({ populate }) => populate.some(hasNames));
};

/** Less than nothing as soon as a value weighs more than `most`. */
function rest(value: unknown, most: number): number {
  if (typeof value === 'string') return most - value.length;
  if (typeof value !== 'object' || value === null) return most;
  let remains = most;
  for (const key in value) {
    remains = rest((value as Readonly<Record<string, unknown>>)[key], remains - 1);
    if (remains < 0) return remains;
  }
  return remains;
}

/**
 * Takes each document of one answer off what the answer may weigh.
 * @throws ApiError 400 that names the limit.
 */
export function scaleOf({ selection, ceiling: { bytes } }: ReadPlan): (document: unknown) => void {
  if (!selection.populate.some(hasNames)) return () => {};
  let remains = bytes;
  return (document) => {
    remains = rest(document, remains);
    if (remains < 0) throw answerTooLarge('answerBytes', bytes);
  };
}

/**
 * @module What documents weigh that components name. The database reads such a document once, and has weighed it once,
 * but the answer shows it each time.
 */
import { answerTooLarge } from '../errors.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { Populate, ReadPlan } from '../plan/model/read-plan.ts';

/** A key of a document under which components name others; `further` of what stands there, absent where it is named. */
interface Way {
  readonly name: string;
  further?(inner: JsonObject): readonly Way[];
}

function wayOf(node: Populate): readonly Way[] {
  const { name } = node;
  if (node.kind === 'related') return [];
  if (node.kind === 'reference') return [{ name }];
  if (node.kind !== 'dynamiczone') {
    const ways = node.selection.populate.flatMap(wayOf);
    return ways.length > 0 ? [{ name, further: () => ways }] : [];
  }
  const parts = new Map([...node.parts].map(([uid, { populate }]) => [uid, populate.flatMap(wayOf)]));
  if ([...parts.values()].every((ways) => ways.length === 0)) return [];
  return [{ name, further: ({ __component: uid }) => parts.get(String(uid)) ?? [] }];
}

/** What is left of `most` beside a value, its names and texts; less than nothing as soon as they weigh more. */
function rest(value: unknown, most: number): number {
  if (typeof value === 'string') return most - value.length;
  if (typeof value !== 'object' || value === null) return most;
  let remains = most;
  for (const key in value) {
    remains = rest((value as JsonObject)[key], remains - key.length);
    if (remains < 0) return remains;
  }
  return remains;
}

/** The same for all that is named behind these ways. */
function restBehind(value: JsonObject, ways: readonly Way[], most: number): number {
  let remains = most;
  for (const { name, further } of ways) {
    const inner = value[name];
    if (!further) remains = rest(inner, remains);
    else for (const each of [inner].flat().filter(isObject)) remains = restBehind(each, further(each), remains);
    if (remains < 0) return remains;
  }
  return remains;
}

/**
 * Takes what each document of one answer shows in the name of components off what the answer may weigh.
 * @throws ApiError 400 that names the limit.
 */
export function scaleOf({ selection, ceiling: { bytes } }: ReadPlan): (document: JsonObject) => void {
  const ways = selection.populate.flatMap(wayOf);
  let remains = bytes;
  return (document) => {
    remains = restBehind(document, ways, remains);
    if (remains < 0) throw answerTooLarge('answerBytes', bytes);
  };
}

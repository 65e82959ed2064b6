/**
 * @module The size of documents that components refer to. The database reads such a document once, and has weighed it
 * once, but the response shows it each time.
 */
import { responseTooLarge } from '../../common/errors.ts';
import { isObject, type JsonObject } from '../../common/json.ts';
import { isMixedNode, isReference, isZoneNode, selectionsOf } from '../plan/model/node-kinds.ts';
import type { Populate, ReadPlan } from '../plan/model/read-plan.ts';
import { selectionOf } from './components.ts';

/** Returns what remains of `max` after a value, with its keys and texts; stops once that is negative. */
export function restAfter(value: unknown, max: number): number {
  if (typeof value === 'string') return max - value.length;
  if (typeof value !== 'object') return max;
  let remains = max;
  for (const key in value) {
    remains = restAfter((value as JsonObject)[key], remains - key.length);
    if (remains < 0) return remains;
  }
  return remains;
}

const below = (node: Populate): readonly Populate[] => selectionsOf(node).flatMap(({ populate }) => populate);

/** @param value the document or component, of which a zone has several kinds; absent: all of them. */
function populateOf(node: Populate, value?: JsonObject): readonly Populate[] {
  if (!value) return isMixedNode(node) ? node.parts : below(node);
  if (isZoneNode(node)) return node.parts.get(String(value.__component))?.populate ?? [];
  return isMixedNode(node) ? selectionOf(node, value).populate : below(node);
}

const hasReference = (node: Populate): boolean => isReference(node) || populateOf(node).some(hasReference);

/** Is it a relation of a component, to one type or to several? */
const isOfComponent = (node: Populate): boolean =>
  isReference(node) || (isMixedNode(node) && node.parts.some(isReference));

/** Does the same for every reference below a document or component. */
function restAfterReferences(value: JsonObject, populate: readonly Populate[], max: number): number {
  let remains = max;
  for (const node of populate) {
    const inner = value[node.name];
    if (isOfComponent(node)) remains = restAfter(inner, remains);
    else
      for (const each of [inner].flat().filter(isObject))
        remains = restAfterReferences(each, populateOf(node, each), remains);
    if (remains < 0) return remains;
  }
  return remains;
}

/** Returns a function to call with each document of one response. @throws ApiError 400 beyond `answerBytes`. */
export function scaleOf({ selection, ceiling: { bytes } }: ReadPlan): (document: JsonObject) => void {
  const populate = selection.populate.filter(hasReference);
  let remains = bytes;
  return (document) => {
    remains = restAfterReferences(document, populate, remains);
    if (remains < 0) throw responseTooLarge('answerBytes', bytes);
  };
}

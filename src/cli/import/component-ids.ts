/**
 * @module Ids of components in their source → ids here. Those of a source are unique for each component type, those of a
 * row here for all of them; the same every time.
 */
import type { Registry } from '../../registry/model.ts';

/** In archives that were read from a running Strapi: the id there, where the line has one of its own. */
export const SOURCE_ID = '__source';

export interface ComponentIds {
  idOf(uid: string, id: unknown): number;
  /** May an id here be one of a source? */
  isFrom(uid: string, id: unknown): boolean;
}

export function componentIds({ components }: Registry): ComponentIds {
  const places = new Map([...components.keys()].sort().map((uid, index) => [uid, index]));
  const placeOf = (uid: string): number => places.get(uid) ?? -1;
  let made = 0;
  return {
    idOf(uid, id) {
      made += 1;
      return (Number.isSafeInteger(id) ? Number(id) : -made) * places.size + placeOf(uid) + 1;
    },
    isFrom: (uid, id) => Number.isSafeInteger(id) && (Number(id) - placeOf(uid) - 1) % places.size === 0,
  };
}

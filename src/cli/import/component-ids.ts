/**
 * @module Ids of components in their source → ids here. Those of a source are unique for each component type, those of a
 * row here for all of them; the same every time.
 */
import type { Registry } from '../../registry/model.ts';

export function componentIds({ components }: Registry): (uid: string, id: unknown) => number {
  const places = new Map([...components.keys()].sort().map((uid, index) => [uid, index]));
  const placeOf = (uid: string): number => places.get(uid) ?? -1;
  let made = 0;
  return (uid, id) => {
    made += 1;
    return (Number.isSafeInteger(id) ? Number(id) : -made) * places.size + placeOf(uid) + 1;
  };
}

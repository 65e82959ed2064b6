/**
 * @module What an instance of a component or zone may have, by whatever stands in the place of its component's name.
 */
import type { Attribute, Registry } from '../registry/model.ts';

export type Attributes = ReadonlyMap<string, Attribute>;

const NONE: Attributes = new Map();

/** The attributes of a component; none for what names no component. */
export const attributesOf = (uid: unknown, registry: Registry): Attributes =>
  (typeof uid === 'string' ? registry.components.get(uid)?.attributes : undefined) ?? NONE;

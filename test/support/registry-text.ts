/**
 * @module A registry as text, on its way from a test to where its tables are made. Patterns get lost: no table has any.
 */
import type { Registry } from '../../src/schema/model.ts';

interface Written {
  readonly $map?: readonly (readonly [unknown, unknown])[];
  readonly $set?: readonly unknown[];
}

function write(_: string, value: unknown): unknown {
  if (value instanceof Map) return { $map: [...value] } satisfies Written;
  return value instanceof Set ? ({ $set: [...value] } satisfies Written) : value;
}

function read(_: string, value: unknown): unknown {
  const { $map, $set } = (value ?? {}) as Written;
  if ($map) return new Map($map);
  return $set ? new Set($set) : value;
}

export const registryText = (registry: Registry): string => JSON.stringify(registry, write);

export const registryFrom = (text: string): Registry => JSON.parse(text, read);

/**
 * @module What answers depend on besides content: the content types and the settings of a deployment.
 */
import { sha256, shortHash } from '../digest.ts';
import type { Call } from './call.ts';

/** To be raised when a release tells the same content, or the same description of the API, in other bytes. */
const RELEASE = 1;

/** Of plain JSON values. Letters and digits, so that it can stand in an `ETag`. */
export const digestOf = (...parts: readonly unknown[]): string => shortHash(JSON.stringify(parts));

const listed = (_: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value;

const known = new WeakMap<object, string>();

/** The same for every isolate of a deployment, and another one for every other deployment. */
export function fingerprintOf({ registry, settings }: Pick<Call, 'registry' | 'settings'>): string {
  const fingerprint = known.get(settings) ?? sha256(JSON.stringify([RELEASE, registry, settings], listed));
  known.set(settings, fingerprint);
  return fingerprint;
}

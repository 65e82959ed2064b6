/**
 * @module A hash of the content types and settings of a deployment, on which responses depend.
 */
import { sha256, shortHash } from '../common/digest.ts';
import type { Call } from './call.ts';

/** Raise it if a release changes the bytes or the tags of responses about the same content. */
const RELEASE = 2;

/** Returns letters and digits, for an `ETag`. @param parts JSON values */
export const digestOf = (...parts: readonly unknown[]): string => shortHash(JSON.stringify(parts));

const listed = (_: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value;

const fingerprints = new WeakMap<object, string>();

/** Returns the same text in every isolate of a deployment. */
export function fingerprintOf({ registry, settings }: Pick<Call, 'registry' | 'settings'>): string {
  const fingerprint = fingerprints.get(settings) ?? sha256(JSON.stringify([RELEASE, registry, settings], listed));
  fingerprints.set(settings, fingerprint);
  return fingerprint;
}

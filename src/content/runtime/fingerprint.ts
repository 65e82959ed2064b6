/**
 * @module A hash of the content types and settings of a deployment, on which responses depend.
 */
import { memoized } from '../../common/cache.ts';
import { sha256, shortHash } from '../../common/digest.ts';
import type { Registry } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import type { Call } from './call.ts';

/** Raise it if a release changes the bytes or the tags of responses about the same content. */
const RELEASE = 3;

/** Returns letters and digits, for an `ETag`. @param parts JSON values */
export const digestOf = (...parts: readonly unknown[]): string => shortHash(JSON.stringify(parts));

const listed = (_: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value;

const computed = memoized(
  (registry: Registry) =>
    memoized((settings: Settings) => sha256(JSON.stringify([registry, settings], listed)), new WeakMap()),
  new WeakMap(),
);

/**
 * Returns the same text in every isolate of a deployment. Large content types take long to stringify, so a project has its
 * hash from `generate`.
 */
export const fingerprintOf = ({ registry, settings }: Pick<Call, 'registry' | 'settings'>): string =>
  `${RELEASE} ${registry.fingerprint ?? computed(registry)(settings)}`;

/**
 * @module The `Cache-Control` of the bytes of a file.
 */
import type { Settings } from '../../schema/settings/config.ts';

const YEAR = 31_536_000;
/** Seconds, where other bytes may get the same URL, as in Strapi. */
const REPLACEABLE = 60;

/** Of a signed address. @param seconds for which the signature is valid */
export function cacheControlOfSigned(seconds: number, { cacheSeconds, replace }: Settings['upload']): string {
  const isFixed = replace === 'same-url';
  const age = Math.min(seconds, cacheSeconds, isFixed ? REPLACEABLE : seconds);
  return `private, max-age=${age}${isFixed ? ', must-revalidate' : ''}`;
}

export function cacheControlOf({ cacheSeconds, replace }: Settings['upload']): string {
  if (replace === 'same-url') return `public, max-age=${Math.min(cacheSeconds, REPLACEABLE)}, must-revalidate`;
  return `public, max-age=${cacheSeconds}${cacheSeconds >= YEAR ? ', immutable' : ''}`;
}

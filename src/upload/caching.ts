/**
 * @module How long browsers and caches may keep the bytes of a file.
 */
import type { Settings } from '../config.ts';

const YEAR = 31_536_000;
/** As the reference has it, whose URLs keep their place when the bytes change. */
const REPLACEABLE = 60;

/** The `Cache-Control` of bytes. Where other bytes may get the same URL, caches ask again after a minute at most. */
export function cacheControlOf({ cacheSeconds, replace }: Settings['upload']): string {
  if (replace === 'same-url') return `public, max-age=${Math.min(cacheSeconds, REPLACEABLE)}, must-revalidate`;
  return `public, max-age=${cacheSeconds}${cacheSeconds >= YEAR ? ', immutable' : ''}`;
}

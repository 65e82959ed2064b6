/**
 * @module Invisible texts beside those of the package whose encoding they have.
 */
import { vercelStegaCombine } from '@vercel/stega';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { invisible } from '../../../src/features/preview/invisible.ts';

const characters = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));

it('an invisible text is that of @vercel/stega for every text up to U+00FF', () => {
  const property = fc.property(fc.string({ unit: characters }), (strapiSource) => {
    expect(invisible({ strapiSource })).toBe(vercelStegaCombine('', { strapiSource }, false));
  });
  fc.assert(property, { numRuns: 500 });
});

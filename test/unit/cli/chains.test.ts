/**
 * @module Random chains of commands, which nothing interrupts: `test/node/commands.long.test.ts` has those that are killed.
 */
import { it } from 'vitest';
import { playChain } from '../../commands/chain.ts';
import { oneIn } from '../../support/tier.ts';

it.each(oneIn(3, [1, 2, 3]))('a chain of commands leaves what it does not change, with the seed %i', (seed) =>
  playChain(seed, { steps: 4, hasKills: false, hasWriter: true }),
);

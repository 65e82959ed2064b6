/**
 * @module Random chains of commands that are killed as processes, and repeated. `EDGEWISE_CHAINS=40 npm test --
 * test/node/commands.long.test.ts` plays more of them, from `EDGEWISE_SEED` on.
 */
import { it } from 'vitest';
import { playChain } from '../commands/chain.ts';
import { seedOf } from '../support/seed.ts';

const CHAINS = Number(process.env.EDGEWISE_CHAINS ?? 3);
const first = Number(process.env.EDGEWISE_SEED ?? seedOf('chains of commands'));

it.each(Array.from({ length: CHAINS }, (_, index) => first + index))(
  'leave what they do not change, killed and repeated, with the seed %i',
  (seed) => playChain(seed, { steps: 6, hasKills: true, hasWriter: false }),
);

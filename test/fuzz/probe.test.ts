import { readFileSync } from 'node:fs';
import { it, vi } from 'vitest';
import { shareChance } from './interference/chance.ts';
import { plant } from './interference/content.ts';
import { begin, openSide, take } from './interference/side.ts';
import { requested } from './interference/step.ts';
import { createWorld } from './interference/world.ts';

it('probes', { timeout: 3_600_000 }, async () => {
  shareChance();
  const world = await createWorld();
  const side = openSide(world, await plant(world));
  const { caller, secrets = [], steps } = JSON.parse(readFileSync('/tmp/probe.json', 'utf8'));
  await begin(side, secrets);
  for (const [i, s] of steps.entries())
    console.log(
      await take(side, s.kind ? s : requested(s), i, s.caller ?? caller, 0).then((t) =>
        t
          ?.split('\n')
          .filter((l) => !/^(x-|ref|vary|cache)/.test(l))
          .join('\n')
          .slice(0, 1500),
      ),
    );
  vi.restoreAllMocks();
  vi.useRealTimers();
});

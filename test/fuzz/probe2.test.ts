import fc from 'fast-check';
import { it, vi } from 'vitest';
import { shareChance } from './interference/chance.ts';
import { plant } from './interference/content.ts';
import { SECRETS } from './interference/secrets.ts';
import { begin, openSide, take } from './interference/side.ts';
import { requested } from './interference/step.ts';
import { createWorld } from './interference/world.ts';

it('probes', { timeout: 3_600_000 }, async () => {
  shareChance();
  const world = await createWorld();
  const side = openSide(world, await plant(world));
  const many = fc.sample(SECRETS[0]!.changes, 30);
  await begin(side, many);
  for (const [caller, path] of [
    ['full', '/api/topics?populate=stories'],
    ['anna', '/api/topics?populate=stories'],
    ['anna', '/api/topics?filters[stories][title][$contains]=a'],
    ['anna', '/api/menus?populate[items]=true'],
    ['anna', '/api/topics?sort=stories.title'],
    ['anna', '/api/stories?filters[title]=alpha&sort=body'],
    ['anna', '/api/topics?populate[stories][count]=true'],
  ] as const)
    console.log(
      caller,
      path,
      await take(side, requested({ method: 'GET', path }), 0, caller, 0).then((t) => t!.slice(0, 3) + t!.slice(-150)),
    );
  vi.restoreAllMocks();
  vi.useRealTimers();
});

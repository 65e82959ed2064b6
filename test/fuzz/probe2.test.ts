import fc from 'fast-check';
import { it, vi } from 'vitest';
import { shareChance } from './interference/chance.ts';
import { plant } from './interference/content.ts';
import { openSide, begin, take } from './interference/side.ts';
import { createWorld } from './interference/world.ts';
import { sequence } from './interference/sequences.ts';
it('times', { timeout: 3_600_000 }, async () => {
  shareChance();
  const world = await createWorld();
  const side = openSide(world, await plant(world));
  let t = performance.now();
  const lap = (n: string, k: number) => { console.log(n, ((performance.now() - t) / k).toFixed(2)); t = performance.now(); };
  const all = fc.sample(sequence, { numRuns: 100, seed: 1 }); lap('warm sample', 100);
  fc.sample(sequence, { numRuns: 100, seed: 2 }); lap('sample', 100);
  for (const s of all) { world.begin(); world.end(); } lap('begin/end', 100);
  let changes = 0;
  for (const s of all) { side.seen.clear(); await begin(side, s.secrets[0]); changes += s.secrets[0].length; world.end(); } lap('plant', 100); console.log(changes);
  for (const s of all) { side.seen.clear(); await begin(side, s.secrets[0]); changes += s.secrets[0].length; world.end(); } lap('plant', 100); console.log(changes);
  let n = 0; const kinds = new Map<string, [number, number]>();
  t = performance.now();
  for (const s of all) { await begin(side, []); side.seen.clear(); for (const [i, step] of s.steps.entries()) { const u = performance.now(); await take(side, step, i, s.caller, 0); n++; const k = step.kind === 'request' ? step.request.method + ' ' + step.request.path.slice(0, 10) : step.kind; const c = kinds.get(k) ?? [0, 0]; c[0]++; c[1] += performance.now() - u; kinds.set(k, c); } world.end(); }
  console.log(n, 'steps'); lap('steps', n);
  console.log([...kinds].map(([k, [c, ms]]) => `${k} ${c} ${(ms / c).toFixed(2)}`).join('\n'));
  vi.restoreAllMocks(); vi.useRealTimers();
});

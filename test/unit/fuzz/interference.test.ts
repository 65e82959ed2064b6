/**
 * @module Non-interference: two worlds that differ only in what is hidden from a caller give that caller the same responses:
 * status, headers and body, whatever it reads and writes. No request changes a hidden document, removes a link to one from
 * a list, or gets the id of one.
 *
 * Both worlds share clock and chance, so new ids and times are equal. What is not hidden by its nature is left out, as the
 * documentation says: unique values of hidden documents (docs/access.md), a locale that exists and `locale=*` of a delete
 * (docs/access.md), the `updatedAt` that a write of a hidden locale gives the others (docs/writing.md, If-Match), the drafts
 * of documents that the caller may write (docs/publication.md), and numeric ids, which count all rows.
 *
 * A new feature joins in `generators/features.ts`, and with what it hides in `interference/secrets.ts`; a new caller in
 * `callers.ts`.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { grantProblems } from '../../../cli/project/grants.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { callersOf, grantsOf } from '../../fuzz/callers.ts';
import { shareChance, timeOf } from '../../fuzz/interference/chance.ts';
import { plant } from '../../fuzz/interference/content.ts';
import { registry } from '../../fuzz/interference/model.ts';
import { firstFailure, report } from '../../fuzz/interference/pair.ts';
import { SECRETS } from '../../fuzz/interference/secrets.ts';
import { sequence } from '../../fuzz/interference/sequences.ts';
import { SETTINGS } from '../../fuzz/interference/settings.ts';
import { begin, change, openSide, type Side } from '../../fuzz/interference/side.ts';
import { SURFACES } from '../../fuzz/interference/surfaces.ts';
import { createWorld, type World } from '../../fuzz/interference/world.ts';
import { registry as magazine } from '../../fuzz/model.ts';
import { parameters, progress, timeout } from '../../fuzz/options.ts';
import { settingsOf } from '../../generators/features.ts';
import { isLongTier, samplesOf } from '../../support/tier.ts';

/** Pairs of responses: about a minute in the long tier. */
const SAMPLE = samplesOf(5_700, 0.08);
const PAIRS_PER_SEQUENCE = 17;
/** The cron trigger has no response. */
const SILENT = ['the cron trigger'];

const sides: Side[] = [];

beforeAll(async () => {
  shareChance();
  for (let count = 0; count < 2; count += 1) {
    const world = await createWorld();
    sides.push(openSide(world, await plant(world)));
  }
}, timeout);

afterAll(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it.each([
  ['interference', registry, SETTINGS],
  ['requests', magazine, settingsOf(magazine)],
] as const)('the grants of the callers of %s are valid', (fuzzer, model, settings) => {
  const all = callersOf(fuzzer).map((caller) => grantsOf(fuzzer, caller));
  expect(all.flatMap((grants) => grantProblems(grants, model, parseSettings(settings)))).toEqual([]);
});

/** The rows of content, links, files, users, former versions and schedules. */
function rowsOf({ database }: World): string {
  const tables = database.all(`select name from sqlite_master where type = 'table' order by name`);
  const isSeen = (name: string) => !/^(edgewise_(?!history|scheduled)|sqlite_)|_(search|fts)/.test(name);
  const names = tables.map(({ name }) => String(name)).filter(isSeen);
  return JSON.stringify(names.map((name) => database.all(`select * from "${name}"`)));
}

/** Changes of a kind that are tried, of which one has to succeed: others may be of what an earlier one made. */
const TRIES = 10;

// A request that is rejected hides nothing, and is not reported in the course of a sequence.
it.each(SECRETS)('the worlds can differ in $name', async ({ hiddenFrom, changes }) => {
  const [side] = sides as [Side];
  expect(hiddenFrom.length).toBeGreaterThan(0);
  let isChanged = false;
  for (const each of fc.sample(changes, { seed: 1, numRuns: TRIES })) {
    if (isChanged) break;
    await begin(side, []);
    try {
      const before = rowsOf(side.world);
      await change(side, [each], 'hidden', timeOf(-1));
      isChanged = rowsOf(side.world) !== before;
    } finally {
      side.world.end();
    }
  }
  expect(isChanged).toBe(true);
});

it('responses are the same whatever is hidden', { timeout: 2 * timeout }, async () => {
  const tick = progress('interference');
  const successes = new Map(SURFACES.map((name) => [name, 0]));
  const property = fc.asyncProperty(sequence, async (each) => {
    const failure = await firstFailure(sides as [Side, Side], each, ({ surface = '' }, response) => {
      if (/^[23]/.test(response)) successes.set(surface, (successes.get(surface) ?? 0) + 1);
      tick();
    });
    if (failure) throw new Error(report(each, failure));
  });
  const chosen = parameters('interference', { sample: SAMPLE, length: PAIRS_PER_SEQUENCE });
  await fc.assert(property, chosen);
  // A surface whose requests all fail would prove nothing. In a sample, chance may leave out rare ones.
  const failing = [...successes].filter(([name, count]) => count === 0 && !SILENT.includes(name));
  const isSample = chosen.numRuns <= Math.ceil(SAMPLE / PAIRS_PER_SEQUENCE);
  const most = isLongTier ? 2 : SURFACES.length / 2;
  expect(failing.length).toBeLessThanOrEqual(isSample ? most : 0);
});

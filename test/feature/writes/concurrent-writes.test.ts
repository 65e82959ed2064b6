/**
 * @module Writers that get in each other's way leave the database whole.
 */
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { type Client, clientOf } from '../../support/client.ts';
import { type Dice, diceOf } from '../../support/dice.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { recordedRegistry, serve } from '../../support/recorded.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';
import { openMagazine } from '../../support/world.ts';
import { emptyPool, randomWrite } from './random-writes.ts';

const WRITERS = 8;
const WRITES = samplesOf(2_000);
/** Between rounds nobody writes, and the database is looked at. */
const ROUNDS = samplesOf(10);

/** Isolates, which know nothing of one another. */
const clients = [clientOf(serve(), 'full'), clientOf(serve(), 'full'), clientOf(serve(), 'full')];

openMagazine();

interface Outcome {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

async function outcomeOf(response: Response): Promise<Outcome> {
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
}

/** A writer that came too often in between is told when to come back; nothing else may go wrong. */
const isFailure = ({ status, retryAfter }: Outcome): boolean =>
  status >= 500 && !(status === 503 && retryAfter !== null);

it('random writes by eight writers at once leave nothing to complain of', async () => {
  const seed = seedOf('concurrent writes');
  vi.spyOn(console, 'error').mockReturnValue();
  const pool = emptyPool();
  const write = async (client: Client, dice: Dice, writes: number): Promise<readonly Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (let done = 0; done < writes; done += 1)
      outcomes.push(await outcomeOf(await randomWrite({ client, dice, pool })));
    return outcomes;
  };
  const writers = Array.from({ length: WRITERS }, (_, number) => diceOf(seed + number));
  let done = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const outcomes = (
      await Promise.all(
        writers.map((dice, number) =>
          write(clients[number % clients.length] as Client, dice, WRITES / WRITERS / ROUNDS),
        ),
      )
    ).flat();
    expect(outcomes.filter(isFailure)).toEqual([]);
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
    done += outcomes.filter(({ status }) => status < 300).length;
  }
  expect(done).toBeGreaterThan(WRITES / 2);
});

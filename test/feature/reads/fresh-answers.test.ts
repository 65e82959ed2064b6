/**
 * @module Isolates that remember answers, among writers: whatever is answered was true at some moment between the
 * request and its answer.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { type Client, clientOf } from '../../support/client.ts';
import { type Dice, diceOf } from '../../support/dice.ts';
import { legibleDatabase, legibleSession } from '../../support/legible-session.ts';
import { serve } from '../../support/recorded.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';
import { openMagazine } from '../../support/world.ts';
import { emptyPool, randomWrite } from '../writes/random-writes.ts';

const READERS = 8;
const WRITERS = 4;
const WRITES = samplesOf(40, 0.25);

const QUESTIONS = [
  '/api/articles?populate=*&locale=*&pagination[limit]=100',
  '/api/articles?status=draft&populate[author][populate]=articles&populate[tags]=true&sort=title',
  '/api/articles?filters[tags][name][$notNull]=true&populate[localizations]=true',
  '/api/articles?publicationFilter=modified&status=draft&fields=title',
  '/api/tags?populate[articles][count]=true',
  '/api/categories?populate=*&sort=parent.name',
  '/api/issues?populate[coverStory][populate]=*&filters[picks][title][$contains]=Article',
  '/api/comments?populate=*&pagination[pageSize]=3',
  '/api/homepage?populate=*',
] as const;

/** Question → its true answers, one after the other. */
const history = new Map<string, string[]>(QUESTIONS.map((question) => [question, []]));
const pastOf = (question: string): string[] => history.get(question) ?? [];

const told = async (client: Client, question: string): Promise<string> => {
  const response = await client.get(question);
  return `${response.status} ${await response.text()}`;
};

async function notePresent(): Promise<void> {
  const fresh = clientOf(serve(), 'full');
  for (const question of QUESTIONS) {
    const now = await told(fresh, question);
    const past = pastOf(question);
    if (past.at(-1) !== now) past.push(now);
  }
}

let queue: Promise<unknown> = Promise.resolve();

/** Batches one at a time; after each that changes anything, what is true from then on is written down. */
const observed = (real: D1Database): D1Database =>
  legibleDatabase((constraint) => {
    const session = real.withSession(constraint);
    return legibleSession(session, (statements, texts) => {
      const done = queue.then(async () => {
        const results = await session.batch(statements);
        if (texts.some((sql) => /^(insert|update|delete)/.test(sql))) await notePresent();
        return results;
      });
      queue = done.catch(() => undefined);
      return done;
    });
  });

const database = observed(env.DB);
/** Two isolates: each has a memory of its own. */
const isolates = [0, 1].map(() => clientOf(serve({}, { DB: database }), 'full'));

openMagazine();
beforeAll(async () => {
  await notePresent();
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

interface Untrue {
  readonly question: string;
  readonly answer: string;
}

async function readOnce(dice: Dice): Promise<Untrue | undefined> {
  const question = dice.pick(QUESTIONS);
  const client = isolates[dice.below(2)] as Client;
  const from = Math.max(0, pastOf(question).length - 1);
  const answer = await told(client, question);
  return pastOf(question).slice(from).includes(answer) ? undefined : { question, answer };
}

it('what eight readers are told while four writers write was never out of date', async () => {
  const seed = seedOf('fresh answers');
  const pool = emptyPool();
  let writing = WRITERS;
  let reads = 0;
  const untrue: Untrue[] = [];
  const write = async (dice: Dice) => {
    try {
      for (let done = 0; done < WRITES / WRITERS; done += 1)
        await randomWrite({ client: isolates[dice.below(2)] as Client, dice, pool });
    } finally {
      writing -= 1;
    }
  };
  const read = async (dice: Dice) => {
    for (let own = 1; writing > 0; own += 1) {
      const found = await readOnce(dice);
      reads += 1;
      if (found) untrue.push(found);
      // The loop of workerd comes to its timers when it is idle: without a pause, a writer that waits would never go on.
      if (own % 10 === 0) await pause();
    }
  };
  const writers = Array.from({ length: WRITERS }, (_, number) => write(diceOf(seed + number)));
  const readers = Array.from({ length: READERS }, (_, number) => read(diceOf(seed + WRITERS + number)));
  await Promise.all([...writers, ...readers]);
  expect(untrue).toEqual([]);
  expect(reads).toBeGreaterThan(WRITES);
});

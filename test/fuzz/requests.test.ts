/**
 * @module No request, however hostile, makes the server fail, show a secret, or answer in a form of its own.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { FEATURES, stepsOf } from '../generators/features.ts';
import { monstrousQueries } from '../generators/hostile.ts';
import { oneIn } from '../support/tier.ts';
import { readingFiles, writingFiles } from './file-shots.ts';
import { types } from './generators.ts';
import { problemWith } from './invariants.ts';
import { registry } from './model.ts';
import { expectAccepted, JUDGED_RUNS, parameters, progress, timeout } from './options.ts';
import { usingSessions } from './session-shots.ts';
import { callerOf, reading, type Shot, sender, writing, writingUsers } from './shots.ts';
import { stepCheck } from './step-check.ts';
import { hostileSubject } from './subject.ts';
import {
  createWorld,
  credentials,
  damage,
  fireCron,
  idsIn,
  rememberAnswer,
  send,
  serverOf,
  TOKEN,
  tend,
  unplanted,
  withDocuments,
} from './world.ts';

beforeAll(createWorld, timeout);

/** Writes replace components, and what is hidden in them. */
const TEND_EVERY = 100;
const REPLANT_EVERY = 500;

const given = (all: Readonly<Record<string, string>>) => Object.entries(all).filter(([, value]) => value !== '');

/** Undefined for what no client could send: the platform refuses it before it is a request. */
function requestOf({ method, path, search, headers: all, body }: Shot): [string, RequestInit] | undefined {
  const target = withDocuments(`${path}?${search}`);
  const entries = given({ ...all, ...(body && { 'content-type': body.contentType }) });
  const headers = entries.map(([name, value]): [string, string] => [name, withDocuments(value)]);
  const init: RequestInit = { method, headers };
  if (body && !['DELETE', 'GET', 'HEAD'].includes(method)) init.body = withDocuments(body.text);
  try {
    new Request(`http://edgewise.test${target}`, init);
  } catch {
    return undefined;
  }
  return [target, init];
}

/** Is a request accepted? `OPTIONS` always is. */
const isAccepted = ({ status }: Response, method: string): boolean => status < 400 && method !== 'OPTIONS';

/** Returns whether the request was accepted. */
async function check(shot: Shot): Promise<boolean> {
  const request = requestOf(shot);
  if (!request) return false;
  const response = await serverOf(shot)(...request);
  const answer = response.clone();
  const problem = await problemWith(response, shot.method, callerOf(shot.headers));
  if (problem)
    throw new Error(
      `${problem}\n${callerOf(shot.headers)}: ${shot.method} ${request[0].slice(0, 2_000)}\n${shot.body?.text.slice(0, 2_000) ?? ''}`,
    );
  if (shot.method === 'POST' && (answer.status === 200 || answer.status === 201))
    rememberAnswer(shot.type.uid, await answer.json());
  return isAccepted(answer, shot.method);
}

let sent = 0;

/** In the short tier each one is sent to one type in three, others than the one before. */
it.each(monstrousQueries.map((search) => [search.slice(0, 60), search]))(
  '%s… is answered in its form',
  async (_, search) => {
    sent += 1;
    for (const type of oneIn(3, types, sent)) {
      const path = `/api/${type.kind === 'singleType' ? type.singularName : type.pluralName}`;
      for (const authorization of [`Bearer ${TOKEN}`, `Bearer ${credentials.anna}`, ''])
        await check({ type, method: 'GET', path, search, headers: { authorization } });
    }
  },
);

it('there is something to find', async () => {
  expect(await unplanted()).toEqual([]);
});

it('reads answer in their form', { timeout }, async () => {
  const tick = progress('reads');
  let accepted = 0;
  const property = fc.asyncProperty(reading, async (shot) => {
    if (await check(shot)) accepted += 1;
    tick();
  });
  const chosen = parameters('reads');
  await fc.assert(property, chosen);
  expectAccepted(accepted, chosen);
});

const subject = hostileSubject(registry, idsIn);
const checkStep = stepCheck({ registry, send, fireCron });

it('requests of every feature answer in their form', { timeout }, async () => {
  const tick = progress('features');
  const successes = new Set<string>();
  let runs = 0;
  const property = fc.asyncProperty(fc.oneof(...stepsOf(FEATURES, subject)), sender, async (steps, authorization) => {
    runs += 1;
    if (runs % TEND_EVERY === 0) await tend(runs % REPLANT_EVERY === 0);
    for (const step of steps) {
      // What the first ones make, the last one uses.
      if ((await checkStep(step, authorization)) < 400 && step === steps.at(-1)) successes.add(step.surface);
    }
    tick();
  });
  const chosen = parameters('features');
  await fc.assert(property, chosen);
  // A feature whose requests all fail would prove nothing. Few runs have few of each, and those of the long tier most.
  const failing = Object.keys(FEATURES).filter((name) => !successes.has(name));
  if (chosen.numRuns >= 1_000) expect(failing).toEqual([]);
  if (chosen.numRuns >= JUDGED_RUNS) expect(failing.length).toBeLessThan(Object.keys(FEATURES).length / 2);
});

async function checkWrites(what: string, shots: fc.Arbitrary<Shot>): Promise<void> {
  const tick = progress(what);
  let [writes, accepted] = [0, 0];
  const property = fc.asyncProperty(shots, async (shot) => {
    writes += 1;
    if (writes % TEND_EVERY === 0) await tend(writes % REPLANT_EVERY === 0);
    if (await check(shot)) accepted += 1;
    tick();
  });
  const chosen = parameters(what);
  await fc.assert(property, chosen);
  expectAccepted(accepted, chosen);
}

it('writes answer in their form', { timeout }, () =>
  checkWrites('writes', fc.oneof({ weight: 4, arbitrary: writing }, { weight: 1, arbitrary: writingUsers })),
);

it('uploads and what is asked about files answer in their form', { timeout }, () =>
  checkWrites('files', fc.oneof({ weight: 2, arbitrary: writingFiles }, { weight: 1, arbitrary: readingFiles })),
);

it('requests with access and refresh tokens answer in their form', { timeout }, () =>
  checkWrites('sessions', usingSessions),
);

it('nothing hidden is gone after all that, and no bytes are left over', async () => {
  expect(await damage()).toEqual([]);
});

it('the totals are right after all that', async () => {
  const statements = types.map(({ uid, table }) => ({
    uid,
    sql: `select '${uid}' as "uid", "locale" || iif("published_at" is null, '/draft', '/published') as "version", count(*) as "total" from "${table}" group by 2`,
  }));
  for (const { uid, sql } of statements) {
    const counted = await env.DB.prepare(sql).all();
    const kept = await env.DB.prepare(
      `select "type" as "uid", "locale" || '/' || "status" as "version", "total" from "edgewise_counters" where "type" = ? and "total" <> 0 order by 2`,
    )
      .bind(uid)
      .all();
    expect(kept.results).toEqual(counted.results);
  }
});

/**
 * @module What a caller may not read changes no answer that he gets: the same question is asked again with other
 * secrets behind it. So nothing hidden can be filtered, sorted, searched, counted or guessed.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { RENEW_STAMPS } from '../../cli/core/sql/database.ts';
import { probingFiles } from './file-shots.ts';
import { CANARY, CANARY_NUMBER, DRAFT, FORBIDDEN } from './invariants.ts';
import { HIDING_COLUMNS } from './model.ts';
import { parameters, progress, timeout } from './options.ts';
import { callerOf, probing, probingUsers, reading, type Shot } from './shots.ts';
import { createWorld, send, withDocuments } from './world.ts';

beforeAll(createWorld, timeout);

/** What stands in place of the secrets the second time: guesses and order come out otherwise. */
const OTHER = 'zebra0000000';
const OTHER_NUMBER = 5;
const OTHER_FORBIDDEN = 'allowed000000';
const OTHER_DRAFT = 'aired00000000';

interface Column {
  readonly table: string;
  readonly column: string;
}

/** Columns of documents that only full access may find. */
const FORBIDDEN_COLUMNS: readonly Column[] = [
  { table: 'comments', column: 'text' },
  { table: 'issues', column: 'title' },
];
const NUMBER_COLUMNS: readonly Column[] = [
  { table: 'articles', column: 'editor_rank' },
  { table: 'up_users', column: 'password_changed_at' },
];

type Pair<T> = readonly [before: T, after: T];

const replaced = (columns: readonly Column[], pair: Pair<string>) =>
  columns.map(({ table, column }) => {
    const sql = `update "${table}" set "${column}" = replace("${column}", ?1, ?2) where instr("${column}", ?1)`;
    return env.DB.prepare(sql).bind(...pair);
  });

const exchanged = (columns: readonly Column[], pair: Pair<number>) =>
  columns.map(({ table, column }) =>
    env.DB.prepare(`update "${table}" set "${column}" = ?2 where "${column}" = ?1`).bind(...pair),
  );

const TEXT_COLUMNS = HIDING_COLUMNS.filter(
  ({ column }) => !NUMBER_COLUMNS.some((numeric) => numeric.column === column),
);

/** Drafts get another title and another locale, so that they are neither told nor counted as before. */
const moved = (pair: Pair<string>) => [
  ...replaced([{ table: 'articles', column: 'title' }], pair),
  env.DB.prepare(
    `update "articles" set "locale" = iif("locale" = 'en', 'zz', 'en') where "published_at" is null and "title" = ?`,
  ).bind(pair[1]),
];

/** Puts other secrets in the place of the planted ones, or the planted ones back. */
async function swap(way: 'there' | 'back', shot: Pick<Shot, 'headers'>): Promise<void> {
  const pair = <T>(planted: T, other: T): Pair<T> => (way === 'there' ? [planted, other] : [other, planted]);
  const score = (number: number) => `"internalScore":${number}`;
  const caller = callerOf(shot.headers);
  await env.DB.batch([
    ...replaced(TEXT_COLUMNS, pair(CANARY, OTHER)),
    ...replaced(TEXT_COLUMNS, pair(score(CANARY_NUMBER), score(OTHER_NUMBER))),
    ...exchanged(NUMBER_COLUMNS, pair(CANARY_NUMBER, OTHER_NUMBER)),
    ...(caller === 'everything' ? [] : replaced(FORBIDDEN_COLUMNS, pair(FORBIDDEN, OTHER_FORBIDDEN))),
    ...(caller === 'stranger' ? moved(pair(DRAFT, OTHER_DRAFT)) : []),
    // Otherwise the second response would be the cached first one.
    env.DB.prepare(RENEW_STAMPS),
  ]);
}

async function answerTo({ path, search, headers }: Shot): Promise<string | undefined> {
  const entries = Object.entries(headers).filter(([name, value]) => value !== '' && name !== 'x-d1-bookmark');
  let request: Request;
  const target = withDocuments(`${path}?${search}`);
  try {
    request = new Request(`http://edgewise.test${target}`, { headers: entries });
  } catch {
    return undefined;
  }
  const response = await send(target, { headers: request.headers });
  return `${response.status} ${response.headers.get('content-type')} ${await response.text()}`;
}

it('the secrets are swapped there and back', async () => {
  const states: string[] = [];
  const state = async () => {
    const rows = await env.DB.batch(
      ['articles', 'authors', 'up_users', 'files', 'comments'].map((table) =>
        env.DB.prepare(`select * from "${table}" order by "id"`),
      ),
    );
    return JSON.stringify(rows.map(({ results }) => results));
  };
  const shot = { headers: {} };
  states.push(await state());
  await swap('there', shot);
  states.push(await state());
  await swap('back', shot);
  states.push(await state());
  expect(states[2]).toBe(states[0]);
  expect(states[1]).not.toBe(states[0]);
  for (const secret of [CANARY, String(CANARY_NUMBER), FORBIDDEN, DRAFT]) expect(states[1]).not.toContain(secret);
});

it('answers are the same whatever is hidden', { timeout }, async () => {
  const tick = progress('interference');
  const reads = reading.filter(({ method }) => method === 'GET');
  const property = fc.asyncProperty(
    fc.oneof(
      { weight: 3, arbitrary: probing },
      { weight: 1, arbitrary: probingUsers },
      { weight: 1, arbitrary: probingFiles },
      { weight: 2, arbitrary: reads },
    ),
    async (shot) => {
      const first = await answerTo(shot);
      if (first === undefined) return;
      await swap('there', shot);
      try {
        expect(await answerTo(shot)).toBe(first);
      } finally {
        await swap('back', shot);
      }
      tick();
    },
  );
  await fc.assert(property, parameters('interference'));
});

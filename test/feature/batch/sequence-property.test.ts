/**
 * @module A batch does what its requests do one after another: the same responses, the same rows, the same first error. Or it
 * is rejected because a request depends on what another one changes.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it, vi } from 'vitest';
import { tablesOf } from '../../../src/cli/migrations/tables.ts';
import { documentOf, type ErrorAnswer } from '../../support/client.ts';
import { type Dice, diceOf } from '../../support/dice.ts';
import { everything } from '../../support/everything.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { createTables, createToken, recordedRegistry, type Send, sendJson, serve } from '../../support/recorded.ts';
import { seedOf } from '../../support/seed.ts';

const BATCHES = 40;
const MAX_REQUESTS = 8;
const FILES = ['first', 'second'] as const;
const RIGHTS = ['article', 'comment', 'tag'].flatMap((name) => [
  `api::${name}.${name}.create`,
  `api::${name}.${name}.update`,
]);

beforeAll(createTables);

async function startAnew(): Promise<void> {
  const names = tablesOf(recordedRegistry)
    .map(({ name }) => name)
    .filter((name) => !/^(edgewise_stamps|up_roles)$/.test(name));
  await env.DB.batch([...names, 'sqlite_sequence'].map((name) => env.DB.prepare(`delete from "${name}"`)));
  await createToken('full', 'full-access');
  await createToken('narrow', 'custom', RIGHTS);
  const insert = `insert into files (document_id, locale, published_at, created_at, updated_at, name, mime, url) values (?1, '', 1, 1, 1, ?1, 'image/png', '/a')`;
  await env.DB.batch(FILES.map((name) => env.DB.prepare(insert).bind(name)));
}

/** A text without what chance and time put into it; documents are called by the order in which they came. */
function plainTexts(): (value: unknown) => string {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => {
    names.set(id, names.get(id) ?? `document ${names.size}`);
    return names.get(id) as string;
  };
  return (value) =>
    JSON.stringify(value)
      .replaceAll(/\b[a-z][a-z0-9]{23}\b/g, nameOf)
      .replaceAll(/scrypt\$[^"]+/g, 'hash')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replaceAll(/\b\d{10,}\b/g, 'number');
}

type Body = Readonly<Record<string, unknown>>;
interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: { readonly data: Body };
}
interface Outcome {
  readonly status: number;
  readonly body: unknown;
}
interface Failure {
  readonly request: number;
  readonly error: ErrorAnswer;
}

const SEEDS: readonly (readonly [route: string, data: Body])[] = [
  ...['one', 'two', 'three'].map((name) => ['tags', { name }] as const),
  ...['one', 'two'].map((name) => ['authors', { name }] as const),
  ...['one', 'two'].map((name) => ['categories', { name }] as const),
  ...['one', 'two', 'three'].map(
    (title, index) => ['articles', { title: `Article ${title}`, code: `code ${index}` }] as const,
  ),
  ...[1, 2].map((number) => ['issues', { title: 'Issue', number }] as const),
  ...['one', 'two'].map((text) => ['comments', { text }] as const),
];

type Names = Record<string, string[]>;

function drawn(dice: Dice, names: Names): Request {
  const one = (route: string): string => names[route]?.[dice.below(names[route]?.length ?? 0)] ?? 'nobody';
  const stored = (route: string): string => {
    const list = (names[route] ?? []).filter((name) => !name.startsWith('$'));
    return list[dice.below(list.length)] ?? 'nobody';
  };
  const to = (route: string) => {
    const [name, other] = [one(route), one(route)];
    return dice.pick<unknown>([
      name,
      [name, other],
      { connect: [name] },
      {
        connect: [{ documentId: name, position: dice.pick<Body>([{ start: true }, { before: other }, { end: true }]) }],
      },
      { set: [{ documentId: name }] },
      { disconnect: [name] },
      null,
    ]);
  };
  const search = dice.pick(['', '', '', '?status=draft', '?locale=fr', '?populate=*']);
  const plainSearch = dice.pick(['', '', '?populate=*', '?fields=documentId']);
  const post = (route: string, data: Body, query = plainSearch): Request => ({
    method: 'POST',
    path: `/api/${route}${query}`,
    body: { data },
  });
  const put = (route: string, data: Body, query = plainSearch): Request => ({
    method: 'PUT',
    path: `/api/${route}/${stored(route)}${query}`,
    body: { data },
  });
  const remove = (route: string, query = ''): Request => ({
    method: 'DELETE',
    path: `/api/${route}/${stored(route)}${query}`,
    body: { data: {} },
  });
  const links = () =>
    dice.pick<() => Body>([
      () => ({}),
      () => ({ tags: to('tags') }),
      () => ({ author: to('authors') }),
      () => ({ related: to('articles') }),
      () => ({ relatedFrom: to('articles') }),
      () => ({ coverOf: to('issues') }),
      () => ({ comments: to('comments') }),
      () => ({ categories: to('categories'), primaryCategory: to('categories') }),
      () => ({ reviewers: to('authors') }),
      () => ({ sections: [{ __component: 'blocks.quote', text: 'q', speaker: one('authors') }] }),
      () => ({ gallery: { connect: [dice.pick(FILES)] } }),
    ])();
  const code = () => (dice.once(3) ? { code: `code ${dice.below(5)}` } : {});
  return dice.pick<() => Request>([
    () => post('articles', { title: 'New', ...code(), ...links() }, search),
    () => post('articles', { title: 'New', ...code(), ...links() }, search),
    () => put('articles', { title: 'Changed', ...code(), ...links() }, search),
    () => put('articles', { ...code(), ...links() }, search),
    () => put('articles', { price: dice.below(5) }, search),
    () => remove('articles', dice.pick(['', '?locale=fr', '?locale=*'])),
    () => post('tags', { name: dice.pick(['one', 'four', 'five', 'six']), articles: to('articles') }),
    () => post('tags', { name: `tag ${dice.below(1_000)}` }),
    () => put('tags', { name: dice.pick(['one', 'four', 'five']) }),
    () => put('tags', { articles: to('articles') }),
    () => remove('tags'),
    () => post('comments', { text: 'c', article: to('articles'), by: to('authors') }),
    () => post('comments', { text: 'c', article: dice.below(20) }),
    () => put('comments', { article: to('articles') }),
    () => remove('comments'),
    () => post('authors', { name: 'a', articles: to('articles') }),
    () => put('authors', { articles: to('articles') }),
    () => post('issues', { title: 'i', number: dice.below(9), coverStory: to('articles'), previous: to('issues') }),
    () =>
      put(
        'issues',
        dice.pick<Body>([{ coverStory: to('articles') }, { next: to('issues') }, { picks: to('articles') }]),
      ),
    () => remove('issues'),
    () => post('categories', { name: 'c', parent: to('categories') }, dice.pick(['', '?locale=fr'])),
    () => put('categories', { children: to('categories') }, dice.pick(['', '?locale=fr'])),
    () => put('articles', { title: dice.pick<unknown>([null, 'x', 5]) }),
    () => ({
      method: 'PUT',
      path: '/api/site-setting',
      body: { data: { siteName: 'S', editorInChief: one('authors') } },
    }),
    () => ({
      method: 'PUT',
      path: `/api/homepage?locale=${dice.pick(['en', 'fr'])}`,
      body: { data: { heading: 'h', featuredArticles: to('articles') } },
    }),
    () => ({ method: 'DELETE', path: '/api/site-setting', body: { data: {} } }),
  ])();
}

/** Requests may name what earlier ones create. */
function drawnBatch(dice: Dice, stored: Names): readonly Request[] {
  const names: Names = structuredClone(stored);
  const requests: Request[] = [];
  for (let index = dice.below(MAX_REQUESTS) + 1; index > 0; index -= 1) {
    const request = drawn(dice, names);
    const [, route = ''] = /^\/api\/(\w+)/.exec(request.path) ?? [];
    if (request.method === 'POST') names[route]?.push(...Array.from({ length: 2 }, () => `$ref:${requests.length}`));
    requests.push(request);
  }
  return requests;
}

type Run = (requests: readonly Request[], token: string) => Promise<readonly Outcome[] | Failure>;

const inSequence =
  (send: Send): Run =>
  async (requests, token) => {
    const outcomes: Outcome[] = [];
    for (const [request, { method, path, body }] of requests.entries()) {
      const sent = JSON.stringify(body).replaceAll(/\$ref:(\d+)/g, (_, index) => {
        const created = outcomes[Number(index)]?.body as { data: { documentId: string } } | undefined;
        return created?.data.documentId ?? 'nothing';
      });
      const response = await send(path, sendJson(method, token, JSON.parse(sent)));
      const text = await response.text();
      const answer = text === '' ? null : JSON.parse(text);
      if (!response.ok) return { request, error: answer.error };
      outcomes.push({ status: response.status, body: answer });
    }
    return outcomes;
  };

const inBatch =
  (send: Send): Run =>
  async (requests, token) => {
    const response = await send('/api/batch', sendJson('POST', token, { requests }));
    const { data, error } = (await response.json()) as { data: Outcome[]; error: ErrorAnswer };
    if (response.ok) return data;
    const { request, ...details } = error.details ?? {};
    return { request: request as number, error: { ...error, details } };
  };

async function outcome(seed: number, run: Run) {
  await startAnew();
  const send = serve();
  const plain = plainTexts();
  const dice = diceOf(seed);
  const names: Names = {};
  for (const [route, data] of SEEDS) {
    const { documentId } = await documentOf(send(`/api/${route}`, sendJson('POST', 'full', { data })));
    plain(documentId);
    names[route] = [...(names[route] ?? []), documentId];
  }
  const requests = drawnBatch(dice, names);
  const result = await run(requests, dice.once(6) ? 'narrow' : 'full');
  const responses = plain(result);
  const tables = Object.entries(await everything(recordedRegistry)).filter(([name]) => name !== 'edgewise_stamps');
  const complaints = await checkInvariants(env.DB, recordedRegistry);
  return {
    requests,
    result,
    complaints,
    responses,
    rows: tables.map(([name, rows]) => `${name}: ${rows.map(plain).sort().join('\n')}`),
  };
}

it('does what its requests do in sequence', { timeout: 240_000 }, async () => {
  const seed = seedOf('batches');
  vi.spyOn(console, 'error').mockReturnValue();
  const counts = { done: 0, failed: 0, dependent: 0 };
  for (let number = 0; number < BATCHES; number += 1) {
    const batch = await outcome(seed + number, inBatch(serve()));
    expect(batch.complaints).toEqual([]);
    const isDependent =
      'error' in batch.result && /depends on a document|write the same document/.test(batch.result.error.message);
    counts.dependent += Number(isDependent);
    if (isDependent) continue;
    const sequence = await outcome(seed + number, inSequence(serve()));
    const label = `batch of seed ${seed + number}: ${JSON.stringify(batch.requests)}`;
    expect(batch.responses, label).toBe(sequence.responses);
    counts['error' in batch.result ? 'failed' : 'done'] += 1;
    if (!('error' in batch.result)) expect(batch.rows, label).toEqual(sequence.rows);
  }
  console.log(JSON.stringify(counts));
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
});

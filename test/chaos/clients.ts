/**
 * @module Clients of a server that is killed now and then: they send batches, schedule publications, and read, at random.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from '../support/dice.ts';
import { LOCALES } from './model.ts';

/** Of the only API token. */
export const TOKEN = 'chaos';

/** What came back; undefined if the connection broke, so that the outcome is unknown. */
interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly data?: unknown; readonly error?: { readonly message: string } };
}

export interface Chaos {
  readonly dice: Dice;
  readonly origin: () => Promise<string>;
  isOver: boolean;
  readonly stories: string[];
  readonly topics: string[];
  /** Batches by the name that their notes have: the number of notes, and what came back. */
  readonly batches: Map<string, { readonly notes: number; readonly status: number | undefined }>;
  /** Ids of schedules that were confirmed, and of those that a client wanted to cancel. */
  readonly scheduled: Set<string>;
  readonly cancelled: Set<string>;
  /** Number of responses by status. */
  readonly statuses: Map<number | 'lost', number>;
  readonly complaints: string[];
}

async function send(
  chaos: Chaos,
  method: string,
  path: string,
  body?: unknown,
  headers = {},
): Promise<Received | undefined> {
  const note = (status: number | 'lost') => chaos.statuses.set(status, (chaos.statuses.get(status) ?? 0) + 1);
  try {
    const response = await fetch(`${await chaos.origin()}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status } = response;
    const text = await response.text();
    note(status);
    if (status >= 500 && status !== 503) chaos.complaints.push(`${method} ${path}: ${status} ${text}`);
    return { status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
  } catch {
    note('lost');
    await pause(50);
    return undefined;
  }
}

const id = (received: Received | undefined, key: 'documentId' | 'id' = 'documentId'): string | undefined =>
  (received?.body.data as { readonly [name: string]: string } | undefined)?.[key];

/** Documents have the first locale more often than the other. */
const localeOf = (dice: Dice): string => LOCALES[dice.once(3) ? 1 : 0];

const oneOf = (dice: Dice, items: readonly string[]): string => items[dice.below(items.length)] ?? 'nothing';

/** Keeps a handful of documents. */
function keep(documents: string[], documentId: string | undefined, dice: Dice): void {
  if (documentId === undefined) return;
  if (documents.length < 8) documents.push(documentId);
  else documents[dice.below(8)] = documentId;
}

/** Forgets a document that was deleted. */
function drop(documents: string[], documentId: string): void {
  const at = documents.indexOf(documentId);
  if (at >= 0) documents.splice(at, 1);
}

type Sent = Readonly<Record<'method' | 'path', string>> & { readonly body?: object };

const of = (method: string, path: string, data?: object): Sent => ({ method, path, ...(data && { body: { data } }) });

function requestsOf({ dice, stories, topics }: Chaos, name: string, notes: number): readonly Sent[] {
  const topic = () => oneOf(dice, topics);
  const story = `/api/stories/${oneOf(dice, stories)}?status=draft&locale=${localeOf(dice)}`;
  const requests = Array.from({ length: notes }, (_, index) =>
    of('POST', '/api/notes', { batch: name, code: `${name} ${index}`, ...(dice.once(2) && { topic: topic() }) }),
  );
  if (dice.once(2)) requests.push(of('POST', '/api/topics', { name, leader: '$ref:0', notes: ['$ref:0', '$ref:1'] }));
  if (dice.once(2)) requests.push(of('PUT', story, { title: name, topics: [topic(), topic()] }));
  if (dice.once(3)) requests.push(of('POST', '/api/stories?status=draft', { title: name, topics: [topic()] }));
  if (dice.once(6)) requests.push(of('DELETE', `/api/topics/${topic()}`));
  if (dice.once(4)) requests.push(of('PUT', `/api/topics/${topic()}`, { name, stories: [oneOf(dice, stories)] }));
  return requests;
}

/** Sends batches. Half of them have a key, and are repeated until their outcome is known. */
export async function writeBatches(chaos: Chaos, writer: number): Promise<void> {
  const { dice } = chaos;
  for (let count = 0; !chaos.isOver; count += 1) {
    const name = `b${writer}-${count}`;
    const notes = dice.below(3) + 2;
    const requests = requestsOf(chaos, name, notes);
    const isKeyed = dice.once(2);
    const key = isKeyed ? { 'idempotency-key': name } : {};
    let received: Received | undefined;
    do received = await send(chaos, 'POST', '/api/batch', { requests }, key);
    while (isKeyed && (received === undefined || received.status === 503 || received.status === 409));
    const isRepeat =
      received?.status === 400 && received.body.error?.message.startsWith('The batch with this') === true;
    chaos.batches.set(name, { notes, status: isRepeat ? 200 : received?.status });
    if (received?.status !== 200) continue;
    const bodies = received.body.data as readonly {
      readonly body: { readonly data: { readonly documentId: string } };
    }[];
    for (const [index, { path, method }] of requests.entries()) {
      if (method === 'DELETE') drop(chaos.topics, path.slice('/api/topics/'.length));
      if (method === 'POST' && path !== '/api/notes')
        keep(path === '/api/topics' ? chaos.topics : chaos.stories, bodies[index]?.body.data.documentId, dice);
    }
  }
}

/** Schedules publications within little more than a second, and cancels or deletes now and then. */
export async function schedule(chaos: Chaos): Promise<void> {
  const { dice, stories } = chaos;
  while (!chaos.isOver) {
    const story = oneOf(dice, stories);
    const path = `/api/stories/${story}`;
    const locale = `?locale=${localeOf(dice)}`;
    const at = new Date(Date.now() + 200 + dice.below(1_000)).toISOString();
    const action = dice.once(3) ? 'unpublish' : 'publish';
    const entry = id(await send(chaos, 'POST', `${path}/actions/${action}${locale}`, { data: { at } }), 'id');
    if (entry !== undefined) chaos.scheduled.add(entry);
    if (entry !== undefined && dice.once(10)) {
      chaos.cancelled.add(entry);
      await send(chaos, 'DELETE', `/api/scheduled/${entry}`);
    }
    if (dice.once(20)) {
      drop(stories, story);
      await send(chaos, 'DELETE', `${path}?locale=*`);
    }
    if (dice.once(5))
      keep(stories, id(await send(chaos, 'POST', '/api/stories?status=draft', { data: { title: 'S' } })), dice);
    if (dice.once(4))
      await send(chaos, 'PUT', `${path}${locale}&status=draft`, { data: { title: 'T', rank: dice.below(9) } });
    await pause(dice.below(40));
  }
}

const PATHS = [
  '/api/stories?populate=*&sort=updatedAt:desc',
  '/api/stories?status=draft&locale=fr&populate=topics',
  '/api/topics?populate[notes][filters][code][$contains]=1&populate[leader]=*',
  '/api/topics?filters[notes][batch][$startsWith]=b1&pagination[pageSize]=5',
  '/api/scheduled',
];

/** Reads. A batch is seen as a whole or not at all. */
export async function read(chaos: Chaos): Promise<void> {
  const { dice } = chaos;
  const tags = new Map<string, string>();
  while (!chaos.isOver) {
    const path = oneOf(dice, [...PATHS, `/api/stories/${oneOf(dice, chaos.stories)}?populate=topics`]);
    const tag = tags.get(path);
    const received = await send(chaos, 'GET', path, undefined, tag === undefined ? {} : { 'if-none-match': tag });
    const etag = received?.headers.get('etag');
    if (etag) tags.set(path, etag);
    const name = oneOf(dice, [...chaos.batches.keys()].slice(-20));
    const found = await send(chaos, 'GET', `/api/notes?filters[batch][$eq]=${name}`);
    const count = (found?.body.data as readonly unknown[] | undefined)?.length;
    const notes = chaos.batches.get(name)?.notes;
    if (count !== undefined && count !== 0 && count !== notes)
      chaos.complaints.push(`${name}: ${count} of ${notes} notes`);
    await pause(dice.below(20));
  }
}

const fire = (chaos: Chaos) => send(chaos, 'GET', '/cdn-cgi/local/scheduled');

/** Fires the cron trigger, at times twice at once. @param period in milliseconds */
export async function fireCron(chaos: Chaos, period: number): Promise<void> {
  while (!chaos.isOver) {
    await Promise.all(chaos.dice.once(3) ? [fire(chaos), fire(chaos)] : [fire(chaos)]);
    await pause(period);
  }
}

/** Fires the cron trigger until nothing is scheduled any more. */
export async function finish(chaos: Chaos): Promise<void> {
  for (let open = 1; open > 0; ) {
    await fire(chaos);
    const listed = (await send(chaos, 'GET', '/api/scheduled'))?.body.data as
      | readonly { at: string | null }[]
      | undefined;
    open = listed?.filter(({ at }) => at !== null).length ?? 1;
    await pause(100);
  }
}

/** Creates the first documents. */
export async function begin(chaos: Chaos): Promise<void> {
  for (const name of ['a', 'b', 'c', 'd']) {
    keep(chaos.topics, id(await send(chaos, 'POST', '/api/topics', { data: { name } })), chaos.dice);
    keep(
      chaos.stories,
      id(await send(chaos, 'POST', '/api/stories?status=draft', { data: { title: name } })),
      chaos.dice,
    );
  }
}

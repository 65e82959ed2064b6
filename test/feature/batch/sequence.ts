/**
 * @module Runs the same requests as a batch and one after another, and compares what they come to.
 */
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { Registry } from '../../../src/schema/model.ts';
import { type Send, serveRegistry } from '../../support/app.ts';
import { documentOf, type ErrorAnswer } from '../../support/client.ts';
import { plainRows, plainTexts, startAnew } from '../../support/compared-runs.ts';
import { type Dice, diceOf } from '../../support/dice.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { sendJson } from '../../support/recorded.ts';

const MAX_REQUESTS = 8;
export type Body = Readonly<Record<string, unknown>>;
export interface Request {
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

export type Names = Record<string, string[]>;

/** A content model, the documents to start with, and requests drawn by chance. */
export interface World {
  readonly registry: Registry;
  /** Of the narrow token. */
  readonly rights: readonly string[];
  readonly seeds: readonly (readonly [route: string, data: Body])[];
  /** @param names of documents by route; those that begin with `$` are new */
  drawn(dice: Dice, names: Names): Request;
}

/** Requests may name what earlier ones create. */
function drawnBatch(dice: Dice, stored: Names, { drawn }: World): readonly Request[] {
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

async function outcome(seed: number, world: World, runOf: (send: Send) => Run) {
  await startAnew(world.registry, world.rights);
  const send = serveRegistry(world.registry);
  const plain = plainTexts();
  const dice = diceOf(seed);
  const names: Names = {};
  for (const [route, data] of world.seeds) {
    const { documentId } = await documentOf(send(`/api/${route}`, sendJson('POST', 'full', { data })));
    plain(documentId);
    const [name = ''] = route.split('?');
    names[name] = [...(names[name] ?? []), documentId];
  }
  const requests = drawnBatch(dice, names, world);
  const result = await runOf(send)(requests, dice.once(6) ? 'narrow' : 'full');
  const responses = plain(result);
  const complaints = await checkInvariants(env.DB, world.registry);
  return {
    requests,
    result,
    complaints,
    responses,
    rows: await plainRows(world.registry, plain),
  };
}

/** A batch does not know the numbers of new rows, which errors about positions show. */
const withoutIds = (responses: string): string =>
  responses.replaceAll(/(relation with id |at position \{\\"\w+\\":)(\d+|\\?"?document \d+\\?"?)/g, '$1id');

/** Returns how many batches were done, failed as their requests do, and were rejected since a request depends on another. */
export async function compareBatches(world: World, seed: number, batches: number) {
  const counts = { done: 0, failed: 0, dependent: 0 };
  for (let number = seed; number < seed + batches; number += 1) {
    const batch = await outcome(number, world, inBatch);
    const label = `batch of seed ${number}: ${JSON.stringify(batch.requests)}`;
    expect(batch.complaints, label).toEqual([]);
    const isDependent =
      'error' in batch.result && /depends on a document|write the same document/.test(batch.result.error.message);
    counts.dependent += Number(isDependent);
    if (isDependent) continue;
    const sequence = await outcome(number, world, inSequence);
    expect(withoutIds(batch.responses), label).toBe(withoutIds(sequence.responses));
    counts['error' in batch.result ? 'failed' : 'done'] += 1;
    if (!('error' in batch.result)) expect(batch.rows, label).toEqual(sequence.rows);
  }
  return counts;
}

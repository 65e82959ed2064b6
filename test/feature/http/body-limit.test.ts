/**
 * @module Bodies that are too large, whether or not they tell so.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const BYTES = 10_000;
const { send } = openMagazine({ api: { rest: { limits: { bodyBytes: BYTES } } } });
const TOO_LARGE = { status: 413, name: 'PayloadTooLargeError', message: 'Payload Too Large', details: {} };

/** A body of exactly this many bytes. */
function bodyOf(bytes: number, name: string): string {
  const frame = JSON.stringify({ data: { name }, pad: '' }).length;
  return JSON.stringify({ data: { name }, pad: 'x'.repeat(bytes - frame) });
}

const streamOf = (text: string): ReadableStream =>
  new ReadableStream({
    start(controller) {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 1_000) controller.enqueue(bytes.subarray(at, at + 1_000));
      controller.close();
    },
  });

const post = (body: string | ReadableStream, headers: Record<string, string> = {}) =>
  send('/api/tags', {
    method: 'POST',
    headers: { authorization: 'Bearer full', 'content-type': 'application/json', ...headers },
    body,
  });

describe('a body beyond the limit', () => {
  it('is refused by the length it tells', async () => {
    const body = bodyOf(BYTES + 1, 'told');
    expect(await errorOf(post(body, { 'content-length': String(body.length) }))).toEqual(TOO_LARGE);
  });

  it('is refused by the length it has, when it tells none', async () => {
    expect(await errorOf(post(streamOf(bodyOf(BYTES + 1, 'streamed'))))).toEqual(TOO_LARGE);
  });

  it('is refused for callers without a grant, too', async () => {
    const body = streamOf(bodyOf(BYTES + 1, 'public'));
    const answer = await send('/api/tags', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(answer.status).toBe(413);
  });

  it('leaves nothing behind', async () => {
    const { results } = await env.DB.prepare('select "name" from "tags"').all();
    expect(results).toEqual([]);
  });
});

describe('a body within the limit', () => {
  it('is read, with and without its length', async () => {
    const body = bodyOf(BYTES, 'told');
    expect((await post(body, { 'content-length': String(body.length) })).status).toBe(200);
    expect((await post(streamOf(bodyOf(BYTES, 'streamed')))).status).toBe(200);
  });
});

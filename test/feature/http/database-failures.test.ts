/**
 * @module A database that does not answer: what is tried again, and what the client is told.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientOf, totalOf } from '../../support/client.ts';
import { failingDatabase } from '../../support/failing-database.ts';
import { serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const LOST = 'D1_ERROR: Network connection lost.';
const OVERLOADED = 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.';
const UNKNOWN = `D1_ERROR: datatype mismatch: SQLITE_ERROR in "select pin from authors where pin = 'hunter2'"`;

function failing(...messages: string[]) {
  const { database, asked } = failingDatabase(env.DB, messages);
  return { client: clientOf(serve({}, { DB: database }), 'full'), asked };
}

const log = vi.spyOn(console, 'error');

openMagazine();
beforeAll(async () => {
  await clientOf(serve(), 'full').get('/api/tags');
});

beforeEach(() => {
  log.mockReturnValue();
});

afterEach(() => {
  log.mockReset();
});

describe('a connection that is lost', () => {
  it('is never tried again by a write, which may have been done', async () => {
    const { client, asked } = failing(LOST, LOST);
    const response = await client.create('/api/comments', { text: 'once' });
    expect(response.status).toBe(500);
    expect(asked()).toBe(1);
    expect(await totalOf(clientOf(serve(), 'full').get('/api/comments'))).toBe(0);
  });

  it('is tried again by a read, three times in all', async () => {
    const enough = failing(LOST, LOST);
    expect((await enough.client.get('/api/tags')).status).toBe(200);
    expect(enough.asked()).toBe(3);
    const never = failing(LOST, LOST, LOST, LOST);
    expect((await never.client.get('/api/tags')).status).toBe(500);
    expect(never.asked()).toBe(3);
  });
});

describe('an overloaded database', () => {
  it.each(['get', 'create'] as const)('is told 503 with a time to come back (%s)', async (verb) => {
    const { client, asked } = failing(OVERLOADED, OVERLOADED, OVERLOADED);
    const response = verb === 'get' ? await client.get('/api/tags') : await client.create('/api/tags', { name: 'a' });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toEqual({
      data: null,
      error: { status: 503, name: 'ServiceUnavailableError', message: 'Service Unavailable', details: {} },
    });
    expect(asked()).toBe(1);
  });
});

describe('a database without the tables of this version', () => {
  it.each([
    'no such table: tags: SQLITE_ERROR',
    'no such column: tags.colour: SQLITE_ERROR',
    'table tags has no column named colour: SQLITE_ERROR',
  ])('responds with 503, and the log names what is missing and what to run: %s', async (message) => {
    const { client } = failing(`D1_ERROR: ${message} in "select pin"`);
    const response = await client.create('/api/tags', { name: 'a' });
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('tags');
    expect(log.mock.calls).toHaveLength(1);
    const reason = message.replace(': SQLITE_ERROR', '');
    expect(JSON.parse(String(log.mock.calls[0]?.[0]))).toEqual({
      requestId: response.headers.get('x-request-id'),
      message: `A migration was not applied (${reason}): npx edgewise migrate, or with --remote`,
    });
  });
});

describe('a statement that does not find a column of the database', () => {
  it('is an error of Edgewise, and the log proposes no migration', async () => {
    const { client } = failing('D1_ERROR: no such column: tags.name: SQLITE_ERROR');
    expect((await client.get('/api/tags')).status).toBe(500);
    expect(String(log.mock.calls)).toContain('no such column: tags.name');
    expect(String(log.mock.calls)).not.toContain('migrat');
  });
});

describe('an error that nobody expected', () => {
  it('is told as 500 without a word of what it was', async () => {
    const { client } = failing(UNKNOWN);
    const response = await client.get('/api/authors');
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      data: null,
      error: { status: 500, name: 'InternalServerError', message: 'Internal Server Error' },
    });
  });

  it('is logged under the request id of the answer', async () => {
    const { client } = failing(UNKNOWN);
    const response = await client.get('/api/authors');
    const [entry] = log.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    expect(entry).toMatchObject({ requestId: response.headers.get('x-request-id'), message: UNKNOWN });
  });
});

describe('a refusal', () => {
  it('is no error of the server and is not logged', async () => {
    await clientOf(serve(), 'full').get('/api/tags?nope=1');
    await clientOf(serve(), 'nope').get('/api/tags');
    expect(log).not.toHaveBeenCalled();
  });
});

/**
 * @module `x-d1-bookmark`: a caller reads what it has just written.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;
const { send } = openMagazine();
const read = (bookmark: string) =>
  send('/api/tags', { headers: { authorization: 'Bearer full', 'x-d1-bookmark': bookmark } });

/** What sessions are opened with. */
function watched() {
  const constraints: (string | undefined)[] = [];
  const withSession = (constraint?: string) => {
    constraints.push(constraint);
    return env.DB.withSession(constraint);
  };
  return { constraints, send: serve({ mcp: true }, { DB: { withSession } as never }) };
}

beforeAll(async () => {
  await send('/api/tags', bearer('full'));
});

describe('the bookmark of an answer', () => {
  it('is there for reads, writes and refusals by the database', async () => {
    const created = await send('/api/tags', sendJson('POST', 'full', { data: { name: 'bookmarked' } }));
    const answers = [created, await send('/api/tags', bearer('full')), await send('/api/tags/nope', bearer('full'))];
    for (const { headers } of answers) expect(headers.get('x-d1-bookmark')).toMatch(BOOKMARK);
  });

  it('is not there where no database was asked', async () => {
    expect((await send('/api/nope')).headers.get('x-d1-bookmark')).toBeNull();
    expect((await send('/api/tags')).headers.get('x-d1-bookmark')).toBeNull();
  });
});

describe('the bookmark of a request', () => {
  it.each(['', 'nope', "'; drop table tags; --", 'first-unconstrained', '0'.repeat(10_000)])(
    'is ignored unless it has the form of one: %j',
    async (bookmark) => {
      expect((await read(bookmark)).status).toBe(200);
    },
  );

  it('opens the session where it was left', async () => {
    const bookmark = (await send('/api/tags', bearer('full'))).headers.get('x-d1-bookmark') ?? '';
    const { constraints, send: watch } = watched();
    await watch('/api/tags', { headers: { authorization: 'Bearer full', 'x-d1-bookmark': bookmark } });
    expect(constraints).toEqual([bookmark]);
  });

  it('may ask for the newest state, as tools for agents do', async () => {
    const { constraints, send: watch } = watched();
    await watch('/api/tags', { headers: { authorization: 'Bearer full', 'x-d1-bookmark': 'first-primary' } });
    const find = { name: 'find', arguments: { type: 'tags' } };
    await watch('/mcp', sendJson('POST', 'full', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: find }));
    expect(constraints).toEqual(['first-primary', 'first-primary']);
  });
});

describe('a write', () => {
  it('asks the primary, whatever the bookmark says: a replica may not have what it is planned on', async () => {
    const bookmark = (await send('/api/tags', bearer('full'))).headers.get('x-d1-bookmark') ?? '';
    const created = await send('/api/tags', sendJson('POST', 'full', { data: { name: 'asked' } }));
    const { data } = (await created.json()) as { data: { documentId: string } };
    for (const [method, path, trips] of [
      ['POST', '/api/tags', 1],
      ['PUT', `/api/tags/${data.documentId}`, 2],
      ['DELETE', `/api/tags/${data.documentId}?filters[name]=nobody`, 2],
    ] as const) {
      const { constraints, send: watch } = watched();
      const init = sendJson(method, 'full', { data: { name: `by ${method}` } });
      await watch(path, { ...init, headers: { ...init.headers, 'x-d1-bookmark': bookmark } });
      expect(constraints.length, method).toBe(trips);
      expect(new Set(constraints), method).toEqual(new Set(['first-primary']));
    }
  });
});

describe('without a bookmark', () => {
  it('reads use any replica', async () => {
    const { constraints, send: watch } = watched();
    await watch('/api/tags', bearer('full'));
    expect(constraints).toEqual(['first-unconstrained']);
  });

  it('writes that read nothing first use the primary', async () => {
    const { constraints, send: watch } = watched();
    await watch('/api/comments', sendJson('POST', 'full', { data: { text: 'a' } }));
    expect(constraints).toEqual(['first-primary']);
  });
});

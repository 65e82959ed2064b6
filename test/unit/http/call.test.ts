/**
 * @module What a call has from its request, and what each response says of its cost.
 */
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BoundedCache } from '../../../src/common/cache.ts';
import type { Call } from '../../../src/content/runtime/call.ts';
import { bookmarked, callOf } from '../../../src/http/call.ts';
import { type AppContext, OF_TOOL } from '../../../src/http/context.ts';
import type { Deployment } from '../../../src/http/deployment.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const DEPLOYED = 'https://edgewise.test';
const warn = vi.spyOn(console, 'warn');
beforeEach(() => void warn.mockReturnValue());
afterEach(() => void warn.mockReset());

describe('a call', () => {
  const read = { kind: 'preview', isCached: false, grants: { allows: () => false } };
  const readPreview = async (token: string) => (token === 'preview' ? read : undefined);
  const features = [{}, { readPreview }];
  const deployment = { settings: parseSettings({}), features, hooksOf: () => undefined } as unknown as Deployment;

  async function callFor(url: string, init: RequestInit = {}, env: object = {}): Promise<Call> {
    const calls: Call[] = [];
    const app = new Hono().all('*', async (context) => {
      calls.push(await callOf(context as unknown as AppContext, deployment));
      return context.body(null);
    });
    app.onError((error) => {
      throw error;
    });
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
    await app.request(url, init, { DB: {}, ...env }, context as unknown as ExecutionContext);
    return calls[0] as Call;
  }

  it('has the path and the query string of its request, and what the caller holds', async () => {
    const call = await callFor(`${DEPLOYED}/api/tags?sort=name`, { headers: { 'if-none-match': '"a"' } });
    expect(call).toMatchObject({ pathname: '/api/tags', search: '?sort=name', held: ['"a"'], bodiless: false });
    expect([call.query(), call.isOfTool, call.credential.kind]).toEqual([{ sort: 'name' }, false, 'public']);
    expect((await callFor(DEPLOYED, { method: 'HEAD' })).bodiless).toBe(true);
  });

  it('of a tool is that of its client', async () => {
    const claims = { id: 1, issuedAt: 0, session: null };
    const { isOfTool, credential } = await callFor(DEPLOYED, {}, { [OF_TOOL]: { claims } });
    expect([isOfTool, credential.kind]).toEqual([true, 'user']);
    expect(await callFor(DEPLOYED, {}, { [OF_TOOL]: {} })).toMatchObject({
      isOfTool: true,
      credential: { kind: 'public' },
    });
  });

  it('does nothing after the response in the tests of a project, which end with it', async () => {
    expect((await callFor('http://project.test/')).afterResponse).toBeUndefined();
    expect((await callFor(DEPLOYED)).afterResponse).toBeDefined();
  });

  it('with a preview only reads', async () => {
    const headers = { authorization: 'Bearer preview' };
    for (const method of ['GET', 'HEAD'])
      expect((await callFor(DEPLOYED, { method, headers })).credential.kind).toBe('preview');
    await expect(callFor(DEPLOYED, { method: 'POST', headers })).rejects.toThrow('Forbidden');
    expect(
      (await callFor(DEPLOYED, { method: 'POST', headers: { authorization: 'Bearer other' } })).credential.kind,
    ).toBe('token');
  });
});

describe('a response', () => {
  interface Made {
    readonly credential?: string;
    readonly origin?: string;
    readonly timing?: boolean;
    readonly bookmark?: string | null;
    readonly spent?: object;
    readonly work?: (context: AppContext) => Promise<Response>;
  }
  const ok = async (context: AppContext) => context.body('a', 200, { 'cache-control': 'no-cache' });
  const shared = async (context: AppContext) => context.body('a', 200, { 'cache-control': 'public, max-age=1' });
  const failed = async () => {
    throw new Error('failed');
  };

  function responseTo({ credential = 'public', origin = DEPLOYED, timing = false, work = ok, ...rest }: Made) {
    const { bookmark = 'b', spent = { trips: 1, rowsRead: 2, rowsWritten: 0 } } = rest;
    const call = {
      credential: { kind: credential },
      settings: parseSettings({ server: { timing } }),
      database: { spent, bookmark: () => bookmark, costly: [{ rowsRead: 5_000, rows: 1, advice: 'x' }] },
      caches: { advised: new BoundedCache<string, number>() },
    } as unknown as Call;
    const app = new Hono().get('*', (context) =>
      bookmarked(context as unknown as AppContext, call, () => work(context as unknown as AppContext)),
    );
    app.onError((_, context) => context.text('error', 500));
    return app.request(`${origin}/api/tags`, {}, {});
  }

  it.each<readonly [string, Made, readonly (string | null)[]]>([
    ['has the bookmark', {}, ['b', null, 'no-cache']],
    ['has no bookmark without a query', { bookmark: null }, [null, null, 'no-cache']],
    [
      'has its cost by the settings',
      { timing: true },
      ['b', 'database;desc="1 round trip, 2 rows read, 0 written"', 'no-cache'],
    ],
    [
      'has its cost on a local server',
      { origin: 'http://localhost', spent: { trips: 2, rowsRead: 1, rowsWritten: 3 } },
      ['b', 'database;desc="2 round trips, 1 row read, 3 written"', 'no-cache'],
    ],
    ['that a shared cache stores has neither', { work: shared, timing: true }, [null, null, 'public, max-age=1']],
    ['to a preview is stored nowhere', { credential: 'preview', work: shared }, ['b', null, 'private, no-store']],
    ['to an error has both', { work: failed, timing: true }, ['b', expect.stringContaining('2 rows read'), null]],
    [
      'to an error of a preview is stored nowhere',
      { credential: 'preview', work: failed },
      ['b', null, 'private, no-store'],
    ],
  ])('%s', async (_, made, expected) => {
    const { headers } = await responseTo(made);
    expect(['x-d1-bookmark', 'server-timing', 'cache-control'].map((name) => headers.get(name))).toEqual(expected);
  });

  it('that reads many rows is logged, unless it is an error', async () => {
    await responseTo({ work: failed });
    expect(warn).not.toHaveBeenCalled();
    await responseTo({
      work: async (context) => {
        context.error = new Error('of a route behind it');
        return ok(context);
      },
    });
    expect(warn).not.toHaveBeenCalled();
    await responseTo({});
    expect(warn).toHaveBeenCalledOnce();
  });
});

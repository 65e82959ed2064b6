/**
 * @module The log of a Worker: hints on a local server, lines of JSON elsewhere.
 */
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BoundedCache } from '../../../src/common/cache.ts';
import { ApiError, notReady } from '../../../src/common/errors.ts';
import type { AppContext } from '../../../src/http/context.ts';
import { hintAt, report, reportCosts } from '../../../src/http/report.ts';

const LOCAL = 'http://localhost:8787';
const DEPLOYED = 'https://api.example.com';

const warn = vi.spyOn(console, 'warn');
const error = vi.spyOn(console, 'error');
beforeEach(() => void [warn.mockReturnValue(), error.mockReturnValue()]);
afterEach(() => void [warn.mockReset(), error.mockReset()]);

/** Does something in a request for tags, whose id is 7. */
async function inRequest(origin: string, work: (context: AppContext) => void): Promise<Response> {
  const app = new Hono<{ Variables: { requestId: string } }>().get('*', (context) => {
    context.set('requestId', '7');
    work(context as unknown as AppContext);
    return context.body(null);
  });
  return app.request(`${origin}/api/tags?filters[name]=secret`);
}

const cachesOf = () => ({ advised: new BoundedCache<string, number>() }) as never;

describe('a hint', () => {
  const hint = 'Set upload.widths';

  it.each([
    [LOCAL, `hint: /api/tags: ${hint}`],
    [DEPLOYED, JSON.stringify({ requestId: '7', message: hint, path: '/api/tags' })],
  ])('of %s is in each response, and in the log once', async (origin, line) => {
    const caches = cachesOf();
    for (const _ of [1, 2]) {
      const { headers } = await inRequest(origin, (context) => hintAt(context, { caches }, hint));
      expect(headers.get('x-edgewise-hint')).toBe(hint);
    }
    await inRequest(origin, (context) => hintAt(context, { caches }, 'Other'));
    expect(warn.mock.calls).toEqual([[line], [line.replace(hint, 'Other')]]);
  });
});

describe('the most expensive read of a request', () => {
  const costly = [
    { rowsRead: 2_000, rows: 1, advice: 'a' },
    { rowsRead: 5_000, rows: 2, advice: 'b' },
    { rowsRead: 3_000, rows: 3, advice: 'c' },
  ];
  const logged = (origin: string, reads: typeof costly) =>
    inRequest(origin, (context) => reportCosts({ database: { costly: reads }, caches: cachesOf() } as never, context));

  it('is a hint on a local server', async () => {
    await logged(LOCAL, costly);
    expect(warn.mock.calls).toEqual([['hint: /api/tags read 5000 rows to answer 2. In edgewise.config.ts: b']]);
  });

  it('is a line of JSON elsewhere, without the query string', async () => {
    await logged(DEPLOYED, costly);
    const entry = { message: 'many rows read', path: '/api/tags', rowsRead: 5_000, rows: 2, setting: 'b' };
    expect(warn.mock.calls).toEqual([[JSON.stringify({ requestId: '7', ...entry })]]);
  });

  it('is logged only if there is any', async () => {
    expect((await logged(LOCAL, [])).status).toBe(200);
    expect(warn).not.toHaveBeenCalled();
  });

  it('is logged once a minute elsewhere', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const call = { database: { costly }, caches: cachesOf() } as never;
    const lines: number[] = [];
    for (const pause of [0, 59_999, 1, 59_999, 1]) {
      vi.advanceTimersByTime(pause);
      await inRequest(DEPLOYED, (context) => reportCosts(call, context));
      lines.push(warn.mock.calls.length);
    }
    vi.useRealTimers();
    expect(lines).toEqual([1, 1, 2, 2, 3]);
  });
});

describe('an error', () => {
  const failure = Object.assign(new Error('failed', { cause: new Error('why') }), { stack: 'at x' });
  const lone = Object.assign(new Error('failed'), { stack: 'at x' });
  const cause = 'wrangler.toml has no binding DB\nbinding = "DB"';

  it.each<readonly [string, Error, unknown]>([
    [LOCAL, failure, { requestId: '7', message: 'failed', stack: 'at x', cause: 'Error: why' }],
    [DEPLOYED, lone, { requestId: '7', message: 'failed', stack: 'at x', cause: '' }],
    [DEPLOYED, notReady(cause), { requestId: '7', message: cause }],
  ])('of %s is a line of JSON: %s', async (origin, thrown, entry) => {
    await inRequest(origin, (context) => report(thrown, context));
    expect(error.mock.calls.map(([line]) => JSON.parse(line))).toEqual([entry]);
  });

  it('about the set-up is a text on a local server', async () => {
    await inRequest(LOCAL, (context) => report(notReady(cause), context));
    await inRequest(LOCAL, (context) => report(new ApiError({ kind: 'internal' }, { cause: 'other' }), context));
    expect(error.mock.calls).toEqual([[cause], [expect.stringMatching(/^\{"requestId":"7","message":"internal"/)]]);
  });
});

/**
 * @module `x-d1-bookmark` of a write.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();

/** What sessions are opened with. */
function watched() {
  const constraints: (string | undefined)[] = [];
  const withSession = (constraint?: string) => {
    constraints.push(constraint);
    return env.DB.withSession(constraint);
  };
  return { constraints, send: serve({}, { DB: { withSession } as never }) };
}

it('a write asks the primary, whatever the bookmark says: a replica may not have what it is planned on', async () => {
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

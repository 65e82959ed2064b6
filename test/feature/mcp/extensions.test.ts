/**
 * @module What tools and the guide have with `api.rest.extensions`, and without.
 */
import { describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { recordedRegistry, sendJson } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const settings = { mcp: true } as const;
const { client, send } = openMagazine(settings);
const plain = serveRegistry(recordedRegistry, { ...settings, api: { rest: { extensions: false } } });

// biome-ignore lint/suspicious/noExplicitAny: JSON of any method
async function rpc(through: typeof send, method: string, params: object = {}): Promise<any> {
  const response = await through('/mcp', sendJson('POST', 'full', { jsonrpc: '2.0', id: 1, method, params }));
  return ((await response.json()) as { result: unknown }).result;
}

const use = (through: typeof send, name: string, args: object) => rpc(through, 'tools/call', { name, arguments: args });

async function textsOf(through: typeof send) {
  const { tools } = await rpc(through, 'tools/list');
  const { contents } = await rpc(through, 'resources/read', { uri: 'edgewise://guide' });
  return { tools: JSON.stringify(tools), guide: String(contents[0].text) };
}

describe('the tools', () => {
  it('offer fallback, facets, unique values, presets and limits with the setting alone', async () => {
    const [all, few] = [await textsOf(send), await textsOf(plain)];
    for (const name of ['fallback', 'facets', 'slug:night']) {
      expect(all.tools).toContain(name);
      expect(few.tools).not.toContain(name);
    }
    for (const name of ['facets', '@card', 'withCount']) {
      expect(all.guide).toContain(name);
      expect(few.guide).not.toContain(name);
    }
    expect(few.guide).toContain('pagination');
  });

  it('count values in what a list finds, and reject the argument without the setting', async () => {
    for (const title of ['Same', 'Same']) await client.create('/api/articles', { title });
    const args = { type: 'articles', facets: ['title'], filters: { title: 'Same' } };
    const { structuredContent } = await use(send, 'find', args);
    expect(structuredContent.meta.facets).toEqual({ title: [{ value: 'Same', count: 2 }] });
    for (const [name, more] of [
      ['find', { facets: ['title'] }],
      ['get', { documentId: 'x', fallback: true }],
    ] as const) {
      const { isError, structuredContent: rejected } = await use(plain, name, { type: 'articles', ...more });
      expect(isError).toBe(true);
      expect(rejected.error.message).toMatch(/^Unknown argument (facets|fallback)/);
    }
  });
});

/**
 * @module The revisions of the protocol: those of before introduce themselves, and the newest says so in each message.
 */
import { expect, it } from 'vitest';
import { sendJson } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine({ mcp: true });

const KEY = 'io.modelcontextprotocol/';
const NEWEST = '2026-07-28';

// biome-ignore lint/suspicious/noExplicitAny: JSON of any method
async function resultOf(method: string, params: object, headers: Record<string, string> = {}): Promise<any> {
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const { headers: own, ...init } = sendJson('POST', 'full', body);
  const response = await send('/mcp', { ...init, headers: { ...own, ...headers } });
  return ((await response.json()) as { result: unknown }).result;
}

const resultOfNewest = (method: string) => {
  const _meta = { [`${KEY}protocolVersion`]: NEWEST, [`${KEY}clientCapabilities`]: {} };
  return resultOf(method, { _meta }, { 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': method });
};

it.each(['server/discover', 'tools/list', 'resources/list'])(
  'a result of the newest is complete, and says who made it: %s',
  async (method) => {
    expect(await resultOfNewest(method)).toMatchObject({
      resultType: 'complete',
      ttlMs: 60_000,
      cacheScope: 'private',
      _meta: { [`${KEY}serverInfo`]: { name: 'edgewise' } },
    });
  },
);

it.each(['2025-11-25', '2025-06-18', '2025-03-26'])('a result of %s has nothing of that', async (version) => {
  const introduction = await resultOf('initialize', { protocolVersion: version });
  expect(introduction).toMatchObject({ protocolVersion: version, serverInfo: { name: 'edgewise' } });
  const list = await resultOf('tools/list', {}, { 'MCP-Protocol-Version': version });
  expect(Object.keys(list)).toEqual(['tools']);
});

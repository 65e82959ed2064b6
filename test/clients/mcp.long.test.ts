/**
 * @module The clients of the Model Context Protocol: `@modelcontextprotocol/sdk` of the era of 2025, and
 * `@modelcontextprotocol/client` of both eras. They check each result against the output schema of its tool.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { token, unique, url } from './requests.ts';

const ADDRESS = new URL(`${url}/mcp`);
const INFO = { name: 'a client', version: '1.0.0' };
const OPTIONS = { requestInit: { headers: { authorization: `Bearer ${token}` } } };

/** What both generations have. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  readResource(params: { uri: string }): Promise<{ readonly contents: readonly object[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

async function former(): Promise<AnyClient> {
  const client = new FormerClient(INFO);
  await client.connect(new FormerTransport(ADDRESS, OPTIONS));
  return client as unknown as AnyClient;
}

/** @param respond what the person does about a question; without it the client cannot ask */
async function current(mode: 'legacy' | 'auto', respond?: (message: string) => object): Promise<AnyClient> {
  const capabilities = { capabilities: respond ? { elicitation: { form: {} } } : {} };
  const client = new Client(INFO, { ...capabilities, versionNegotiation: { mode } });
  if (respond)
    client.setRequestHandler('elicitation/create', async ({ params: { message } }) => respond(message) as never);
  await client.connect(new StreamableHTTPClientTransport(ADDRESS, OPTIONS));
  const version = client.getNegotiatedProtocolVersion();
  expect(version === '2026-07-28').toBe(mode === 'auto');
  return client as unknown as AnyClient;
}

interface Result {
  readonly isError?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
  readonly structuredContent: any;
}

const userOf =
  (client: AnyClient) =>
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
  async (name: string, args: Record<string, unknown>): Promise<any> => {
    const result = (await client.callTool({ name, arguments: args })) as Result;
    expect(result.isError, JSON.stringify(result)).not.toBe(true);
    return result.structuredContent;
  };

const isPublic = async (documentId: string): Promise<boolean> =>
  (await fetch(`${url}/api/articles/${documentId}`)).status === 200;

describe.each([
  ['@modelcontextprotocol/sdk', former],
  ['@modelcontextprotocol/client in the era of 2025', () => current('legacy')],
  ['@modelcontextprotocol/client in the era of 2026', () => current('auto')],
])('%s', (_, connect) => {
  it('lists tools and resources, reads and writes, and publishes after a dry run', async () => {
    const client = await connect();
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['describe', 'find', 'get']);
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining(['edgewise://guide', 'edgewise://types/articles']));
    for (const uri of uris) expect((await client.readResource({ uri })).contents).toHaveLength(1);
    await expect(client.readResource({ uri: 'edgewise://types/nothing' })).rejects.toThrow('Unknown resource');
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow('Unknown tool');

    const use = userOf(client);
    const { attributes } = await use('describe', { type: 'articles' });
    expect(Object.keys(attributes)).toContain('title');
    const { data: found } = await use('find', { type: 'articles', populate: '*', pagination: { pageSize: 2 } });
    expect(found).toHaveLength(2);
    expect((await use('search', { text: found[0].title })).results).not.toEqual([]);

    const title = unique('tool');
    const made = await use('create', { type: 'articles', data: { title, slug: title } });
    const document = { type: 'articles', documentId: made.data.documentId };
    const changed = await use('update', { ...document, data: { summary: 'short' }, revision: made.revision });
    expect(changed.data.summary).toBe('short');
    const dry = await use('change_publication', { ...document, action: 'publish' });
    expect([dry.done, await isPublic(document.documentId)]).toEqual([false, false]);
    const published = { ...document, action: 'publish', dryRun: false, revision: dry.revision };
    expect((await use('change_publication', published)).done).toBe(true);
    expect(await isPublic(document.documentId)).toBe(true);
    const { revision } = await use('delete', document);
    expect((await use('delete', { ...document, dryRun: false, revision })).done).toBe(true);
    const gone = (await client.callTool({ name: 'get', arguments: document })) as Result;
    expect([gone.isError, gone.structuredContent.error.path]).toEqual([true, 'documentId']);
    await client.close();
  });
});

describe('a person who is asked', () => {
  const decisions = {
    declines: { action: 'decline' },
    cancels: { action: 'cancel' },
    'says no': { action: 'accept', content: { confirm: false } },
    'says yes': { action: 'accept', content: { confirm: true } },
  };

  it.each(Object.entries(decisions))('%s, and the document is published only after yes', async (name, decision) => {
    const asked: string[] = [];
    const client = await current('auto', (message) => {
      asked.push(message);
      return decision;
    });
    const use = userOf(client);
    const title = unique('asked');
    const { data } = await use('create', { type: 'articles', data: { title, slug: title } });
    const document = { type: 'articles', documentId: data.documentId };
    const isYes = name === 'says yes';
    const { done } = await use('change_publication', { ...document, action: 'publish' });
    expect(done).toBe(isYes);
    expect(asked).toEqual([`Do you want to publish "${title}" of articles?`]);
    expect(await isPublic(data.documentId)).toBe(isYes);
    expect((await use('delete', document)).done).toBe(isYes);
    expect(asked).toHaveLength(2);
    await client.close();
  });
});

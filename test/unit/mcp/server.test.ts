/**
 * @module The methods of the server: which tools a caller gets, results and errors of a call, and resources.
 */
import { describe, expect, it } from 'vitest';
import { only } from '../../../src/access/grants.ts';
import { handle } from '../../../src/features/mcp/server.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { failureOf, fakeCall } from './fake-call.ts';

const preview = { 'api::article.article': { url: 'https://site.example.com/{documentId}?t={token}' } };
const EVERY = { mcp: true, history: true, preview } as SettingsInput;

const request = (method: string, params: object = {}) => ({
  ...{ id: 1, method, params: params as Record<string, unknown>, isModern: false, canElicit: false },
});
// biome-ignore lint/suspicious/noExplicitAny: JSON of any method
const result = async (call: Parameters<typeof handle>[0], method: string, params: object = {}): Promise<any> =>
  handle(call, request(method, params));

const callWith = (input: SettingsInput, grants?: ReturnType<typeof only>, respond?: Parameters<typeof fakeCall>[0]) =>
  fakeCall(respond, { settings: parseSettings(input) }, grants).call;
const toolsOf = async (call: Parameters<typeof handle>[0]) =>
  (await result(call, 'tools/list')).tools.map(({ name }: { name: string }) => name);

describe('tools', () => {
  it.each([
    ['find', 'find', 'get', 'search'],
    ['findOne', 'get'],
    ['create', 'create', 'batch'],
    ['update', 'update', 'batch'],
    ['publish', 'change_publication'],
    ['unpublish', 'change_publication'],
    ['discardDraft', 'change_publication'],
    ['delete', 'delete'],
    ['history', 'history'],
    ['restore', 'restore'],
    ['previewLink', 'preview_link'],
    ['readDrafts'],
  ])('are listed for who may use them with a type, such as with %s', async (action, ...names) => {
    expect(await toolsOf(callWith(EVERY, only([`api::article.article.${action}`])))).toEqual(['describe', ...names]);
  });

  it('to upload is listed for who may', async () => {
    expect(await toolsOf(callWith(EVERY, only(['plugin::upload.content-api.upload'])))).toEqual(['describe', 'upload']);
  });

  it.each<[SettingsInput, string, object]>([
    [{ mcp: true, preview } as SettingsInput, 'history', {}],
    [{ mcp: true, preview } as SettingsInput, 'restore', { type: 'articles', version: 'v' }],
    [{ mcp: true, history: true }, 'preview_link', { type: 'articles' }],
    [
      { ...EVERY, api: { rest: { publication: false } } },
      'change_publication',
      { type: 'articles', action: 'publish', documentId: 'x' },
    ],
  ])('that %j does not have are neither listed nor called: %s', async (input, name, args) => {
    const call = callWith(input);
    expect(await toolsOf(callWith(EVERY))).toContain(name);
    expect(await toolsOf(call)).not.toContain(name);
    const failed = await failureOf(handle(call, request('tools/call', { name, arguments: args })));
    expect(failed).toMatchObject({ message: `Unknown tool: ${name}`, data: { path: 'params.name' }, status: 200 });
  });

  it('are listed with all that a client reads of them', async () => {
    const { tools } = await result(callWith(EVERY), 'tools/list');
    for (const tool of tools)
      expect(tool).toEqual({
        ...{ name: expect.any(String), description: expect.any(String), annotations: expect.any(Object) },
        ...{ inputSchema: expect.any(Object), outputSchema: expect.any(Object) },
      });
  });
});

describe('a call of a tool', () => {
  const calling = (params: object, respond?: Parameters<typeof fakeCall>[0]) =>
    result(callWith(EVERY, undefined, respond), 'tools/call', params);

  it('returns its result as data and as text', async () => {
    const { content, structuredContent, ...more } = await calling({ name: 'describe' });
    expect([content, more]).toEqual([[{ type: 'text', text: JSON.stringify(structuredContent) }], {}]);
    expect(structuredContent.types).toHaveLength(3);
  });

  it('returns its error as a result, with where and what next', async () => {
    const respond = () => ({ status: 404, body: { error: { message: 'Not Found' } } });
    const { isError, content, structuredContent } = await calling(
      ...([{ name: 'get', arguments: { type: 'articles', documentId: 'x' } }, respond] as const),
    );
    expect([isError, JSON.parse(content[0].text), structuredContent]).toEqual([
      true,
      JSON.parse(JSON.stringify(structuredContent)),
      { error: expect.objectContaining({ message: 'Not Found', path: 'documentId', status: 404 }) },
    ]);
  });

  it('returns a question as it is', async () => {
    const { call } = fakeCall(() => ({ body: { data: { documentId: 'x' } }, revision: 'r' }), { canElicit: true });
    const asked = await result(call, 'tools/call', { name: 'delete', arguments: { type: 'authors', documentId: 'x' } });
    expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
  });

  it('that fails otherwise is no result of it', async () => {
    const lost = new TypeError('lost');
    const respond = () => {
      throw lost;
    };
    expect(await failureOf(calling({ name: 'find', arguments: { type: 'articles' } }, respond))).toBe(lost);
  });

  it.each([
    ['fnid', 'Unknown tool: fnid'],
    [7, 'Unknown tool: number'],
    ['x'.repeat(201), `Unknown tool: ${'x'.repeat(200)}`],
  ])('of none, %j, is an error of the protocol', async (name, message) => {
    expect(await failureOf(calling({ name }))).toMatchObject({ message, code: -32_602 });
  });
});

describe('resources', () => {
  const call = callWith(EVERY, only(['api::author.author.find']));

  it('are the guide, and the types that the caller may use', async () => {
    expect(await result(call, 'resources/list')).toEqual({
      resources: [
        {
          ...{ uri: 'edgewise://guide', name: 'guide', title: 'How to read and write content' },
          mimeType: 'text/markdown',
        },
        { uri: 'edgewise://types/authors', name: 'authors', title: 'author', mimeType: 'application/json' },
      ],
    });
    expect(await result(call, 'resources/templates/list')).toEqual({ resourceTemplates: [] });
  });

  it('are read by their address', async () => {
    const read = async (uri: unknown, by = call) => (await result(by, 'resources/read', { uri })).contents;
    const [type] = await read('edgewise://types/authors');
    expect([type.uri, type.mimeType]).toEqual(['edgewise://types/authors', 'application/json']);
    expect(JSON.parse(type.text).type).toBe('authors');
    const [guide] = await read('edgewise://guide');
    expect(guide).toMatchObject({ uri: 'edgewise://guide', mimeType: 'text/markdown' });
    expect(guide.text).toMatch(/^# Reading content/);
    for (const uri of ['edgewise://types/articles', 'x', undefined])
      expect(await failureOf(read(uri))).toMatchObject({
        ...{ message: `Unknown resource: ${uri}`, data: { path: 'params.uri' } },
      });
  });

  it.each<[object, boolean, boolean]>([
    [{ extensions: false }, false, false],
    [{}, true, false],
    [{ deepPopulate: true }, true, true],
  ])('include a guide with what %j has', async (rest, hasFacets, hasDeep) => {
    const settings = { ...EVERY, api: { rest } } as SettingsInput;
    const { contents } = await result(callWith(settings), 'resources/read', { uri: 'edgewise://guide' });
    expect([/facets/.test(contents[0].text), /@deep/.test(contents[0].text)]).toEqual([hasFacets, hasDeep]);
  });
});

it('a method that the server lacks has no result', async () => {
  expect(await result(callWith(EVERY), 'prompts/list')).toBeUndefined();
});

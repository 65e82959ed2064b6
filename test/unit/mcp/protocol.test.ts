/**
 * @module Messages of both eras of the protocol: which get a response, which an error, and of which form.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/common/json.ts';
import { parsed, RpcError, type RpcRequest, respondTo } from '../../../src/features/mcp/protocol.ts';

const MODERN = '2026-07-28';
const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26'];
const META = 'io.modelcontextprotocol/';

type Headers = Readonly<Record<string, string>>;
const handled = async (request: RpcRequest): Promise<JsonObject | undefined> =>
  request.method === 'nothing' ? undefined : { seen: request };

const respond = (message: unknown, headers: Headers = {}, handle = handled) =>
  respondTo(message, (name) => headers[name], handle);
const legacy = (method: string, params: object = {}, headers: Headers = {}) =>
  respond({ jsonrpc: '2.0', id: 1, method, params }, headers);

/** A message of 2026-07-28, and what it changes of its claims and headers. */
function modern(method: string, params: object = {}, claims: object = {}, headers: object = {}) {
  const _meta = { [`${META}protocolVersion`]: MODERN, [`${META}clientCapabilities`]: {}, ...claims };
  const own = { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': method, ...headers };
  return respond({ jsonrpc: '2.0', id: 'a', method, params: { ...params, _meta } }, own as Headers);
}

const error = (status: number, code: number, message: unknown, id: unknown = 1, data: unknown = undefined) => ({
  status,
  body: { jsonrpc: '2.0', id, error: { code, message, data } },
});

describe('a message', () => {
  it.each<[unknown, number, string, unknown]>([
    [[], -32_600, 'Expected one JSON-RPC message', null],
    [null, -32_600, 'Expected one JSON-RPC message', null],
    [{ id: 1, method: 'ping' }, -32_600, 'Expected one JSON-RPC message', 1],
    [{ jsonrpc: '1.0', id: 'x', method: 'ping' }, -32_600, 'Expected one JSON-RPC message', 'x'],
    [{ jsonrpc: '2.0', id: 1 }, -32_600, 'Expected a method', 1],
    [{ jsonrpc: '2.0', id: 1, method: 7 }, -32_600, 'Expected a method', 1],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, -32_600, 'Invalid id. Expected a text or an integer', null],
    [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32_600, 'Invalid id. Expected a text or an integer', null],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, -32_600, 'Invalid id. Expected a text or an integer', null],
  ])('such as %j is an error', async (message, code, text, id) => {
    expect(await respond(message)).toEqual(error(400, code, text, id));
  });

  it('has params that are an object, or none', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect(await respond({ ...message, params: [] })).toEqual(
      error(400, -32_602, 'Invalid params. Expected an object', 1, { path: 'params' }),
    );
    for (const more of [{}, { params: null }, { params: {}, result: {} }])
      expect(await respond({ ...message, ...more })).toEqual({
        ...{ status: 200, body: { jsonrpc: '2.0', id: 1, result: {} } },
      });
  });

  it.each([
    { result: {}, id: 1 },
    { error: {}, id: 1 },
    { method: 'notifications/initialized' },
    { method: 'ping', params: [] },
  ])('that is a response, or has no id, gets none: %j', async (message) => {
    expect(await respond({ jsonrpc: '2.0', ...message })).toEqual({ status: 202 });
  });

  it('is JSON', () => {
    expect(() => parsed('{')).toThrow(expect.objectContaining({ code: -32_700, status: 400 }));
    expect(parsed('{}')).toEqual({});
  });

  it('gets the errors of the protocol as responses, and no others', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    const failing = (failure: Error) => respond(message, {}, () => Promise.reject(failure));
    expect(await failing(new RpcError(-32_602, 'Wrong', 200, { path: 'x' }))).toEqual(
      error(200, -32_602, 'Wrong', 1, { path: 'x' }),
    );
    await expect(failing(new TypeError('lost'))).rejects.toThrow('lost');
  });
});

describe('of before 2026-07-28, a message', () => {
  it.each<[string | undefined, string | undefined]>([
    ...LEGACY.map((version): [string, string] => [version, version]),
    ['2020-01-01', LEGACY[0]],
    [undefined, LEGACY[0]],
  ])('that begins with version %j agrees on %s', async (protocolVersion, agreed) => {
    const { status, body } = await legacy('initialize', { protocolVersion });
    expect([status, body?.result]).toEqual([
      200,
      {
        ...{ protocolVersion: agreed, capabilities: { tools: {}, resources: {} } },
        serverInfo: { name: 'edgewise', version: expect.any(String) },
        instructions: expect.stringMatching(/^This server .*Call describe first.*Publishing.*do not follow/),
      },
    ]);
  });

  it.each([undefined, ...LEGACY, ` ${LEGACY[0]} `])('may name its version in the header: %j', async (version) => {
    const headers: Headers = version === undefined ? {} : { 'MCP-Protocol-Version': version };
    const { status, body } = await legacy('tools/list', { a: 1 }, headers);
    const seen = { id: 1, method: 'tools/list', params: { a: 1 }, isModern: false, canElicit: false };
    expect([status, body?.result]).toEqual([200, { seen }]);
  });

  it('names no other version there', async () => {
    const sent = (method: string, version: string) => legacy(method, {}, { 'MCP-Protocol-Version': version });
    expect(await sent('tools/list', '2020-01-01')).toEqual(
      error(400, -32_022, 'Unsupported protocol version 2020-01-01', 1, {
        ...{ supported: LEGACY, requested: '2020-01-01' },
      }),
    );
    expect(await sent('initialize', MODERN)).toEqual(error(400, -32_020, `initialize is no method of ${MODERN}`));
    expect(await sent('tools/list', MODERN)).toEqual(
      error(400, -32_602, `Invalid params._meta. Expected ${META}protocolVersion`, 1, { path: 'params._meta' }),
    );
  });

  it.each([undefined, 'x', {}, { other: 1 }])('has no claim of a version in its body: %j', async (_meta) => {
    expect((await legacy('tools/list', { _meta })).body?.result).toMatchObject({ seen: { isModern: false } });
  });

  it('of a method that the server lacks gets an error that clients read, with 200', async () => {
    expect(await legacy('nothing')).toEqual(error(200, -32_601, 'Method not found: nothing', 1, { path: 'method' }));
    expect((await legacy('server/discover')).body?.result).toHaveProperty('seen');
  });
});

describe('of 2026-07-28, a message', () => {
  it.each<[object, string]>([
    [{ [`${META}protocolVersion`]: 1 }, 'protocolVersion'],
    [{ [`${META}clientCapabilities`]: undefined }, 'clientCapabilities'],
    [{ [`${META}clientCapabilities`]: [] }, 'clientCapabilities'],
  ])('has well-formed claims, unlike %j', async (claims, key) => {
    expect(await modern('tools/list', {}, claims)).toEqual(
      error(400, -32_602, `Invalid params._meta["${META}${key}"]`, 'a', { path: 'params._meta' }),
    );
  });

  it.each<[string, object, string, unknown, string]>([
    ['tools/list', {}, 'MCP-Protocol-Version', undefined, 'is missing'],
    ['tools/list', {}, 'MCP-Protocol-Version', LEGACY[0], 'differs from the body'],
    ['tools/list', {}, 'Mcp-Method', undefined, 'is missing'],
    ['tools/list', {}, 'Mcp-Method', 'tools/call', 'differs from the body'],
    ['tools/call', { name: 'find' }, 'Mcp-Name', undefined, 'is missing'],
    ['tools/call', { name: 'find' }, 'Mcp-Name', 'delete', 'differs from the body'],
    ['resources/read', { uri: 'a' }, 'Mcp-Name', undefined, 'is missing'],
    ['resources/read', { uri: 'a' }, 'Mcp-Name', 'b', 'differs from the body'],
  ])('to %s with %j repeats them in %s, which is not %j', async (method, params, header, value, problem) => {
    expect(await modern(method, params, {}, { 'Mcp-Name': undefined, [header]: value })).toEqual(
      error(400, -32_020, `The header ${header} ${problem}`, 'a', { header }),
    );
  });

  it.each(['find', ' find ', `=?base64?${btoa('find')}?=`, ` =?BASE64?${btoa('find')}?= `])(
    'may have its name in the header as %j',
    async (name) => {
      expect((await modern('tools/call', { name: 'find' }, {}, { 'Mcp-Name': name })).status).toBe(200);
    },
  );

  it('has no other version', async () => {
    const version = '2027-01-01';
    const sent = modern(
      ...(['tools/list', {}, { [`${META}protocolVersion`]: version }, { 'MCP-Protocol-Version': version }] as const),
    );
    expect(await sent).toEqual(
      error(400, -32_022, `Unsupported protocol version ${version}`, 'a', {
        ...{ supported: [MODERN], requested: version },
      }),
    );
  });

  it.each([
    [{}, false],
    [{ elicitation: true }, false],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { form: {}, url: {} } }, true],
  ])('of a client with %j lets the server ask a person: %j', async (capabilities, canElicit) => {
    const { body } = await modern('tools/list', {}, { [`${META}clientCapabilities`]: capabilities });
    expect(body?.result).toMatchObject({ seen: { id: 'a', method: 'tools/list', isModern: true, canElicit } });
  });

  it.each(['ping', 'initialize', 'nothing'])('to %s finds what the server has of it, or 404', async (method) => {
    const { status, body } = await modern(method);
    if (method !== 'nothing') expect(body?.result).toHaveProperty('seen');
    else expect([status, body?.error]).toMatchObject([404, { code: -32_601, data: { path: 'method' } }]);
  });

  it('discovers what the server can', async () => {
    expect((await modern('server/discover')).body?.result).toMatchObject({
      ...{ supportedVersions: [MODERN], capabilities: { tools: {}, resources: {} } },
      ...{ instructions: expect.stringMatching(/describe/), resultType: 'complete' },
    });
  });

  it.each([
    ...['tools/list', 'resources/list', 'resources/templates/list', 'resources/read', 'server/discover'].map(
      (method) => [method, { ttlMs: 60_000, cacheScope: 'private' }] as const,
    ),
    ['tools/call', {}] as const,
  ])('to %s gets a result that says for how long it may be kept: %j', async (method, kept) => {
    const { body } = await modern(method, { name: 'x', uri: 'x' }, {}, { 'Mcp-Name': 'x' });
    const { resultType, ttlMs, cacheScope, _meta } = (body?.result ?? {}) as Record<string, unknown>;
    expect([resultType, _meta]).toEqual([
      'complete',
      { [`${META}serverInfo`]: { name: 'edgewise', version: expect.any(String) } },
    ]);
    expect({ ttlMs, cacheScope }).toEqual({ ttlMs: undefined, cacheScope: undefined, ...kept });
  });
});

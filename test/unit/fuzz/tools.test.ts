/**
 * @module Wrong arguments of tools, and hostile messages: each is answered in the form of JSON-RPC, and an error of a tool
 * says where the mistake is.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { TOOLS } from '../../../src/features/mcp/tools.ts';
import { SETTINGS } from '../../fuzz/interference/settings.ts';
import { createWorld, type World } from '../../fuzz/interference/world.ts';
import { parameters, progress, timeout } from '../../fuzz/options.ts';
import { hostileText } from '../../generators/hostile.ts';
import { hostileValue } from '../../generators/hostile-values.ts';
import { samplesOf } from '../../support/tier.ts';

const TOKEN = 'full';

let world: World;

/** Calls of the long tier. */
const CALLS = 20_000;

beforeAll(async () => {
  world = await createWorld(SETTINGS);
}, timeout);

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** What is right by the schema, or nearly. */
function plausible(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (name === 'type' || name === 'types')
    return fc.constantFrom('stories', 'home', 'topics', 'Stories', 'api::story.story', 'users', '__proto__');
  if (name === 'documentId') return fc.constantFrom('nothing', '..', '.', 'a'.repeat(24), '');
  if (schema.properties) return objectOf(schema.properties);
  if (schema.items) return fc.array(plausible('', schema.items), { maxLength: 4 });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer();
  return hostileText;
}

const anyOf = (name: string, schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: plausible(name, schema) }, { weight: 1, arbitrary: hostileValue });

function objectOf(properties: Readonly<Record<string, Schema>>): fc.Arbitrary<object> {
  const values = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, anyOf(name, schema)]));
  const known = fc.record(values, { requiredKeys: Object.keys(values).filter((name) => name === 'type') });
  const more = fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toString', 'nope', ''), hostileValue, {
    maxKeys: 1,
  });
  return fc
    .tuple(known, fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: more }))
    .map(([own, others]) => ({ ...own, ...others }));
}

const calls = fc
  .constantFrom(...TOOLS)
  .chain(([name, { inputSchema }]) =>
    fc
      .oneof(
        { weight: 12, arbitrary: objectOf((inputSchema as Schema).properties ?? {}) as fc.Arbitrary<unknown> },
        { weight: 1, arbitrary: hostileValue },
      )
      .map((args) => ({ name, arguments: args })),
  );

/** Sends a text as the body. @returns the status, and the response as JSON */
async function post(body: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await world.send({ method: 'POST', path: '/mcp', headers, body }, TOKEN);
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${response.status} ${text.slice(0, 500)} for ${body.slice(0, 2_000)}`);
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  return { status: response.status, json: (text === '' ? undefined : JSON.parse(text)) as any };
}

it('wrong arguments are an error with a path, or a result', { timeout: 4 * timeout }, async () => {
  const tick = progress('tools');
  let errors = 0;
  const property = fc.asyncProperty(calls, async (params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { status, json } = await post(body);
    // A body that is too long or too deep is no message: the error names the body as a whole.
    if (status === 413 || status === 400) {
      expect([status, json.error.message]).toEqual([status, expect.stringMatching(/./)]);
      return;
    }
    expect([body, status, json.id]).toEqual([body, 200, 1]);
    const { isError, structuredContent, content } = json.result;
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    tick();
    if (!isError) return;
    errors += 1;
    const { path, message, status: refused = 400 } = structuredContent.error;
    expect([body, refused < 500]).toEqual([body, true]);
    expect([body, typeof path, typeof message]).toEqual([body, 'string', 'string']);
    expect([body, path === '']).toEqual([body, false]);
  });
  const runs = parameters('tools', { sample: samplesOf(CALLS, 0.02), length: 1 });
  await fc.assert(property, runs);
  expect(errors).toBeGreaterThan(runs.numRuns / 4);
});

const META = 'io.modelcontextprotocol/';
const metas = fc.oneof(
  fc.constant({ [`${META}protocolVersion`]: '2026-07-28', [`${META}clientCapabilities`]: { elicitation: {} } }),
  fc.record(
    { [`${META}protocolVersion`]: hostileValue, [`${META}clientCapabilities`]: hostileValue, __proto__: hostileValue },
    { requiredKeys: [] },
  ),
  hostileValue,
);
const METHODS = ['initialize', 'ping', 'server/discover', 'tools/list', 'tools/call', 'resources/list'];
const methods = fc.constantFrom(...METHODS, 'resources/read', 'notifications/initialized', '__proto__', '');
const params = fc.record(
  {
    _meta: metas,
    name: fc.oneof(fc.constantFrom('describe', 'delete'), hostileValue),
    arguments: fc.oneof(fc.constant({ type: 'stories' }), hostileValue),
    uri: fc.oneof(fc.constantFrom('edgewise://guide', 'edgewise://types/stories'), hostileValue),
    protocolVersion: hostileValue,
    requestState: hostileValue,
    inputResponses: hostileValue,
  },
  { requiredKeys: [] },
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: hostileValue }),
    id: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: hostileValue }),
    method: fc.oneof({ weight: 9, arbitrary: methods }, { weight: 1, arbitrary: hostileValue }),
    params: fc.oneof({ weight: 9, arbitrary: params }, { weight: 1, arbitrary: hostileValue }),
  },
  { requiredKeys: ['jsonrpc'] },
);
const headerText = fc
  .oneof(fc.constantFrom('2026-07-28', '2025-06-18', ...METHODS, '=?base64?/w==?=', '=?base64?%?=', ''), fc.string())
  .map((text) => text.replaceAll(/[^\x20-\x7e]/g, ''));
const headers = fc.record(
  { 'mcp-protocol-version': headerText, 'mcp-method': headerText, 'mcp-name': headerText },
  { requiredKeys: [] },
);
const bodies = fc.oneof(
  { weight: 8, arbitrary: message.map((each) => JSON.stringify(each)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((each) => JSON.stringify(each)) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.string(),
      hostileValue.map((each) => JSON.stringify(each)),
    ),
  },
);

it('hostile messages are answered as JSON-RPC', { timeout: 4 * timeout }, async () => {
  let results = 0;
  const property = fc.asyncProperty(bodies, headers, async (body, given) => {
    const { status, json } = await post(body, given);
    if (status === 202) return void expect(json).toBeUndefined();
    if (status === 413 || json.data === null) return void expect(json.error.name).toMatch(/Error$/);
    expect([body, json.jsonrpc]).toEqual([body, '2.0']);
    expect([body, 'result' in json, 'error' in json]).toEqual([
      body,
      status === 200 && !('error' in json),
      !('result' in json),
    ]);
    if ('result' in json) results += 1;
    if (json.error) expect([body, Number.isInteger(json.error.code)]).toEqual([body, true]);
  });
  const runs = parameters('messages', { sample: samplesOf(4_000, 0.05), length: 1 });
  await fc.assert(property, runs);
  // Few of a sample are right in all parts.
  if (runs.numRuns >= 4_000) expect(results).toBeGreaterThan(0);
});

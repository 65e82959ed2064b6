/**
 * @module `POST /mcp` as HTTP: who may send what from where; and `/llms.txt`, which says what there is for the caller.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { serveRegistry } from '../../support/app.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { bearer, createToken, recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openMagazine } from '../../support/world.ts';

const APP = 'https://app.example.com';
const SETTINGS: SettingsInput = { mcp: true, cors: { origins: [APP] } };
const { send } = openMagazine(SETTINGS);

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const message = (headers: object, body: object = PING) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers } as HeadersInit,
  body: JSON.stringify(body),
});
const error = (code: number, text: string) => ({ jsonrpc: '2.0', id: null, error: { code, message: text } });

describe('a message', () => {
  it.each([
    ['https://edgewise.test/mcp', undefined],
    ['https://edgewise.test/mcp', 'https://edgewise.test'],
    ['https://edgewise.test/mcp', APP],
    ['http://edgewise.test/mcp', APP],
  ])('to %s is taken from %s', async (address, origin) => {
    const response = await send(address, message(origin === undefined ? {} : { origin }));
    expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it.each([
    ['https://edgewise.test/mcp', 'https://evil.example'],
    ['https://edgewise.test/mcp', 'http://edgewise.test'],
    ['http://edgewise.test/mcp', 'http://edgewise.test'],
    ['https://edgewise.test/mcp', 'null'],
  ])('to %s is refused from %s', async (address, origin) => {
    const response = await send(address, message({ origin }));
    expect([response.status, await response.json()]).toEqual([403, error(-32_000, `Forbidden origin ${origin}`)]);
  });

  it.each([
    ['application/json', 200],
    ['Application/JSON ; charset=utf-8', 200],
    ['application/json-rpc', 415],
    ['text/plain', 415],
    ['', 415],
  ])('of the type %j has the status %i', async (type, status) => {
    const response = await send('/mcp', message({ 'content-type': type }));
    expect(response.status).toBe(status);
    if (status === 415)
      expect(await response.json()).toEqual(error(-32_000, 'Expected Content-Type: application/json'));
  });

  it('that fails for another reason than its credential asks for none', async () => {
    vi.spyOn(console, 'error').mockImplementationOnce(() => undefined);
    const fail = () => Promise.reject(new Error('D1_ERROR: disk I/O error'));
    const failing = serve(SETTINGS, { DB: interleavedDatabase(env.DB, 0, fail) });
    const list = { ...PING, method: 'tools/list' };
    const response = await failing('/mcp', message(bearer('full').headers as object, list));
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([500, null]);
    const ended = await send('/mcp', message(bearer('ended').headers as object, list));
    expect([ended.status, ended.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it.each([
    ['/mcp', 'GET', 'POST'],
    ['/mcp', 'DELETE', 'POST'],
    ['/llms.txt', 'POST', 'GET'],
  ])('to %s is sent by no other method, such as %s', async (path, method, allow) => {
    const response = await send(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });
});

describe('/llms.txt', () => {
  const textOf = async (input: object, token?: string) => {
    const response = await serveRegistry(recordedRegistry, { ...SETTINGS, ...input })(
      '/llms.txt',
      token === undefined ? {} : bearer(token),
    );
    expect([response.status, response.headers.get('vary')]).toEqual([200, expect.stringMatching(/Authorization/i)]);
    return response.text();
  };
  const linkOf = (name: string) => {
    const type = recordedRegistry.contentTypes.get(`api::${name}.${name}`);
    const path = type?.kind === 'singleType' ? type.singularName : type?.pluralName;
    return `- [${type?.displayName}](/api/${path})${type?.description ? `: ${type.description}` : ''}\n`;
  };

  it('names what the caller may read, and where more is', async () => {
    const roles = { public: ['api::article.article.find', 'api::tag.tag.findOne', 'api::author.author.create'] };
    const text = await textOf({ roles });
    expect(text).toBe(
      `# Content API\n\n${text.split('\n')[2]}\n\n## Content types\n\n${linkOf('article')}${linkOf('tag')}\n## More\n\n` +
        '- [OpenAPI](/openapi.json): every operation\n- [MCP](/mcp): tools for agents, by POST\n',
    );
    expect(text.split('\n')[2]).toMatch(/^> Content of a site as JSON.*`populate`, `filters`/);
  });

  it('describes a type as its file does', async () => {
    const described = registryOf([contentType('page', {}, { description: 'What the site says of itself' })]);
    const response = await serveRegistry(described, { ...SETTINGS, roles: { public: ['api::page.page.find'] } })(
      '/llms.txt',
    );
    expect(await response.text()).toContain('](/api/pages): What the site says of itself\n');
  });

  it('names no type where the caller may read none, and no description where there is none', async () => {
    const text = await textOf({ server: { openapi: false } });
    expect(text).not.toContain('## Content types');
    expect(text).not.toContain('OpenAPI');
    expect(text).toMatch(/## More\n\n- \[MCP\]\(\/mcp\)/);
  });

  it('is for the rights that a credential has now', async () => {
    await createToken('tags', 'custom', ['api::tag.tag.find']);
    expect(await textOf({}, 'tags')).toContain(linkOf('tag'));
    await env.DB.prepare(`delete from strapi_api_tokens where name = 'tags'`).run();
    expect((await send('/llms.txt', bearer('tags'))).status).toBe(401);
    const list = sendJson('POST', 'tags', { ...PING, method: 'tools/list' });
    expect((await send('/mcp', list)).status).toBe(401);
  });
});

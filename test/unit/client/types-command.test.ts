/**
 * @module `npx edgewise-client types`, against a server that has a description.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { only } from '../../../src/access/grants.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { demoRegistry } from '../../support/demo-registry.ts';
import { describeApi } from '../../support/describe-api.ts';

const COMMAND = join(import.meta.dirname, '../../../client/types-command.ts');
const described = (...actions: readonly string[]) => describeApi(demoRegistry, parseSettings({}), only(actions));

/** Bodies by path; `/api` is an API, with another description for a token. */
const RESPONSES: Readonly<Record<string, string>> = {
  '/openapi.json': JSON.stringify({ ...described('api::author.author.find'), 'x-role': 'public' }),
  '/full/openapi.json': JSON.stringify(described('api::author.author.find', 'api::author.author.create')),
  '/odd/openapi.json': JSON.stringify({ ...described(), 'x-role': 'x"\nexport const evil = 1;' }),
  '/other/openapi.json': JSON.stringify({ openapi: '3.1.0', paths: {} }),
  '/page/openapi.json': '<html>',
};

let server: Server;
let url: string;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-types-command-'));
  server = createServer(({ url: path = '', headers }, response) => {
    if (headers.authorization === 'Bearer wrong') response.statusCode = 401;
    else if (path.startsWith('/full') && headers.authorization !== 'Bearer right') response.statusCode = 403;
    else if (!RESPONSES[path]) response.statusCode = 404;
    response.end(RESPONSES[path]);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const run = (...args: readonly string[]) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

const written = (path = 'types/content-types.d.ts') => readFileSync(join(folder, path), 'utf8');

describe('edgewise-client types', () => {
  it('writes what the public may see, and says so', async () => {
    expect(await run('types', '--from', `${url}/`)).toEqual({
      code: 0,
      stdout: 'wrote types/content-types.d.ts\n',
      stderr: '',
    });
    const [from, sees] = written().split('\n');
    expect(from).toBe(
      `// Generated from ${url}/openapi.json by \`npx edgewise-client types\`: edits to this file are lost.`,
    );
    expect(sees).toBe('// It has what the role "public" may see: what that caller may not find is absent.');
    expect(written()).toMatch(/authors: \{.*create: never/);
    expect(written()).not.toContain('articles: {');
  });

  it('writes what a token may see, to a file of another name', async () => {
    const { code } = await run('types', '--from', `${url}/full`, '--token', 'right', '--out', 'src/api.d.ts');
    expect(code).toBe(0);
    expect(written('src/api.d.ts')).toMatch(/^\/\/ It has what the token may see/m);
    expect(written('src/api.d.ts')).toMatch(/authors: \{.*create: AuthorInput/);
  });

  it('writes no declarations that the name of a role brings', async () => {
    expect((await run('types', '--from', `${url}/odd`)).code).toBe(0);
    expect(written().split('\n')[1]).toBe(
      '// It has what the public may see: what that caller may not find is absent.',
    );
    expect(written()).not.toContain('evil');
  });

  it.each([
    [['--from', '/wrong', '--token', 'wrong'], '/wrong/openapi.json: the token is not valid'],
    [['--from', '/nothing'], '/nothing/openapi.json: 404 Not Found'],
    [['--from', '/page'], '/page/openapi.json: this is no JSON; expected the description of an Edgewise API'],
    [['--from', '/other'], '/other/openapi.json: expected x-content-types, which Edgewise has since 0.2'],
  ])('names the address of %j, and what is wrong there', async ([flag = '', path, ...rest], message) => {
    expect(await run('types', flag, url + path, ...rest)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${url}${message}\n`,
    });
  });

  it('names an address that nobody answers at', async () => {
    const { code, stderr } = await run('types', '--from', 'http://127.0.0.1:9');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/openapi\.json: \S/)]);
  });

  it.each([
    [[], 'expected the command "types"'],
    [['types'], '--from is missing'],
    [['types', '--from', 'api.example.com'], '--from: expected a URL, received "api.example.com"'],
    [['types', '--nope'], "Unknown option '--nope'"],
  ])('rejects %j with exit code 2, and shows how it is used', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^${message.replace(/[()]/g, '\\$&')}[^]*Usage: edgewise-client types`));
  });
});

/**
 * @module Commands beside `npm run dev`, while somebody writes: three processes and one local database.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../cli/core/local-server.ts';
import { type Clone, cleanClone, interrupt, type Running } from './clone.ts';

const MINUTES = 180_000;

interface Writer {
  count(): number;
  /** What was refused, or was no answer. */
  stop(): Promise<readonly string[]>;
}

/** Writes documents and files, one after the other. @param rest milliseconds between two documents. */
function startWriting(origin: string, token: string, rest: number): Writer {
  const authorization = `Bearer ${token}`;
  const failures: string[] = [];
  let count = 0;
  let stopped = false;
  const send = async (path: string, init: RequestInit) => {
    try {
      const answer = await fetch(`${origin}/api/${path}`, { method: 'POST', ...init });
      const text = await answer.text();
      if (!answer.ok) failures.push(`${path}: ${answer.status} ${text}`);
      count += 1;
    } catch (error) {
      failures.push(`${path}: ${String((error as Error).cause ?? error)}`);
    }
  };
  const write = async () => {
    for (let place = 0; !stopped; place += 1) {
      const data = { name: `Author ${place}`, slug: randomUUID() };
      await send('authors', {
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ data }),
      });
      const form = new FormData();
      form.append('files', new Blob([`text ${place}`], { type: 'text/plain' }), `note-${place}.txt`);
      await pause(rest);
      if (place % 10 === 0) await send('upload', { headers: { authorization }, body: form });
    }
  };
  const writing = write();
  return {
    count: () => count,
    async stop() {
      stopped = true;
      await writing;
      return failures;
    },
  };
}

describe('beside npm run dev', { timeout: MINUTES }, () => {
  let clone: Clone;
  let server: Running;
  let origin: string;
  let token: string;
  const edgewise = (...args: readonly string[]) => clone.run('npx', 'edgewise', ...args);

  beforeAll(async () => {
    clone = cleanClone();
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    server = clone.start('npm', 'run', 'dev', '--', '--port', String(port));
    await server.says('Ctrl-C stops the server', 120_000);
    const { output } = await edgewise('token', 'create', '--name', 'w', '--type', 'full-access');
    token = /[0-9a-f]{64}/.exec(output)?.[0] ?? output;
  }, MINUTES);
  afterAll(async () => {
    await interrupt(server);
    clone.remove();
  });

  it.each([
    // It begins again where somebody writes to what it has read.
    ['a backup', ['backup', '--file', 'backup.tar.gz'], 'backup.tar.gz', 1_000],
    ['an export', ['export', '--file', 'archive.tar.gz'], 'strapi import', 0],
    ['a check of the media', ['media'], 'object', 0],
    ['a look at what an import would do', ['import', 'archive.tar.gz', '--replace', '--dry-run'], 'Would', 0],
  ])(
    '%s is made while documents and files are written, and no write is refused for it',
    async (_, args, says, rest) => {
      const writer = startWriting(origin, token, rest);
      const { code, output } = await edgewise(...args);
      const failures = await writer.stop();
      expect(output).toContain(says);
      expect({ code, failures }, output).toEqual({ code: 0, failures: [] });
      expect(writer.count()).toBeGreaterThan(2);
    },
  );

  it('lists what the database has as JSON, and shows the requests of clients alone', async () => {
    const status = await edgewise('migrate', '--status', '--json');
    expect(JSON.parse(status.output)).toMatchObject({ database: 'local database', pending: [], unknown: [] });
    const tokens = await edgewise('token', 'list', '--json');
    expect(JSON.parse(tokens.output)).toContainEqual(expect.objectContaining({ name: 'w', type: 'full-access' }));
    expect(server.output()).toContain('/api/');
    expect(server.output()).not.toContain('favicon');
  });

  it('is built without a change of what is served, which still explains rights', async () => {
    const message = async () => {
      const response = await fetch(`${origin}/api/authors`, { method: 'POST', body: '{"data":{}}' });
      return ((await response.json()) as { error: { message: string } }).error.message;
    };
    const before = await message();
    expect(before).toContain('api::author.author.create');
    const reloads = () => server.output().split('Reloading').length;
    const first = reloads();
    const { code, output } = await edgewise('build');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('wrote .edgewise/') });
    expect([await message(), reloads()]).toEqual([before, first]);
  });

  it.each([
    ['restore', ['restore', 'backup.tar.gz', '--replace']],
    ['import', ['import', 'archive.tar.gz', '--replace']],
    ['media check --fix', ['media', 'check', '--fix', '--yes', '0']],
    ['media check --purge', ['media', 'check', '--purge', '--yes', '0']],
  ])('npx edgewise %s says in one line that the server is to be stopped first', async (_, args) => {
    const { code, output } = await edgewise(...args);
    expect(output.trim().split('\n').at(-1)).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+ serves this project \(process \d+\); stop npm run dev first$/,
    );
    expect(code).toBe(1);
  });
});

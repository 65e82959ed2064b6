import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { assertTogether, tokenFor } from '../../../../src/cli/import/options.ts';
import { baseOf, isUnencrypted } from '../../../../src/cli/strapi/address.ts';
import { UserError } from '../../../../src/cli/terminal.ts';
import { type FakeStrapi, fakeStrapi } from '../../../support/fake-strapi.ts';
import { MAGAZINE } from '../import/magazine.ts';
import { type ReadOptions, read, TOKEN } from './read.ts';

let strapi: FakeStrapi;

beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(() => vi.restoreAllMocks());
beforeEach(async () => {
  strapi = await fakeStrapi(structuredClone(MAGAZINE));
});
afterEach(() => strapi.close());

const refusal = (options?: ReadOptions): Promise<string> =>
  read(strapi, options).then(
    () => 'read',
    (error: unknown) => {
      if (!(error instanceof UserError)) throw error;
      expect(error.message).not.toContain(TOKEN);
      return error.message;
    },
  );

/** Paths that begin so are answered with a status, a body and headers. */
function answer(path: string, status: number, body = '', headers: Record<string, string> = {}): void {
  strapi.intercept = (url, _, response) => {
    if (!`${url.pathname}${url.search}`.startsWith(path)) return false;
    response.writeHead(status, headers).end(body);
    return true;
  };
}

describe('a token', () => {
  it('that is not valid is told so', async () => {
    answer('/api/', 401);
    expect(await refusal()).toMatch(/the token is not valid there/);
  });

  it('that may not read everything is told of every grant that it lacks, before anything is read', async () => {
    strapi.intercept = ({ pathname }, _, response) => {
      if (!['/api/tags', '/api/users', '/api/i18n/locales'].includes(pathname)) return false;
      response.writeHead(403).end('{}');
      return true;
    };
    const message = await refusal();
    for (const grant of [
      'api::tag.tag.find',
      'plugin::users-permissions.user.find',
      'plugin::i18n.locales.listLocales',
    ])
      expect(message).toContain(grant);
    expect(message).not.toContain('api::article.article.find');
    expect(strapi.requests.filter(({ path }) => path.includes('populate'))).toEqual([]);
  });

  it('that may not read content types is told of that grant', async () => {
    answer('/api/content-type-builder/content-types', 403);
    expect(await refusal()).toMatch(/plugin::content-type-builder\.content-types\.getContentTypes/);
  });

  it('cannot read a content type whose route is switched off, which is named', async () => {
    answer('/api/tags', 404);
    expect(await refusal()).toMatch(/has no address in its API for api::tag\.tag/);
  });

  it('never follows a redirect, to another host or to the same one', async () => {
    const asked: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.end('{"data":[]}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    answer('/api/content-type-builder/components', 307, '', {
      location: `${origin}/api/content-type-builder/components`,
    });
    expect(await refusal()).toContain(`leads to ${origin}, and the token is not sent on`);
    answer('/api/articles', 301, '', { location: '/api/articles/' });
    expect(await refusal()).toMatch(/leads to/);
    expect(asked).toEqual([]);
    await new Promise((resolve) => other.close(resolve));
  });

  it('is asked for, must be one, and is never part of an address', () => {
    expect(() => tokenFor({ backup: true, token: '' })).toThrow(/EDGEWISE_IMPORT_TOKEN/);
    expect(() => tokenFor({ backup: true, token: 'a\nb' })).toThrow(/characters/);
    expect(() => baseOf('https://user:secret@cms.example.com')).toThrow(/no user and no password/);
    expect(() => baseOf('https://user:secret@cms.example.com')).not.toThrow(/secret/);
    expect(baseOf('https://cms.example.com/cms/api/')).toBe('https://cms.example.com/cms');
    expect(isUnencrypted('http://cms.example.com')).toBe(true);
    expect(isUnencrypted('http://127.0.0.1:1337')).toBe(false);
  });

  it('goes with an address, and --deletions with --since or --merge', () => {
    expect(() => assertTogether(false, { backup: true, since: '2026-01-01' })).toThrow(/address of a running Strapi/);
    expect(() => assertTogether(true, { backup: true, deletions: true })).toThrow(/--since or --merge/);
    expect(() => assertTogether(true, { backup: true, since: '2026-01-01', replace: true })).toThrow(/--replace/);
  });
});

describe('a server', () => {
  it('that is no Strapi is told so', async () => {
    answer('/api/', 200, '<html>');
    expect(await refusal()).toMatch(/no JSON: is it a Strapi\?/);
    answer('/api/', 404);
    expect(await refusal()).toMatch(/has no address in its API for the content types/);
  });

  it.each([
    ['content types that are none', '/api/content-type-builder/content-types', '{"data":[{"uid":7}]}'],
    ['components without attributes', '/api/content-type-builder/components', '{"data":[{"uid":"a.b","schema":{}}]}'],
    ['documents that are no list', '/api/tags?filters', '{"data":{"id":1}}'],
    ['documents without ids', '/api/tags?filters', '{"data":[{"name":"x"}]}'],
    ['users in an envelope', '/api/users?filters', '{"data":[]}'],
    ['locales that are none', '/api/i18n/locales', '[{"id":1}]'],
    ['roles that are none', '/api/users-permissions/roles', '[]'],
  ])('with %s is refused', async (_, path, body) => {
    answer(path, 200, body);
    expect(await refusal()).toMatch(/does not answer as Strapi 5 does/);
  });

  it('whose pages do not go on is left', async () => {
    answer('/api/tags?filters', 200, '{"data":[{"id":7,"documentId":"same"}],"meta":{"pagination":{"total":1}}}');
    expect(await refusal()).toMatch(/does not come to an end: behind the row 7 it shows 7/);
  });

  it('whose pages never end is left when it has shown far more than it has', async () => {
    strapi.intercept = (url, _, response) => {
      if (!`${url.pathname}${url.search}`.startsWith('/api/tags?filters')) return false;
      const after = Number(url.searchParams.get('filters[id][$gt]'));
      const data = Array.from({ length: 5_000 }, (_item, index) => ({
        id: after + index + 1,
        documentId: `d${index}`,
      }));
      response.end(JSON.stringify({ data, meta: { pagination: { total: 12 } } }));
      return true;
    };
    expect(await refusal()).toMatch(/does not come to an end: it has shown 15000 rows/);
  });

  it('whose answers are too large is asked for less at once, and left when one document is', async () => {
    const body = 'x'.repeat(3_000);
    const rows = Array.from({ length: 40 }, (_, index) => ({
      type: 'api::tag.tag',
      id: 100 + index,
      data: { documentId: `tag${index}`, name: body, publishedAt: '2026-01-01T00:00:00.000Z' },
    }));
    strapi.content = { ...MAGAZINE, entities: [...(MAGAZINE.entities ?? []), ...rows] };
    expect(await refusal({ mostBytes: 30_000 })).toBe('read');
    expect(await refusal({ mostBytes: 2_500 })).toMatch(/answers with more than 2500 bytes at once/);
  });

  it('that sends bytes without end is cut off', async () => {
    let sent = 0;
    strapi.intercept = ({ pathname }, _, response) => {
      if (pathname !== '/api/content-type-builder/components') return false;
      const chunk = Buffer.alloc(1024 * 1024, 32);
      const send = (): void => {
        while (!response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', send);
        }
      };
      send();
      return true;
    };
    expect(await refusal()).toMatch(/answers with more than \d+ bytes at once/);
    expect(sent).toBeLessThan(80 * 1024 * 1024);
  });

  it('that is busy is asked again, later and later, or when it says', async () => {
    let left = 3;
    strapi.intercept = ({ pathname }, _, response) => {
      if (pathname !== '/api/users' || left === 0) return false;
      left -= 1;
      response.writeHead(left === 2 ? 429 : 503, left === 2 ? { 'retry-after': '7' } : {}).end();
      return true;
    };
    const { pauses } = await read(strapi);
    expect(pauses).toHaveLength(3);
    expect(pauses[0]).toBe(7_000);
    expect(pauses[2]).toBeGreaterThan(pauses[1] ?? 0);
  });

  it('that stays busy, or cannot be reached, is left', async () => {
    answer('/api/users', 503);
    expect(await refusal()).toMatch(/answers 503; it was tried 6 times/);
    await strapi.close();
    expect(await refusal()).toMatch(/cannot be reached: ECONNREFUSED; it was tried 6 times/);
  });

  it('that breaks off in the middle of an answer is asked again', async () => {
    let broken = false;
    strapi.intercept = ({ pathname }, _, response) => {
      if (pathname !== '/api/tags' || broken) return false;
      broken = true;
      response.writeHead(200, { 'content-length': '1000' }).write('{"data":');
      setTimeout(() => response.destroy(), 20);
      return true;
    };
    expect((await read(strapi)).pauses).toHaveLength(1);
  });
});

describe('a file', () => {
  it('whose bytes are not there is taken without them', async () => {
    answer('/uploads/t_a_1.png', 404);
    const { remarks } = await read(strapi);
    expect(remarks.join('\n')).toMatch(/bytes that the server does not have/);
  });

  it('whose name leads somewhere else is not taken', async () => {
    const [file, ...others] = structuredClone(MAGAZINE.entities ?? []) as { data: Record<string, unknown> }[];
    strapi.content = { ...MAGAZINE, entities: [{ ...file, data: { ...file?.data, hash: '../../evil' } }, ...others] };
    const { remarks } = await read(strapi);
    expect(remarks.join('\n')).toMatch(/whose name cannot be served/);
  });

  it('with far more bytes than the server says of it ends the reading', async () => {
    strapi.intercept = ({ pathname }, _, response) => {
      if (pathname !== '/uploads/a_1.PNG') return false;
      const chunk = Buffer.alloc(4 * 1024 * 1024);
      const send = (): void => {
        while (!response.destroyed) if (!response.write(chunk)) return void response.once('drain', send);
      };
      send();
      return true;
    };
    expect(await refusal()).toMatch(/a_1\.PNG has more bytes than the server says of it/);
  });
});

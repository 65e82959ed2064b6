import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newRemarks } from '../../../../src/cli/import/remarks.ts';
import { strapiClient } from '../../../../src/cli/strapi/client.ts';
import { fileAddresses } from '../../../../src/cli/strapi/file-address.ts';
import { readServer } from '../../../../src/cli/strapi/read-server.ts';
import { print, progress, UserError } from '../../../../src/cli/terminal.ts';
import { type FakeStrapi, fakeStrapi, type Intercept } from '../../../support/fake-strapi.ts';
import { fileOf, importBytes } from '../import/imported.ts';
import { MAGAZINE, tag } from '../import/magazine.ts';
import { type ReadOptions, read, TOKEN } from './read.ts';

let strapi: FakeStrapi;
let other: Server;
let origin: string;
let asked: { readonly url: string; readonly token: string | undefined }[];

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  other = createServer((request, response) => {
    asked.push({ url: request.url ?? '', token: request.headers.authorization });
    response.end('bytes of another host');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(async () => {
  vi.restoreAllMocks();
  await new Promise((resolve) => other.close(resolve));
});
beforeEach(async () => {
  asked = [];
  strapi = await fakeStrapi(structuredClone(MAGAZINE));
});
afterEach(() => strapi.close());

/** What a reading says; it says it in one line, without a secret, and leaves nothing that looks whole. */
async function refusal(options: ReadOptions = {}, timeout = 20_000): Promise<string> {
  const path = join(dirname(fileOf(Buffer.alloc(0))), `hostile-${Math.random()}`, 'read.tar.gz');
  const { mostBytes, ...rest } = options;
  const client = strapiClient({
    ...{ base: strapi.base, token: TOKEN, pause: async () => undefined, timeout },
    ...(mostBytes !== undefined && { mostBytes }),
  });
  const reading = { client, path, remarks: newRemarks(), deletions: false, files: true, config: true, ...rest };
  try {
    await readServer(reading);
    return 'read';
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error.message).not.toContain(TOKEN);
    expect(error.message).not.toMatch(/\n|secret/);
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(dirname(path))).toEqual([]);
    return error.message;
  }
}

const at = (path: string, answer: (...args: Parameters<Intercept>) => unknown): void => {
  strapi.intercept = (url, request, response) => {
    if (!`${url.pathname}${url.search}`.startsWith(path)) return false;
    return answer(url, request, response) !== false;
  };
};
const json = (path: string, value: unknown): void =>
  at(path, (_url, _, response) => response.end(typeof value === 'string' ? value : JSON.stringify(value)));

type Values = Record<string, unknown>;

/** The file of the magazine with other values, in the first place. */
function file(values: Values): void {
  const [first, ...others] = structuredClone(MAGAZINE.entities ?? []) as { data: Values }[];
  strapi.content = { ...MAGAZINE, entities: [{ ...first, data: { ...first?.data, ...values } }, ...others] };
}

/** The address of each file, as the server says it. */
function filesAt(url: string, values: Values = {}): void {
  at('/api/upload/files?filters', (given, _, response) => {
    const after = Number(given.searchParams.get('filters[id][$gt]'));
    const row = { id: 3, documentId: 'file1', name: 'a', hash: 'a_1', ext: '.png', mime: 'image/png', url, ...values };
    response.end(JSON.stringify(after < 3 ? [row] : []));
  });
}

const bytesIn = async (options: ReadOptions = {}): Promise<string> => {
  const { bytes, remarks } = await read(strapi, options);
  const { taken } = await importBytes(bytes);
  return [`${taken.files} object(s)`, ...remarks].join('\n');
};

describe('a hostile server does not learn more', () => {
  it('of the token, when a file or an answer lies elsewhere', async () => {
    filesAt(`${origin}/a.png`);
    expect(await bytesIn()).toMatch(/^1 object/);
    strapi.intercept = ({ pathname }, _, response) => {
      if (!pathname.startsWith('/uploads/')) return false;
      response.writeHead(302, { location: `${origin}${pathname}` }).end();
      return true;
    };
    await read(strapi);
    expect(asked.map(({ token }) => token)).toEqual(asked.map(() => undefined));
    expect(asked.length).toBeGreaterThan(1);
  });

  it.each([
    ['file:///etc/passwd'],
    ['data:text/plain,abc'],
    ['ftp://127.0.0.1/x'],
    ['http://user:secret@127.0.0.1/x'],
    ['http://[1'],
    [''],
  ])('by a file at %s, which is not asked for', async (url) => {
    filesAt(url);
    expect(await bytesIn()).toMatch(/^0 object\(s\)[\s\S]*a file whose address is none that is asked/);
  });

  it('of what lies inside the network of who imports', async () => {
    const mayAsk = fileAddresses('https://93.184.216.34');
    for (const url of [
      'http://127.0.0.1/x',
      'http://localhost:8080/x',
      'http://a.localhost/x',
      'http://169.254.169.254/latest/meta-data',
      'http://10.1.2.3/x',
      'http://172.31.0.1/x',
      'http://192.168.0.1/x',
      'http://[::1]/x',
      'http://[::ffff:127.0.0.1]/x',
      'http://[fd00::1]/x',
      'http://0x7f000001/x',
      'http://2130706433/x',
    ])
      expect(await mayAsk(url), url).toBe(false);
    for (const url of ['https://93.184.216.34/x', 'https://8.8.8.8/x']) expect(await mayAsk(url), url).toBe(true);
    // Who imports from a server inside knows that it is there.
    expect(await fileAddresses('http://192.168.0.5:1337')('http://192.168.0.6:9000/bucket/x')).toBe(true);
  });

  it('by redirects of a file that never end, or lead to what is no file', async () => {
    let hops = 0;
    at('/uploads/', (_url, _, response) => {
      hops += 1;
      response.writeHead(302, { location: `/uploads/${hops}` }).end();
    });
    expect(await bytesIn()).toMatch(/^0 object\(s\)[\s\S]*bytes that the server does not have/);
    expect(hops).toBeLessThan(20);
    at('/uploads/', (_url, _, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end());
    expect(await bytesIn()).toMatch(/^0 object\(s\)/);
  });
});

describe('a hostile file', () => {
  it.each([['..'], ['.'], ['../../x'], ['a/b'], [''], [7], [{}], [undefined]])(
    'called %j is not taken, and counted',
    async (hash) => {
      filesAt('/uploads/a_1.PNG', { hash, ext: '' });
      expect(await bytesIn()).toMatch(/^0 object\(s\)[\s\S]*whose name cannot be served/);
    },
  );

  it('that has not as many bytes as was said, such as the page of a proxy, is counted', async () => {
    file({ size: 500 });
    at('/uploads/a_1.PNG', (_url, _, response) => response.end('<html>Sign in</html>'));
    expect((await read(strapi)).remarks.join('\n')).toMatch(/not as many bytes as the server says/);
  });

  it('that says it is 10 GB, and is not, takes no more room than it has', async () => {
    file({ size: 10_000_000 });
    expect(await bytesIn()).toMatch(/not as many bytes as the server says/);
  });

  it('that is a bomb of gzip is cut off', async () => {
    const bomb = gzipSync(Buffer.alloc(150 * 1024 * 1024));
    at('/uploads/a_1.PNG', (_url, _, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    expect(await refusal()).toMatch(/a_1\.PNG has more bytes than the server says of it/);
  });

  it('that breaks off is asked for again, and is whole then', async () => {
    let broken = false;
    at('/uploads/a_1.PNG', (_url, _, response) => {
      if (broken) return false;
      broken = true;
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setTimeout(() => response.destroy(), 20);
      return true;
    });
    const { bytes, pauses } = await read(strapi);
    expect(pauses).toHaveLength(1);
    expect((await importBytes(bytes)).taken.files).toBe(2);
  });

  it('that stops coming is left', async () => {
    at('/uploads/a_1.PNG', (_url, _, response) => void response.writeHead(200).write('half'));
    expect(await refusal({}, 300)).toMatch(
      /\/uploads\/a_1\.PNG cannot be reached: nothing came for 0\.3 s; it was tried 6/,
    );
  });

  it('with thousands of formats is asked for a few at once', async () => {
    let open = 0;
    let most = 0;
    strapi.intercept = ({ pathname }, _, response) => {
      if (!pathname.startsWith('/uploads/f')) return false;
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end('x');
      }, 5);
      return true;
    };
    const format = (index: number) => ({ hash: `f${index}`, ext: '.png', mime: 'image/png', url: '/x' });
    file({ formats: Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, format(index)])) });
    expect(await bytesIn()).toMatch(/^30[0-9] object/);
    expect(most).toBeLessThan(10);
  });
});

describe('a broken server is told in one line', () => {
  it('that shows a page to sign in, wherever it comes up', async () => {
    at('/api/articles?filters', (_url, _, response) =>
      response.setHeader('content-type', 'text/html').end('<html><form action="/login"><input value="secret">'),
    );
    expect(await refusal()).toMatch(/\/api\/articles answers with something that is no JSON: is it a Strapi\?$/);
  });

  it('that takes the token back in the middle', async () => {
    let count = 0;
    at('/api/articles?filters', (_url, _, response) => {
      count += 1;
      return count > 1 ? response.writeHead(401).end('{"error":"secret"}') : false;
    });
    expect(await refusal()).toMatch(/\/api\/articles: the token is not valid there, or no longer/);
  });

  it('that never answers', async () => {
    at('/api/users?filters', () => undefined);
    expect(await refusal({}, 300)).toMatch(/\/api\/users cannot be reached: .*timeout; it was tried 6 times/);
  });

  it('that drips its answer without end', async () => {
    at('/api/users?filters', (_url, _, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await refusal({}, 300)).toMatch(/\/api\/users cannot be reached: .*timeout; it was tried 6 times/);
  });

  it('that answers with a bomb of gzip', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    at('/api/i18n/locales', (_url, _, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    expect(await refusal()).toMatch(/\/api\/i18n\/locales answers with more than \d+ bytes at once/);
  });

  it('that sends bytes which are not gzip, and says they are', async () => {
    at('/api/tags?filters', (_url, _, response) => response.setHeader('content-encoding', 'gzip').end('{"data":[]}'));
    expect(await refusal()).toMatch(/\/api\/tags cannot be reached: .*; it was tried 6 times/);
  });

  it('that answers with JSON too deep to be walked', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    json('/api/tags?filters', `{"data":[{"id":1,"documentId":"a","name":${deep}}]}`);
    expect(await refusal()).toMatch(/\/api\/tags answers with JSON of more than 500 levels/);
  });

  it.each([[7], [null], [''], ['a\u0000b'], ['a\nb'], ['x'.repeat(256)], [undefined], [{ $ne: 1 }]])(
    'whose documentId is %j',
    async (documentId) => {
      json('/api/tags?filters', { data: [{ id: 1, documentId, name: 'x' }] });
      expect(await refusal()).toMatch(/\/api\/tags does not answer as Strapi 5 does: data\.0\.documentId: /);
    },
  );

  it.each([[0], [-1], [1.5], ['1'], [null]])('whose id is %j', async (id) => {
    json('/api/tags?filters', { data: [{ id, documentId: 'a' }] });
    expect(await refusal()).toMatch(
      /\/api\/tags (does not answer as Strapi 5 does: data\.0\.id|does not come to an end)/,
    );
  });

  it('that says it has far more than it shows', async () => {
    json('/api/tags?filters', { data: [], meta: { pagination: { total: 500 } } });
    expect(await refusal()).toMatch(/\/api\/tags comes to an end after 0 rows, and says that it has 500/);
  });

  it('whose archive has no place on the disk', async () => {
    const path = join(fileOf(Buffer.from('a file')), 'below.tar.gz');
    const client = strapiClient({ base: strapi.base, token: TOKEN });
    const reading = { client, path, remarks: newRemarks(), deletions: false, files: true, config: true };
    await expect(readServer(reading)).rejects.toMatchObject({ code: 'EEXIST' });
  });
});

describe('odd content is taken', () => {
  it.each([["a'b"], ['../../x'], ['a"; drop table tags; --'], ['\u{1f34b} é'], ['__proto__']])(
    'with the documentId %j',
    async (documentId) => {
      strapi.content = {
        ...MAGAZINE,
        entities: [
          ...(MAGAZINE.entities ?? []),
          { ...tag(90, 'odd'), data: { documentId, name: 'odd', publishedAt: 'x' } },
        ],
      };
      expect((await importBytes((await read(strapi)).bytes)).taken.rows).toBe(10);
    },
  );

  it('while documents come and go between its pages', async () => {
    const many = Array.from({ length: 250 }, (_, index) => tag(1000 + index, `n${index}`));
    strapi.content = { ...MAGAZINE, entities: [...(MAGAZINE.entities ?? []), ...many] };
    let pages = 0;
    at('/api/tags?filters', () => {
      pages += 1;
      if (pages > 4) return false;
      const gone = (entity: object) => (entity as { id: number }).id === 1150 + pages;
      const rows = (strapi.content.entities ?? []).filter((entity) => !gone(entity));
      strapi.content = { ...strapi.content, entities: [...rows, tag(2000 + pages, `later${pages}`)] };
      return false;
    });
    const { taken } = await importBytes((await read(strapi)).bytes);
    expect(taken.rows).toBeGreaterThan(250);
  });
});

describe('hostile content types', () => {
  const schemas = (change: (schema: Values & { info: Values; attributes: Values }) => void): void => {
    const copy = structuredClone(MAGAZINE.schemas ?? []) as (Values & { info: Values; attributes: Values })[];
    for (const schema of copy) if (schema.uid === 'api::tag.tag') change(schema);
    strapi.content = { ...strapi.content, schemas: copy };
  };

  it.each([['api::../../evil.evil'], ['api::a/b.c'], ['../../evil'], ['api::tag.tag\u0000']])(
    'called %j become no file, and are counted',
    async (uid) => {
      schemas((schema) => {
        schema.uid = uid;
        schema.info.singularName = '../../evil';
      });
      const { files } = await importBytes((await read(strapi)).bytes);
      for (const { path } of [...files.contentTypes, ...files.components])
        expect(path).toMatch(/^content-types\/[\w./-]+$/);
      expect(JSON.stringify(files)).not.toContain('../');
    },
  );

  it('whose path leads out of the API are refused', async () => {
    schemas((schema) => {
      schema.info.pluralName = '../..';
    });
    expect(await refusal()).toMatch(/has no address in its API|no JSON|answers 404/);
  });

  it('whose components hold each other are refused at once', async () => {
    const layer = (level: number) =>
      Object.fromEntries(
        Array.from({ length: level < 7 ? 30 : 0 }, (_, index) => [
          `x${index}`,
          { type: 'component', component: `l${level}.c${index}`, repeatable: true },
        ]),
      );
    const components = Array.from({ length: 7 * 30 }, (_, index) => {
      const [level, uid] = [Math.floor(index / 30), `l${Math.floor(index / 30)}.c${index % 30}`];
      const attributes = layer(level + 1);
      return { uid, modelType: 'component', collectionName: uid, options: {}, attributes, info: {} };
    });
    const attributes = layer(0);
    schemas((schema) => Object.assign(schema.attributes, attributes));
    strapi.content = { ...strapi.content, schemas: [...(strapi.content.schemas ?? []), ...components] };
    const start = Date.now();
    expect(await refusal()).toMatch(/Components hold more components than can be asked for/);
    expect(Date.now() - start).toBeLessThan(5_000);
  });

  it('with an attribute that every object has do no harm', async () => {
    schemas((schema) => {
      schema.attributes = JSON.parse(
        '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"name":{"type":"string"}}',
      );
    });
    const done = await read(strapi).then(
      ({ bytes }) => importBytes(bytes),
      (error: unknown) => error,
    );
    if (done instanceof Error) expect(done).toBeInstanceOf(UserError);
    expect(({} as Values).type).toBeUndefined();
  });
});

describe('what is said', () => {
  it('holds no characters that a terminal obeys', () => {
    let said = '';
    const take = (text: string | Uint8Array) => {
      said += String(text);
      return true;
    };
    vi.mocked(process.stderr.write).mockImplementation(take);
    const out = vi.spyOn(process.stdout, 'write').mockImplementation(take);
    progress('a\u001b[2Jb\u0007\u009b');
    print('c\u001b]0;x\u0007\td');
    vi.mocked(process.stderr.write).mockReturnValue(true);
    out.mockRestore();
    expect(said).toBe('a\ufffd[2Jb\ufffd\ufffd\nc\ufffd]0;x\ufffd\td\n');
  });
});

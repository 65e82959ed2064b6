/**
 * @module Bodies that are compressed, and forms in parts.
 */
import { describe, expect, it } from 'vitest';
import { documentOf, errorOf } from '../../support/client.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine({ roles: { public: ['api::tag.tag.find'] } });
const AUTHORIZED = { authorization: 'Bearer full' };

type Fields = readonly (readonly [name: string, value: string | Blob])[];

function post(path: string, fields: Fields, headers: Record<string, string> = AUTHORIZED): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value as string);
  return send(path, { method: 'POST', headers, body });
}

describe('a body with a Content-Encoding', () => {
  const encoded = (path: string, encoding: string, headers = {}) =>
    send(path, {
      method: 'POST',
      headers: { ...AUTHORIZED, 'content-type': 'application/json', 'content-encoding': encoding, ...headers },
      body: '{"data":{"name":"a"}}',
    });

  it.each(['/api/tags', '/api/auth/local', '/api/users', '/api/upload', '/api/nope'])('is 415 at %s', async (path) => {
    expect(await errorOf(encoded(path, 'gzip'))).toEqual({
      status: 415,
      name: 'Error',
      message: 'Unsupported Content-Encoding: gzip',
    });
  });

  it.each(['br', 'deflate', 'GZIP', 'gzip, identity', 'weird'])('is 415 for %s', async (encoding) => {
    expect((await encoded('/api/tags', encoding)).status).toBe(415);
  });

  it('cuts the name of an encoding that is very long', async () => {
    expect((await errorOf(encoded('/api/tags', 'x'.repeat(9000)))).message.length).toBeLessThan(6000);
  });

  it('concerns no read, which has none', async () => {
    expect((await send('/api/tags', { headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
  });

  it('is read when the encoding is identity', async () => {
    expect(await documentOf(encoded('/api/tags', 'Identity'))).toMatchObject({ name: 'a' });
  });
});

describe('a multipart form', () => {
  it('is a document whose attributes are data[name], as in Strapi', async () => {
    expect(
      await documentOf(
        post('/api/tags', [
          ['data[name]', 'a b+c&d=é%20'],
          ['data[weight]', '3'],
        ]),
      ),
    ).toMatchObject({
      name: 'a b+c&d=é%20',
      weight: 3,
    });
  });

  it('nests components and relations', async () => {
    const tag = await documentOf(post('/api/tags', [['data[name]', 'linked']]));
    const article = await documentOf(
      post('/api/articles?populate=tags,seo', [
        ['data[title]', 'A form'],
        ['data[seo][metaTitle]', 'm'],
        ['data[tags][connect][0]', String(tag.documentId)],
      ]),
    );
    expect(article).toMatchObject({ seo: { metaTitle: 'm' }, tags: [{ name: 'linked' }] });
  });

  it('passes over files, as in Strapi', async () => {
    const files: Fields = [
      ['data[name]', 'with a file'],
      ['files.cover', new File(['x'], 'x.png', { type: 'image/png' })],
    ];
    expect(await documentOf(post('/api/tags', files))).toMatchObject({ name: 'with a file' });
  });

  it.each<[string, Fields]>([
    ['JSON in one field', [['data', '{"name":"j"}']]],
    ['no data', [['x', '1']]],
    ['a file in place of an attribute', [['data[name]', new File(['x'], 'x.txt')]]],
  ])('is 400 for a missing payload: %s', async (_, fields) => {
    expect((await errorOf(post('/api/tags', fields))).message).toBe('Missing "data" payload in the request body');
  });

  it('is 400 for an attribute that is there twice', async () => {
    const twice = await errorOf(
      post('/api/tags', [
        ['data[name]', 'a'],
        ['data[name]', 'b'],
      ]),
    );
    expect(twice).toMatchObject({ status: 400, details: { errors: [{ path: ['name'], value: ['a', 'b'] }] } });
  });

  it('drops names that every object inherits', async () => {
    const document = await documentOf(
      post('/api/tags', [
        ['data[name]', 'safe'],
        ['data[__proto__][polluted]', 'x'],
        ['__proto__[polluted]', 'x'],
      ]),
    );
    expect(document).toMatchObject({ name: 'safe' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('is 400 with the limit for too many fields', async () => {
    const fields: Fields = Array.from({ length: 5_001 }, (_, index) => [`data[k${index}]`, '1'] as const);
    expect(await errorOf(post('/api/tags', fields))).toMatchObject({ status: 400, details: { limit: 'parameters' } });
  });

  const broken = (headers: Record<string, string>, type = 'multipart/form-data; boundary=x') => {
    const body = '--x\r\nContent-Disposition: form-data; name="data[name]"\r\n\r\nbroken';
    return send('/api/tags', { method: 'POST', headers: { ...headers, 'content-type': type }, body });
  };

  it.each(['multipart/form-data; boundary=x', 'multipart/form-data', 'multipart/mixed; boundary=x'])(
    'is 400 when it cannot be read: %s',
    async (type) => {
      expect(await errorOf(broken(AUTHORIZED, type))).toMatchObject({
        status: 400,
        message: 'Malformed multipart body',
      });
    },
  );

  it('is rejected for its credential first', async () => {
    expect((await broken({})).status).toBe(403);
    expect((await broken({ authorization: 'Bearer wrong' })).status).toBe(401);
  });

  it('signs in and creates users, as in Strapi', async () => {
    const user: Fields = [
      ['username', 'formuser'],
      ['email', 'form@example.com'],
      ['password', 'secret12'],
    ];
    const registered = await post('/api/auth/local/register', user, {});
    expect(registered.status).toBe(200);
    const signedIn = await post(
      '/api/auth/local',
      [
        ['identifier', 'formuser'],
        ['password', 'secret12'],
      ],
      {},
    );
    expect(await signedIn.json()).toMatchObject({ user: { username: 'formuser' } });
  });
});

/**
 * @module Class 8 of the advisories of 2026: `__proto__`, `constructor`, `toString` and the like are keys like any other in
 * sort, populate, fields, filters, bodies, JSON, paths and names of types: unknown ones are rejected, stored ones are read
 * back, and none changes an object. Strapi 5.54 (`sort=__proto__`), hono CVE-2026-84364 (parseBody), qs CVE-2022-24999.
 */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, errorOf } from '../support/client.ts';
import { bearer, sendJson } from '../support/recorded.ts';
import { oneIn } from '../support/tier.ts';
import { formOf, postForm, refusal, TEXT, uploadOne } from '../support/uploads.ts';
import { post, refusalOf } from '../support/users.ts';
import { at, expectNoChange, serveAll } from './surfaces.ts';
import { createWorld, owner, world } from './world.ts';

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
const send = serveAll();

beforeAll(createWorld);

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

/** A body with the key as it is on the wire: an object literal would set the prototype. */
const bodyWith = (name: string, text: string, method = 'POST'): RequestInit => ({
  ...sendJson(method, 'full', {}),
  body: text.replaceAll('NAME', name),
});

describe.each(NAMES)('%s as a key', (name) => {
  /** In the short tier, each name stands in one place in two, others for each name. */
  const placesOf = <T>(places: readonly T[]): readonly T[] => oneIn(2, places, NAMES.indexOf(name));

  /** The key that is rejected; undefined where the parser drops names of properties of objects, as `qs` does. */
  async function rejectedKey(search: string): Promise<unknown> {
    const response = await owner.get(`/api/articles?${search}`);
    if (response.status === 200) return undefined;
    const { status, details = {} } = await errorOf(Promise.resolve(response));
    return status === 400 ? (details.key ?? details.param) : status;
  }

  it('is dropped or rejected where the query string has brackets', async () => {
    for (const search of placesOf([
      `${name}[status]=draft`,
      `filters[${name}][title]=x`,
      `filters[title][${name}]=x`,
      `filters[title][${name}][$eq]=x`,
      `filters[extra][${name}][$eq]=x`,
      `filters[seo][${name}]=x`,
      `populate[${name}][populate]=*`,
      `populate[sections][on][${name}][populate]=*`,
      `populate[author][${name}]=x`,
      `sort[${name}]=asc`,
      `sort[author][${name}]=asc`,
      `pagination[${name}][pageSize]=1000`,
      `a[${name}][polluted]=1`,
    ]))
      expect([search, await rejectedKey(search)]).toSatisfy(([, key]) =>
        [undefined, name, 'a', 'populate'].includes(key as string),
      );
  });

  it('is an unknown key where the query string has texts', async () => {
    for (const search of [
      `sort=${name}`,
      `sort=author.${name}`,
      `sort=${name}:desc`,
      `fields=${name}`,
      `populate=${name}`,
      `populate=author.${name}`,
    ]) {
      const { status, message } = await errorOf(owner.get(`/api/articles?${search}`));
      expect([search, status, message.startsWith(`Invalid key ${name}`)]).toEqual([search, 400, true]);
    }
    expect((await owner.get(`/api/articles?locale=${name}`)).status).toBe(400);
    for (const path of ['/api/users', '/api/upload/files'])
      expect([path, (await send(`${path}?sort=${name}`, bearer('full'))).status]).toEqual([path, 400]);
  });

  it('is an unknown key in parameters that own code passes on', async () => {
    for (const params of placesOf([
      '{"NAME":{"title":"x"}}',
      '{"filters":{"NAME":{"title":"x"}}}',
      '{"filters":{"title":{"NAME":"x"}}}',
      '{"populate":{"NAME":true}}',
      '{"sort":{"NAME":"asc"}}',
      '{"fields":["NAME"]}',
    ])) {
      const { status } = await send(`/own/find?p=${encodeURIComponent(params.replace('NAME', name))}`, bearer('full'));
      expect([params, status]).toEqual([params, 400]);
    }
  });

  it('is an unknown key in a body of a document, of a batch, of a publication and of an account', async () => {
    const bodies: readonly (readonly [path: string, text: string])[] = [
      ['/api/articles', '{"data":{"title":"Mine","NAME":{"polluted":1}}}'],
      ['/api/articles', '{"data":{"title":"Mine","seo":{"metaTitle":"a","NAME":{"polluted":1}}}}'],
      ['/api/articles', '{"data":{"title":"Mine","sections":[{"__component":"blocks.quote","NAME":{"polluted":1}}]}}'],
      ['/api/articles', '{"data":{"title":"Mine","sections":[{"__component":"NAME","text":"x"}]}}'],
      ['/api/articles', '{"data":{"title":"Mine","author":{"connect":[{"documentId":"x","NAME":1}]}}}'],
      ['/own/articles', '{"data":{"title":"Mine","NAME":{"polluted":1}}}'],
      ['/api/batch', '{"requests":[{"method":"POST","path":"/api/articles","body":{"data":{"NAME":1}}}]}'],
      ['/api/batch', '{"requests":[{"method":"POST","path":"/api/NAME","body":{"data":{}}}]}'],
      ['/api/batch', '{"requests":[{"method":"NAME","path":"/api/articles","body":{"data":{}}}]}'],
      ['/api/batch', '{"requests":[],"NAME":{"polluted":1}}'],
      [at('/api/articles/{article}/actions/publish'), '{"data":{"NAME":{"at":"2999-01-01T00:00:00Z"}}}'],
      ['/api/auth/local/register', '{"username":"mine","email":"m@example.com","password":"Passw0rd","NAME":1}'],
    ];
    await expectNoChange(async () => {
      for (const [path, text] of placesOf(bodies))
        expect([path, text, (await send(path, bodyWith(name, text))).status]).toEqual([path, text, 400]);
    });
  });

  it('is dropped from a form, or an unknown key', async () => {
    const headers = { authorization: 'Bearer full', 'content-type': 'application/x-www-form-urlencoded' };
    const body = `data[title]=Form&data[${name}][polluted]=1`;
    const { status } = await send('/api/articles', { method: 'POST', headers, body });
    expect(status).toBe(name === 'prototype' ? 400 : 200);
  });

  it('is stored and read back in a JSON attribute, unless it is the prototype itself', async () => {
    const written = await send(
      '/api/articles?fields=extra',
      bodyWith(name, '{"data":{"title":"JSON","extra":{"NAME":{"polluted":1}}}}'),
    );
    if (name === '__proto__')
      expect(((await written.clone().json()) as { error: object }).error).toMatchObject({ name: 'SyntaxError' });
    else expect((await documentOf(Promise.resolve(written))).extra).toEqual({ [name]: { polluted: 1 } });
  });

  it('changes no user, and is ignored like other unknown keys of one', async () => {
    const text = '{"NAME":{"role":2,"blocked":true},"username":"victim"}';
    const { status } = await send(at('/api/users/{victim}'), bodyWith(name, text, 'PUT'));
    expect(status).toBe(name === '__proto__' ? 400 : 200);
    const user = await (await send(at('/api/users/{victim}?populate=role'), bearer('full'))).json();
    expect(user).toMatchObject({ username: 'victim', blocked: false, role: { type: 'authenticated' } });
  });

  it('attaches no upload, and is ignored in fileInfo', async () => {
    const fields = { ref: 'api::article.article', refId: world.article, field: 'cover' };
    for (const key of ['ref', 'field'])
      expect(await refusal(postForm(send, formOf([TEXT], { ...fields, [key]: name })))).toContain(`Invalid ${key}`);
    const file = await uploadOne(send, TEXT, { fileInfo: `{"${name}":{"mime":"text/html"},"caption":"x"}` });
    expect(file).toMatchObject({ mime: 'text/plain', ext: '.txt' });
  });

  it('names no content type, document, file, role, component or action', async () => {
    for (const [path, status] of [
      [`/api/${name}`, 404],
      [`/api/${name}/${name}`, 404],
      [`/api/articles/${name}`, 404],
      [`/api/users/${name}`, 204],
      [`/api/upload/files/${name}`, 404],
      [`/uploads/${name}`, 404],
      [`/api/users-permissions/roles/${name}`, 404],
      [`/api/content-type-builder/content-types/${name}`, 404],
      [`/api/content-type-builder/components/${name}`, 404],
    ] as const)
      expect([path, (await send(path, bearer('full'))).status]).toEqual([path, status]);
    expect((await post(send, at(`/api/articles/{article}/actions/${name}`), {}, 'full')).status).toBe(405);
    expect((await send(`/api/scheduled/${name}`, { method: 'DELETE', ...bearer('full') })).status).toBe(404);
  });

  it('is an Idempotency-Key like any other', async () => {
    const init = sendJson('POST', 'full', { data: { title: 'Keyed' } });
    const keyed = { ...init, headers: { ...init.headers, 'idempotency-key': name } };
    const [first, second] = [await send('/api/articles', keyed), await send('/api/articles', keyed)];
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await second.text()).toBe(await first.text());
  });

  it('is not a user name that signs in', async () => {
    const answer = await post(send, '/api/auth/local', { identifier: name, password: name });
    expect(await refusalOf(answer)).toBe('400 ValidationError: Invalid identifier or password');
  });
});

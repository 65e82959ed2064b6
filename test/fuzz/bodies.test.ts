/**
 * @module Hostile values at every place of every body: refused without a trace, or stored so that all that is stored can
 * still be read.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, it } from 'vitest';
import type { ContentType } from '../../src/schema/model.ts';
import { hostileForm, hostileJson, withHostileValues } from '../generators/hostile-values.ts';
import { bearer } from '../support/recorded.ts';
import { dataOn } from './bodies.ts';
import { types } from './generators.ts';
import { problemWith } from './invariants.ts';
import { registry } from './model.ts';
import { expectAccepted, parameters, progress, timeout } from './options.ts';
import { createWorld, idsIn, send, TOKEN, withDocuments } from './world.ts';

beforeAll(createWorld, timeout);

const TABLES = [...registry.contentTypes.values()]
  .map(({ table }) => table)
  .filter((table) => table !== 'strapi_api_tokens');

/** Tells apart what is stored now and what was stored before: every write moves a stamp or a number of rows. */
async function stored(): Promise<string> {
  const counts = TABLES.map((table) => env.DB.prepare(`select count(*), max(updated_at), max(id) from "${table}"`));
  const results = await env.DB.batch(counts);
  return JSON.stringify(results.map((result) => result.results));
}

interface Shot {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly isForm: boolean;
}

const FORM = 'application/x-www-form-urlencoded';

/** Returns the status of the response. */
async function checkShot({ method, path, body, isForm }: Shot, type?: ContentType): Promise<number> {
  const before = await stored();
  const text = withDocuments(isForm ? hostileForm(body) : hostileJson(body));
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': isForm ? FORM : 'application/json' };
  const response = await send(withDocuments(path), { method, headers, body: text });
  const { status } = response;
  const problem = await problemWith(response, method, 'everything');
  const told = `${method} ${path}\n${text.slice(0, 3_000)}`;
  if (problem) throw new Error(`${problem}\n${told}`);
  if (status >= 400 && (await stored()) !== before) throw new Error(`refused with ${status}, and written\n${told}`);
  if (status < 400 && type) await checkReads(type, told);
  return status;
}

const segmentOf = ({ kind, singularName, pluralName }: ContentType) =>
  kind === 'singleType' ? singularName : pluralName;

/** Reads that look into the components of all documents: nobody's value may make them fail. */
const searchesOf = ({ attributes }: ContentType): readonly string[] =>
  [...attributes.values()].flatMap((attribute) => {
    if (attribute.kind !== 'component') return [];
    const [name] = [...(registry.components.get(attribute.component)?.attributes.values() ?? [])]
      .filter(({ kind, private: hidden }) => kind === 'scalar' && !hidden)
      .map((inner) => inner.name);
    const sort = attribute.repeatable ? '' : `&sort=${attribute.name}.${name}`;
    return [`filters[${attribute.name}][${name}][$ne]=x${sort}`];
  });

async function checkReads(type: ContentType, told: string): Promise<void> {
  const isList = type.kind === 'collectionType';
  const searches = ['populate=*&sort=id:desc&pagination[pageSize]=3', ...searchesOf(type)];
  for (const search of isList ? searches : ['populate=*']) {
    const { status } = await send(`/api/${segmentOf(type)}?status=draft&${search}`, bearer(TOKEN));
    if (status >= 400) throw new Error(`${search} is answered ${status} after\n${told}`);
  }
}

const SEARCHES = ['', '?status=draft', '?locale=fr', '?locale=fr&status=draft'];

const contentShot = (type: ContentType): fc.Arbitrary<Shot> => {
  const base = `/api/${segmentOf(type)}`;
  const one = type.kind === 'singleType' ? base : `${base}/{made:${type.uid}}`;
  const target =
    type.kind === 'singleType'
      ? fc.constant(['PUT', one] as const)
      : fc.constantFrom(['POST', base] as const, ['PUT', one] as const, ['PUT', `${base}/{${type.uid}}`] as const);
  return fc
    .record({
      target,
      search: fc.constantFrom(...SEARCHES),
      body: dataOn(type, registry, idsIn).chain((data) => withHostileValues({ data })),
      isForm: fc.constantFrom(false, false, false, true),
    })
    .map(({ target: [method, path], search, ...rest }) => ({ method, path: path + search, ...rest }));
};

it('bodies of documents', { timeout }, async () => {
  const tick = progress('bodies of documents');
  const shots = fc
    .constantFrom(...types, ...types.filter(({ singularName }) => singularName === 'article'))
    .chain((type) => contentShot(type).map((shot) => [type, shot] as const));
  let accepted = 0;
  const property = fc.asyncProperty(shots, async ([type, shot]) => {
    if ((await checkShot(shot, type)) < 400) accepted += 1;
    tick();
  });
  const chosen = parameters('bodies of documents');
  await fc.assert(property, chosen);
  expectAccepted(accepted, chosen);
});

const ACCOUNT = {
  username: 'nobody',
  email: 'nobody@example.com',
  password: 'Passw0rd',
  role: { connect: [{ id: 1 }] },
};

const BODIES: readonly (readonly [method: string, path: string, body: unknown])[] = [
  ['POST', '/api/users', ACCOUNT],
  ['PUT', '/api/users/1', { ...ACCOUNT, confirmed: true, blocked: false }],
  ['POST', '/api/auth/local', { identifier: 'zed', password: 'Passw0rd' }],
  ['POST', '/api/auth/local/register', { username: 'nobody', email: 'nobody@example.com', password: 'Passw0rd' }],
  ['POST', '/api/auth/forgot-password', { email: 'zed@example.com' }],
  ['POST', '/api/auth/reset-password', { code: 'a', password: 'Passw0rd', passwordConfirmation: 'Passw0rd' }],
  ['POST', '/api/auth/change-password', { currentPassword: 'a', password: 'b', passwordConfirmation: 'b' }],
  ['POST', '/api/auth/send-email-confirmation', { email: 'zed@example.com' }],
  ['POST', '/api/auth/refresh', { refreshToken: 'a' }],
  ['POST', '/api/auth/logout', { deviceId: 'a' }],
  [
    'POST',
    '/api/upload?id=1',
    { fileInfo: { name: 'a', caption: 'b', alternativeText: 'c', focalPoint: { x: 1, y: 2 } } },
  ],
];

it('bodies of accounts and files', { timeout }, async () => {
  const tick = progress('bodies of accounts and files');
  const shots = fc.constantFrom(...BODIES).chain(([method, path, valid]) =>
    fc.record({
      method: fc.constant(method),
      path: fc.constant(path),
      body: withHostileValues(valid),
      isForm: fc.constantFrom(false, false, false, true),
    }),
  );
  const property = fc.asyncProperty(shots, async (shot) => {
    await checkShot(shot);
    tick();
  });
  await fc.assert(property, parameters('bodies of accounts and files'));
});

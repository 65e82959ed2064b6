/**
 * @module No request, however hostile, makes the server fail, show a secret, or answer in a form of its own.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { ContentType } from '../../src/registry/model.ts';
import { type Body, bodyFor, queryString, types } from './generators.ts';
import { encoded, hostileText, monstrousQueries } from './hostile.ts';
import { problemWith } from './invariants.ts';
import { parameters, progress, timeout } from './options.ts';
import { createWorld, send, signedIn, TOKEN } from './world.ts';

let documentIds: readonly string[] = [];

beforeAll(async () => {
  documentIds = await createWorld();
});

/** Bytes that a header may hold. */
const headerText = hostileText.map((text) => text.replaceAll(/[^\x20-\x7E]/g, '').trim());

const authorization = fc.oneof(
  { weight: 12, arbitrary: fc.constant(`Bearer ${TOKEN}`) },
  { weight: 2, arbitrary: fc.constantFrom('', 'Bearer nope', 'Bearer reads', 'Bearer') },
  { weight: 2, arbitrary: fc.constant(null).map(() => `Bearer ${signedIn.jwt}`) },
  { weight: 1, arbitrary: headerText },
);

const headers = fc.record({
  authorization,
  'x-d1-bookmark': fc.oneof({ weight: 8, arbitrary: fc.constant('') }, headerText),
  'x-request-id': fc.oneof({ weight: 8, arbitrary: fc.constant('') }, headerText),
  origin: fc.oneof({ weight: 8, arbitrary: fc.constant('') }, headerText),
  'strapi-response-format': fc.constantFrom('', '', '', 'v4', 'V4', 'v5'),
});

const segmentOf = ({ kind, singularName, pluralName }: ContentType) => (kind === 'singleType' ? singularName : pluralName);

const idSegment = fc.oneof(
  { weight: 6, arbitrary: fc.nat(4).map((index) => documentIds[index] ?? 'nope') },
  { weight: 2, arbitrary: hostileText.chain(encoded) },
);

const USER_PATHS = [
  ...['users', 'users/count', 'users/me', 'users/1', 'users-permissions/roles', 'users-permissions/permissions'],
  ...['auth/local', 'auth/local/register', 'auth/forgot-password', 'auth/reset-password', 'auth/change-password'],
  ...['auth/email-confirmation', 'auth/send-email-confirmation'],
].map((path) => `/api/${path}`);

const pathOf = (type: ContentType) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(`/api/${segmentOf(type)}`) },
    { weight: 6, arbitrary: idSegment.map((id) => `/api/${segmentOf(type)}/${id}`) },
    { weight: 1, arbitrary: hostileText.chain(encoded).map((text) => `/api/${text}`) },
    { weight: 1, arbitrary: fc.constantFrom(...USER_PATHS) },
    { weight: 1, arbitrary: hostileText.chain(encoded).map((text) => `/api/users/${text}`) },
  );

interface Shot {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
}

const reading: fc.Arbitrary<Shot> = fc.constantFrom(...types).chain((type) =>
  fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PROPFIND'),
    path: pathOf(type),
    search: queryString,
    headers,
  }),
);

const writing: fc.Arbitrary<Shot> = fc.constantFrom(...types).chain((type) =>
  fc.record({
    method: fc.constantFrom('POST', 'POST', 'PUT', 'PUT', 'DELETE'),
    path: pathOf(type),
    search: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('', 'status=draft', 'locale=fr', 'populate=*') },
      { weight: 1, arbitrary: queryString },
    ),
    headers,
    body: bodyFor(type),
  }),
);

const given = (all: Readonly<Record<string, string>>) => Object.entries(all).filter(([, value]) => value !== '');

/** Undefined for what no client could send: the platform refuses it before it is a request. */
function requestOf({ method, path, search, headers: all, body }: Shot): [string, RequestInit] | undefined {
  const target = `${path}?${search}`;
  const entries = given({ ...all, ...(body && { 'content-type': body.contentType }) });
  const init: RequestInit = { method, headers: entries as [string, string][] };
  if (body && method !== 'DELETE') init.body = body.text;
  try {
    new Request(`http://edgewise.test${target}`, init);
  } catch {
    return undefined;
  }
  return [target, init];
}

async function check(shot: Shot): Promise<void> {
  const request = requestOf(shot);
  if (!request) return;
  const problem = await problemWith(await send(...request), shot.method);
  if (problem) throw new Error(`${problem}\n${shot.method} ${request[0].slice(0, 2_000)}\n${shot.body?.text.slice(0, 2_000) ?? ''}`);
}

it.each(monstrousQueries.map((search) => [search.slice(0, 60), search]))('%s… is answered in its form', async (_, search) => {
  for (const path of ['/api/articles', '/api/tags', '/api/homepage'])
    await check({ method: 'GET', path, search, headers: { authorization: `Bearer ${TOKEN}` } });
});

it('reads answer in their form', { timeout }, async () => {
  const tick = progress('reads');
  const property = fc.asyncProperty(reading, async (shot) => {
    await check(shot);
    tick();
  });
  await fc.assert(property, parameters('reads'));
});

it('writes answer in their form', { timeout }, async () => {
  const tick = progress('writes');
  const property = fc.asyncProperty(writing, async (shot) => {
    await check(shot);
    tick();
  });
  await fc.assert(property, parameters('writes'));
});

it('the totals are right after all that', async () => {
  const statements = types.map(({ uid, table }) => ({
    uid,
    sql: `select '${uid}' as "uid", "locale" || iif("published_at" is null, '/draft', '/published') as "version", count(*) as "total" from "${table}" group by 2`,
  }));
  for (const { uid, sql } of statements) {
    const counted = await env.DB.prepare(sql).all();
    const kept = await env.DB.prepare(
      `select "type" as "uid", "locale" || '/' || "status" as "version", "total" from "edgewise_counters" where "type" = ? and "total" <> 0 order by 2`,
    )
      .bind(uid)
      .all();
    expect(kept.results).toEqual(counted.results);
  }
});

/**
 * @module Security headers of responses, as Strapi's `strapi::security` sends them.
 */
import { describe, expect, it } from 'vitest';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine({
  roles: { public: ['api::tag.tag.find'] },
  cors: { origins: ['https://site.example'] },
});

/** As recorded from Strapi 5.54, without the policy for its admin panel. */
const STRAPI = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
};
const ABSENT = [
  'cross-origin-resource-policy',
  'cross-origin-opener-policy',
  'cross-origin-embedder-policy',
  'origin-agent-cluster',
  'x-xss-protection',
  'x-powered-by',
];
const TRANSPORT = 'strict-transport-security';

const headersOf = async (path: string, init?: RequestInit) =>
  Object.fromEntries((await send(path, init)).headers as unknown as Iterable<[string, string]>);

describe('every response', () => {
  it.each([
    ['a list', '/api/tags', {}],
    ['a refusal', '/api/authors', {}],
    ['an unknown path', '/api/nope', {}],
    [
      'a preflight',
      '/api/tags',
      { method: 'OPTIONS', headers: { origin: 'https://site.example', 'access-control-request-method': 'GET' } },
    ],
    ['an unknown method', '/api/tags', { method: 'PATCH' }],
    ['an unknown file', '/uploads/nope.png', {}],
    ['the landing page', '/', {}],
    ['the health check', '/_health', {}],
    ['the description', '/openapi.json', {}],
  ])('has the security headers: %s', async (_, path, init) => {
    const headers = await headersOf(path, init);
    expect(headers).toMatchObject(STRAPI);
    for (const name of ABSENT) expect(headers).not.toHaveProperty(name);
  });

  it('keeps them when it is a 304', async () => {
    const { etag = '' } = await headersOf('/api/tags');
    const again = await send('/api/tags', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(Object.fromEntries(again.headers as unknown as Iterable<[string, string]>)).toMatchObject(STRAPI);
  });

  it('asks for HTTPS over HTTPS alone', async () => {
    expect((await headersOf('https://edge.example/api/tags'))[TRANSPORT]).toBe('max-age=31536000; includeSubDomains');
    expect(await headersOf('http://edge.example/api/tags')).not.toHaveProperty(TRANSPORT);
  });
});

describe('the landing page', () => {
  it('runs no scripts and loads nothing from elsewhere', async () => {
    const policy = (await headersOf('/'))['content-security-policy'];
    expect(policy).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    );
  });
});

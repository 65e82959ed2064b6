/**
 * @module Source maps: who gets none, and what has none. What they say is recorded (`conformance/`).
 */
import { env } from 'cloudflare:workers';
import { VERCEL_STEGA_REGEX } from '@vercel/stega';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { bearer, createToken, sendJson, serve } from '../../support/recorded.ts';
import { register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const PREVIEW: SettingsInput = { preview: {} };
const READS = ['api::article.article.find', 'api::article.article.findOne', 'api::tag.tag.find'];
/** The public and users read what shared caches may store. */
const OPEN: SettingsInput = {
  ...PREVIEW,
  roles: { public: READS, authenticated: READS },
  cache: { 'api::tag.tag': { maxAge: 60 }, 'api::article.article': { maxAge: 60 } },
};
/** Every payload begins with it. */
const INVISIBLE = '\u200b'.repeat(4);

const withMaps = ({ headers, ...init }: RequestInit = {}): RequestInit => {
  const all = new Headers(headers);
  all.set('strapi-encode-source-maps', 'true');
  return { ...init, headers: all };
};

let article: string;
let jwt: string;

openMagazine();
beforeAll(async () => {
  ({ jwt } = await register(serve(), 'reader'));
  const owner = clientOf(serve(), 'full');
  const tag = await documentOf(owner.create('/api/tags', { name: 'One' }));
  const data = { title: 'Mapped', tone: 'serious', body: 'text', tags: [tag.documentId] };
  article = (await documentOf(owner.create('/api/articles', data))).documentId;
});

/** Status, headers without those of one request, and body. */
async function seen(response: Response) {
  const {
    'x-request-id': _,
    'server-timing': __,
    'x-d1-bookmark': ___,
    ...headers
  } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

describe('a caller', () => {
  it.each(['/api/articles?populate=*', '/api/articles/:id', '/api/articles?status=draft', '/api/tags'])(
    'without the right gets the same response to %s with the header as without',
    async (path) => {
      const url = path.replace(':id', article);
      for (const own of [{}, bearer(jwt)]) {
        const plain = await seen(await serve(OPEN)(url, own));
        expect(await seen(await serve(OPEN)(url, withMaps(own)))).toEqual(plain);
        const send = serve(OPEN);
        expect(await seen(await send(url, withMaps(own)))).toEqual(plain);
        expect(await seen(await send(url, own))).toEqual(plain);
      }
    },
  );

  it('who has lost the right gets none by repeating a request with its key, alone or in a batch', async () => {
    const send = serve(PREVIEW);
    const rights = [...READS, 'api::tag.tag.create', 'api::tag.tag.findOne'];
    await createToken('keeper', 'custom', [...rights, 'api::tag.tag.update']);
    const repeat = async (path: string, body: object) => {
      const { headers, ...init } = sendJson('POST', 'keeper', body);
      const keyed = { ...init, headers: { ...(headers as Record<string, string>), 'idempotency-key': path } };
      const response = await send(path, withMaps(keyed));
      return { isReplayed: response.headers.has('idempotency-replayed'), text: await response.text() };
    };
    const alone = () => repeat('/api/tags', { data: { name: 'Alone' } });
    const request = { method: 'POST', path: '/api/tags', body: { data: { name: 'Beside' } } };
    const inBatch = () => repeat('/api/batch', { requests: [request] });
    const before = [await alone(), await inBatch(), await alone(), await inBatch()];
    expect(before.map(({ isReplayed }) => isReplayed)).toEqual([false, false, true, true]);
    for (const { text } of before) expect(text).toContain(INVISIBLE);
    await env.DB.prepare("update strapi_api_tokens set permissions = ? where name = 'keeper'")
      .bind(JSON.stringify(rights))
      .run();
    for (const [index, { isReplayed, text }] of [await alone(), await inBatch()].entries()) {
      expect([isReplayed, text.includes(INVISIBLE)]).toEqual([true, false]);
      expect(JSON.parse(text)).toEqual(JSON.parse(before[index]?.text.replace(VERCEL_STEGA_REGEX, '') ?? ''));
    }
  });
});

describe('the setting preview.sourceMaps.exclude', () => {
  const read = async (exclude: NonNullable<NonNullable<SettingsInput['preview']>['sourceMaps']>['exclude']) =>
    documentOf(serve({ preview: { sourceMaps: { exclude } } })(`/api/articles/${article}`, withMaps(bearer('full'))));

  it('exempts types of attributes', async () => {
    const { tone, createdAt, title } = await read(['enumeration', 'datetime']);
    expect([tone, String(createdAt).includes(INVISIBLE), String(title).includes(INVISIBLE)]).toEqual([
      'serious',
      false,
      true,
    ]);
  });
});

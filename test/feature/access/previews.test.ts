/**
 * @module Links to previews.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Send, serveRegistry } from '../../support/app.ts';
import { documentOf, errorOf } from '../../support/client.ts';
import { bearer, createToken, sendJson } from '../../support/recorded.ts';
import { login, register, type SignedIn } from '../../support/users.ts';
import { openPreviews } from '../../support/worlds/previews.ts';
import { id, type Link, PREVIEWS, previewRegistry } from '../../support/worlds/previews-model.ts';

const { client: full, send, serve } = openPreviews();
const ids = { story: '', person: '', dossier: '' };
let anna: SignedIn;
let bert: SignedIn;

const ask = (path: string, token = 'full', body?: object, server: Send = send) =>
  server(path, body ? sendJson('POST', token, body) : { method: 'POST', ...bearer(token) });
const linkTo = async (path: string, token = 'full', body?: object, server: Send = send): Promise<Link> =>
  (await documentOf(ask(path, token, body, server))) as unknown as Link;
const storyLink = (search = '', token = 'full', body?: object) =>
  linkTo(`/api/stories/${ids.story}/actions/preview-link${search}`, token, body);

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

beforeAll(async () => {
  await createToken('reads', 'read-only');
  await createToken('links alone', 'custom', id('story', 'previewLink', 'readDrafts'));
  anna = await register(send, 'anna');
  bert = await register(send, 'bert');
  const make = async (path: string, data: object) => (await documentOf(full.create(path, data))).documentId;
  ids.person = await make('/api/people?status=published', { name: 'Published person' });
  ids.dossier = await make('/api/dossiers', { name: 'a/b & c' });
  ids.story = await make('/api/stories?status=published', { title: 'Story', slug: 'the story' });
  const draft = { title: 'Draft', slug: 'the draft', owner: anna.user.id, author: ids.person, dossier: ids.dossier };
  await full.update(`/api/stories/${ids.story}?status=draft`, draft);
  await full.update(`/api/stories/${ids.story}?status=draft&locale=fr`, { title: 'Brouillon', slug: 'le brouillon' });
  await full.update('/api/front?status=published', { heading: 'Published' });
  await full.update('/api/front?status=draft', { heading: 'Draft' });
});

describe('POST …/actions/preview-link', () => {
  it('returns the URL with its placeholders encoded, the token, and the time in an hour at which that expires', async () => {
    const before = Date.now();
    const response = await ask(`/api/stories/${ids.story}/actions/preview-link`);
    expect(response.status).toBe(200);
    const { data, meta } = (await response.json()) as { data: Link; meta: object };
    expect(meta).toEqual({});
    expect(data.url).toBe(`https://site.example/preview?slug=the%20draft&locale=en&status=draft&token=${data.token}`);
    expect(data.token).toMatch(/^preview_[\w-]+$/);
    expect(Math.abs(Date.parse(data.expiresAt) - before - 3_600_000)).toBeLessThan(5_000);
  });

  it('links to the version that locale and status name', async () => {
    expect((await storyLink('?locale=fr')).url).toContain('slug=le%20brouillon&locale=fr&status=draft');
    expect((await storyLink('?status=published')).url).toContain('slug=the%20story&locale=en&status=published');
    expect((await ask(`/api/stories/${ids.story}/actions/preview-link?locale=de`)).status).toBe(404);
    expect((await ask(`/api/stories/${ids.story}/actions/preview-link?locale=*`)).status).toBe(400);
  });

  it('names what the address of the page needs and the document does not have', async () => {
    const path = async (data: object) => {
      const { documentId } = await documentOf(full.create('/api/dossiers', data));
      return `/api/dossiers/${documentId}/actions/preview-link`;
    };
    for (const data of [{}, { name: '' }, { name: null }]) {
      const response = await ask(await path(data));
      expect(await response.json()).toMatchObject({
        error: {
          ...{ status: 400, name: 'ValidationError', details: { key: 'name' } },
          message: 'The published version has no name yet, which the address of its page needs',
        },
      });
    }
    expect((await linkTo(await path({ name: '0' }))).url).toContain('https://site.example/0/');
    const { documentId } = await documentOf(full.create('/api/stories?status=draft', { title: 'A' }));
    const { message } = await errorOf(ask(`/api/stories/${documentId}/actions/preview-link`));
    expect(message).toBe('The draft has no slug yet, which the address of its page needs');
    await full.remove(`/api/stories/${documentId}`);
  });

  it('has the JSON of an attribute that is no text', async () => {
    const url = 'https://site.example/?facts={facts}';
    const server = serve({ preview: { 'api::dossier.dossier': { url } } });
    const { documentId } = await documentOf(full.create('/api/dossiers', { facts: { a: [1] } }));
    const link = await linkTo(`/api/dossiers/${documentId}/actions/preview-link`, 'full', undefined, server);
    expect(new URL(link.url).searchParams.get('facts')).toBe('{"a":[1]}');
  });

  it('links to single types, and to types without drafts', async () => {
    expect((await linkTo('/api/front/actions/preview-link')).url).toContain('https://site.example/?token=preview_');
    const { url } = await linkTo(`/api/dossiers/${ids.dossier}/actions/preview-link`);
    expect(url).toContain(`https://site.example/a%2Fb%20%26%20c/${ids.dossier}?token=`);
  });

  it('of a single type shows its document alone, and no other that has taken its place', async () => {
    const { token } = await linkTo('/api/front/actions/preview-link');
    expect((await documentOf(send('/api/front?status=draft', bearer(token)))).heading).toBe('Draft');
    await full.remove('/api/front');
    await full.update('/api/front?status=published', { heading: 'Published' });
    await full.update('/api/front?status=draft', { heading: 'Draft' });
    expect((await send('/api/front?status=draft', bearer(token))).status).toBe(404);
  });

  it('takes a shorter or longer lifetime, up to that of the settings', async () => {
    const { expiresAt } = await storyLink('', 'full', { data: { expiresIn: '5m' } });
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 300_000)).toBeLessThan(5_000);
    await storyLink('', 'full', { data: { expiresIn: '1d' } });
    const path = `/api/stories/${ids.story}/actions/preview-link`;
    for (const [data, message] of [
      [{ expiresIn: '25h' }, 'Invalid data.expiresIn. Expected at most 1d'],
      [{ expiresIn: 5 }, 'Invalid data.expiresIn. Expected a duration such as 30m'],
      [{ expires: '5m' }, 'Invalid key data.expires'],
    ])
      expect(await errorOf(ask(path, 'full', { data }))).toMatchObject({ status: 400, message });
    const server = serve({ preview: { ...PREVIEWS.preview, maxExpiresIn: '2h' } });
    const lifetime = (expiresIn: string) => ask(path, 'full', { data: { expiresIn } }, server);
    expect((await lifetime('120m')).status).toBe(200);
    expect((await errorOf(lifetime('121m'))).message).toBe('Invalid data.expiresIn. Expected at most 2h');
  });

  it('responds with 403 without the grant, with 404 for what the caller may not see, and without a page', async () => {
    const path = `/api/stories/${ids.story}/actions/preview-link`;
    expect((await send(path, { method: 'POST' })).status).toBe(403);
    expect((await ask(path, 'reads')).status).toBe(403);
    expect((await ask(path, 'links alone')).status).toBe(403);
    expect((await ask(path, bert.jwt)).status).toBe(404);
    expect((await ask(path, anna.jwt)).status).toBe(200);
    expect((await ask(`/api/stories/nothing/actions/preview-link`)).status).toBe(404);
    expect((await ask(`/api/people/${ids.person}/actions/preview-link`)).status).toBe(404);
    expect((await send(path, bearer('full'))).status).toBe(405);
  });

  it('responds with 403 for a draft that the caller may not read, and for an attribute that the caller may not read', async () => {
    const roles = (grants: readonly (string | object)[]) =>
      serve({
        roles: { ...PREVIEWS.roles, authenticated: [...grants] },
      } as never);
    const path = `/api/stories/${ids.story}/actions/preview-link`;
    const noDrafts = roles(id('story', 'findOne', 'previewLink'));
    expect((await ask(path, anna.jwt, undefined, noDrafts)).status).toBe(403);
    expect((await ask(`${path}?status=published`, anna.jwt, undefined, noDrafts)).status).toBe(200);
    const narrow = [{ action: id('story', 'findOne'), fields: ['title'] }, ...id('story', 'readDrafts', 'previewLink')];
    expect((await ask(path, anna.jwt, undefined, roles(narrow))).status).toBe(403);
  });

  it('does not exist without the setting, and is no credential then', async () => {
    const { token } = await storyLink();
    const off = serve({ preview: null });
    expect((await ask(`/api/stories/${ids.story}/actions/preview-link`, 'full', undefined, off)).status).toBe(405);
    expect((await off('/api/stories', bearer(token))).status).toBe(401);
  });

  it('takes the URL that the code of the project returns', async () => {
    const seen: unknown[] = [];
    const own = serveRegistry(previewRegistry, PREVIEWS, {}, undefined, {
      preview: async (uid, document) => {
        seen.push([uid, document]);
        return document.locale === 'fr' ? null : 'https://own.example/{documentId}?t={token}&slug={slug}';
      },
    });
    const path = `/api/stories/${ids.story}/actions/preview-link`;
    const { url, token } = await linkTo(path, 'full', undefined, own);
    expect(url).toBe(`https://own.example/${ids.story}?t=${token}&slug={slug}`);
    expect(seen).toEqual([['api::story.story', { documentId: ids.story, locale: 'en', status: 'draft' }]]);
    expect((await ask(`${path}?locale=fr`, 'full', undefined, own)).status).toBe(404);
  });

  it('takes the URL of the code alone, which no attribute fills, for the types of the settings', async () => {
    const seen: unknown[] = [];
    const own = serveRegistry(previewRegistry, PREVIEWS, {}, undefined, {
      preview: (uid, { locale }) => {
        seen.push([uid, locale]);
        return uid === 'api::front.front' ? '' : 'https://own.example/{id}';
      },
    });
    const { documentId } = await documentOf(full.create('/api/stories?status=draft', { title: 'No slug' }));
    const link = (path: string) => ask(`${path}/actions/preview-link`, 'full', undefined, own);
    for (const path of [`/api/stories/${documentId}`, `/api/dossiers/${ids.dossier}`])
      expect((await documentOf(link(path))).url).toBe('https://own.example/{id}');
    await full.remove(`/api/stories/${documentId}`);
    expect((await link('/api/front')).status).toBe(404);
    expect((await link(`/api/people/${ids.person}`)).status).toBe(404);
    expect(seen).toEqual([
      ['api::story.story', 'en'],
      ['api::dossier.dossier', null],
      ['api::front.front', null],
    ]);
  });

  it('is a 500 if the code of the project throws, or has not ended after 30 seconds', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const endless = () => {
      vi.advanceTimersByTimeAsync(30_000);
      return new Promise<never>(() => {});
    };
    const broken = () => {
      throw new Error('no page');
    };
    for (const preview of [endless, broken]) {
      const own = serveRegistry(previewRegistry, PREVIEWS, {}, undefined, { preview });
      expect((await ask(`/api/stories/${ids.story}/actions/preview-link`, 'full', undefined, own)).status).toBe(500);
    }
  });
});

it('a token is valid for a maker whose password or account is from a time to come, and no longer than for others', async () => {
  const path = `/api/stories/${ids.story}?status=draft`;
  for (const column of ['created_at', 'password_changed_at'])
    for (const ahead of [900, 86_400_000]) {
      const changedAt = Math.ceil((Date.now() + ahead) / 1000) * 1000;
      await env.DB.exec(`update up_users set ${column} = ${changedAt} where id = ${anna.user.id}`);
      const { jwt } = (await (await login(send, 'anna')).json()) as SignedIn;
      const { token, expiresAt } = await storyLink('', jwt);
      expect((await send(path, bearer(token))).status).toBe(200);
      expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
    }
  await env.DB.exec(`update up_users set created_at = 0, password_changed_at = null where id = ${anna.user.id}`);
});

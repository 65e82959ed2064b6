/**
 * @module The composables of `@nuxtjs/strapi`, with the few functions of Nuxt that they import (`nuxt-imports.ts`).
 */
import { ofetch } from 'ofetch';
import { describe, expect, it, vi } from 'vitest';
import { useStrapiAuth } from './node_modules/@nuxtjs/strapi/dist/runtime/composables/useStrapiAuth.js';
import { useStrapiClient } from './node_modules/@nuxtjs/strapi/dist/runtime/composables/useStrapiClient.js';
import { useStrapi } from './node_modules/@nuxtjs/strapi/dist/runtime/composables-v5/useStrapi.js';
import { account, NEW_PASSWORD, PASSWORD, token, unique } from './requests.ts';

vi.stubGlobal('$fetch', ofetch);

const auth = useStrapiAuth();
const client = useStrapiClient();
const { find, findOne, create, update, delete: remove } = useStrapi();

interface Article {
  readonly documentId: string;
  readonly title: string;
  readonly author?: object;
}

describe('documents', () => {
  it('are listed without a token', async () => {
    const { data, meta } = await find<Article>('articles');
    expect(data.length).toBeGreaterThan(3);
    expect(meta.pagination).toBeDefined();
  });

  it('are listed by filters, sort, populate and pages', async () => {
    auth.setToken(token);
    const { data } = await find<Article>('articles', {
      filters: { $or: [{ title: { $containsi: 'the' } }, { format: { $in: ['essay'] } }] },
      sort: ['title:asc'],
      populate: { author: { fields: ['name'] }, categories: true },
      pagination: { page: 1, pageSize: 2 },
      fields: ['title'],
    } as never);
    expect(data).toHaveLength(2);
    expect(data[0]).toHaveProperty('author');
    expect(
      (await find('articles', { status: 'draft', pagination: { limit: 1, start: 0 } } as never)).data,
    ).toHaveLength(1);
  });

  it('are made, read, changed and deleted', async () => {
    const made = { title: 'Nuxt', slug: unique('nuxt') };
    const { documentId } = (await create<Article>('articles', made as never)).data;
    expect((await findOne<Article>('articles', documentId, { populate: '*' } as never)).data.documentId).toBe(
      documentId,
    );
    expect((await update<Article>('articles', documentId, { title: 'Nuxt 2' } as never)).data.title).toBe('Nuxt 2');
    await remove('articles', documentId);
    await expect(findOne('articles', documentId)).rejects.toMatchObject({ error: { status: 404 } });
  });

  it('of single types are changed without a documentId, and other locales are read', async () => {
    const { data } = await findOne<{ headline: string }>('homepage', undefined as never);
    await update('homepage', { headline: data.headline } as never);
    const { data: french } = await find<{ locale: string }>('categories', { locale: 'fr' } as never);
    expect(french[0]?.locale).toBe('fr');
    expect(await client('/i18n/locales')).toHaveLength(2);
  });
});

it('uploads files', async () => {
  const body = new FormData();
  body.append('files', new Blob(['hello'], { type: 'text/plain' }), 'hello.txt');
  const [file] = await client<{ id: number }[]>('/upload', { method: 'POST', body } as never);
  expect(file?.id).toBeGreaterThan(0);
  await client(`/upload/files/${file?.id}`, { method: 'DELETE' } as never);
});

describe('a user', () => {
  const username = unique('nuxtuser');

  it('registers, signs in, and is told as themselves', async () => {
    const { user } = await auth.register(account(username));
    expect(user.value).toMatchObject({ username });
    const entered = await auth.login({ identifier: username, password: PASSWORD });
    expect(entered.jwt).toBeTruthy();
    expect(entered.user.value).toMatchObject({ username });
  });

  it('goes on after a change of password with the token there was, where the settings let it', async () => {
    const change = { currentPassword: PASSWORD, password: NEW_PASSWORD, passwordConfirmation: NEW_PASSWORD };
    await auth.changePassword(change);
    expect((await auth.fetchUser()).value).toMatchObject({ username });
  });

  it('asks for messages, and is told why there is no way in', async () => {
    await auth.forgotPassword({ email: `${username}@example.com` });
    await auth.sendEmailConfirmation({ email: `${username}@example.com` });
    const error = { name: 'ValidationError' };
    await expect(auth.login({ identifier: username, password: 'x' })).rejects.toMatchObject({ error });
  });
});

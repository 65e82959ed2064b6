/**
 * @module `strapi-sdk-js`, the SDK of the community.
 */
import { createRequire } from 'node:module';
import type StrapiSdk from 'strapi-sdk-js';
import { describe, expect, it } from 'vitest';
import { account, NEW_PASSWORD, PASSWORD, token, unique, url } from './requests.ts';

// Its module form does not load in Node.
const Sdk: typeof StrapiSdk = createRequire(import.meta.url)('strapi-sdk-js');

const sdkOf = (jwt?: string) =>
  new Sdk({ url, axiosOptions: jwt ? { headers: { Authorization: `Bearer ${jwt}` } } : {} });
const anonymous = sdkOf();
const sdk = sdkOf(token);

interface Article {
  readonly documentId: string;
  readonly title: string;
  readonly rating: number;
  readonly author?: object;
}

describe('documents', () => {
  it('are listed by filters, sort, populate and pages', async () => {
    const { data, meta } = await sdk.find<Article>('articles', {
      filters: { title: { $containsi: 'a' }, author: { name: { $notNull: true } } },
      sort: ['title:desc'],
      populate: ['author', 'categories'],
      fields: ['title'],
      pagination: { page: 1, pageSize: 2, withCount: true },
    });
    expect(data).toHaveLength(2);
    expect(data[0]?.author).toBeDefined();
    expect(meta).toMatchObject({ pagination: { pageSize: 2 } });
    await sdk.find('articles', { populate: { author: { populate: ['avatar'] }, sections: { populate: '*' } } });
    await sdk.find('articles', { status: 'draft' } as never);
  });

  it('are made, found by any text, changed and deleted', async () => {
    const title = `SDK & friends + 100% ${unique('')}`;
    const { data } = await sdk.create<Article>('articles', { title, slug: unique('sdk') });
    const { documentId } = data;
    expect((await sdk.findOne<Article>('articles', documentId, { populate: '*' })).data.title).toBe(title);
    expect((await sdk.find<Article>('articles', { filters: { title: { $eq: title } } })).data).toHaveLength(1);
    expect(
      (await sdk.update<Article>('articles', documentId, { summary: null, rating: 3.5 } as never)).data.rating,
    ).toBe(3.5);
    await sdk.delete('articles', documentId);
    const error = { status: 404, name: 'NotFoundError' };
    await expect(sdk.findOne('articles', documentId)).rejects.toMatchObject({ error });
  });

  it('of single types and of other locales are read', async () => {
    expect((await sdk.find('homepage', { populate: '*' })).data).toHaveProperty('headline');
    const { data } = await sdk.find<{ locale: string }>('categories', { locale: 'fr' });
    expect(data[0]?.locale).toBe('fr');
  });
});

describe('users', () => {
  it('register, sign in, read themselves and change their password', async () => {
    const username = unique('sdkuser');
    const { jwt } = await anonymous.register(account(username));
    expect(jwt).toBeTruthy();
    const entered = await anonymous.login({ identifier: username, password: PASSWORD });
    const own = sdkOf(entered.jwt);
    const user = await own.fetchUser({ populate: 'role' });
    expect(user ?? own.user).toMatchObject({ username });
    const change = { currentPassword: PASSWORD, password: NEW_PASSWORD, passwordConfirmation: NEW_PASSWORD };
    expect((await own.changePassword(change)).jwt).toBeTruthy();
    await anonymous.forgotPassword({ email: `${username}@example.com` });
  });

  it('are told why they cannot come in', async () => {
    const error = { status: 400, message: 'Invalid identifier or password' };
    await expect(anonymous.login({ identifier: 'nobody', password: 'x' })).rejects.toMatchObject({ error });
  });
});

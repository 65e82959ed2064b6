/**
 * @module Presets of `populates` in requests: `populate=@card`.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { clientOf, documentOf, documentsOf, errorOf } from '../../support/client.ts';
import { serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';
import { createPopulatedWorld, type Names } from './populated-world.ts';

type Presets = NonNullable<SettingsInput['populates']>;
type PresetInput = Presets[string][string];

const populates: Presets = {
  'api::article.article': {
    card: {
      fields: ['title', 'price'],
      populate: { author: { populate: '@byline' }, tags: { limit: 1, fields: ['name'] } },
    },
    same: { populate: '@card' },
    wide: { populate: '*' },
  },
  'api::author.author': { byline: { fields: ['name'], populate: 'links' } },
};
const settings = { populates };
const { client } = openMagazine(settings);
let names: Names;

beforeAll(async () => {
  names = await createPopulatedWorld(client);
});

const SPELLED =
  'populate[author][fields]=name&populate[author][populate]=links&populate[tags][limit]=1&populate[tags][fields]=name';

describe('a preset', () => {
  it.each([
    ['populate=@card', `fields=title,price&${SPELLED}`],
    ['populate[0]=@card', `fields=title,price&${SPELLED}`],
    ['populate=@same', `fields=title,price&${SPELLED}`],
    ['populate=@card&fields=slug', `fields=slug&${SPELLED}`],
    ['populate=@wide', 'populate=*'],
  ])('shows what it stands for: %s', async (short, spelled) => {
    const all = await documentsOf(client.get(`/api/articles?${spelled}`));
    expect(await documentsOf(client.get(`/api/articles?${short}`))).toEqual(all);
    const one = await documentOf(client.get(`/api/articles/${names.second}?${short}`));
    expect(one).toEqual(await documentOf(client.get(`/api/articles/${names.second}?${spelled}`)));
  });

  it('stands below a relation, too', async () => {
    const short = 'populate[articles][populate]=@card&populate[articles][limit]=1';
    const spelled = `populate[articles][limit]=1&populate[articles][fields]=title,price&${SPELLED.replaceAll('populate[', 'populate[articles][populate][').replaceAll('[author][populate][articles][populate]', '[author][populate]')}`;
    const [author] = await documentsOf(client.get(`/api/authors?${short}`));
    expect(author).toEqual((await documentsOf(client.get(`/api/authors?${spelled}`)))[0]);
    const [own] = await documentsOf(client.get(`/api/authors?${short}&populate[articles][fields]=slug`));
    expect(own?.articles).toMatchObject([{ author: { name: 'Author' } }]);
    expect(own?.articles).not.toMatchObject([{ title: expect.anything() }]);
  });

  it('shows the response of a write', async () => {
    const { author, price } = await documentOf(
      client.update(`/api/articles/${names.first}?populate=@card`, { price: 7 }),
    );
    expect({ author, price }).toMatchObject({ author: { name: 'Author' }, price: 7 });
  });

  it('leaves out what the caller may not see', async () => {
    const fields = ['title', 'tags'];
    const visitor = serve({ ...settings, roles: { public: [{ action: 'api::article.article.find', fields }] } });
    const { data } = (await (await visitor('/api/articles?populate=@card')).json()) as { data: object[] };
    expect(Object.keys(data[0] ?? {})).toEqual(['id', 'documentId', 'title']);
    const tags = serve({
      ...settings,
      roles: { public: [{ action: 'api::article.article.find', fields }, 'api::tag.tag.find'] },
    });
    const { data: more } = (await (await tags('/api/articles?populate=@card')).json()) as { data: object[] };
    expect(Object.keys(more[0] ?? {})).toEqual(['id', 'documentId', 'title', 'tags']);
  });

  it.each<readonly [how: string, preset: PresetInput]>([
    ['an entry', { populate: { author: true, tags: { fields: ['name'] } } }],
    ['a path', { populate: ['author', 'tags'] }],
    ['a text of paths', { populate: 'author,tags' }],
    ['a longer path', { populate: ['author.avatar', 'tags'] }],
    ['fields', { fields: ['title', 'price'], populate: 'tags' }],
    ['fields of a relation', { populate: { tags: { fields: ['name', 'color'] } } }],
    ['another preset', { populate: '@paths' }],
  ])('leaves out what the caller may not see where it is named by %s', async (_, preset) => {
    const find = (type: string, fields: string[]) => ({ action: [`api::${type}.${type}.find`], fields });
    const visitor = serve({
      populates: { 'api::article.article': { given: preset, paths: { populate: ['author', 'tags'] } } },
      roles: { public: [find('article', ['title', 'tags']), find('tag', ['name'])] },
    });
    const response = await visitor(`/api/articles/?populate=@given&sort=title`);
    const { data } = (await response.json()) as { data: readonly { tags: readonly object[] }[] };
    expect(response.status).toBe(200);
    const [tag] = data.flatMap(({ tags }) => tags);
    expect(Object.keys(data[0] ?? {})).toEqual(['id', 'documentId', 'title', 'tags']);
    expect(Object.keys(tag ?? {})).toEqual(['id', 'documentId', 'name']);
  });

  it.each([
    ['populate=@nope', 'There is no populate @nope of api::article.article'],
    ['populate=@byline', 'There is no populate @byline of api::article.article'],
    ['populate=@__proto__', 'There is no populate @__proto__ of api::article.article'],
    ['populate[author][populate]=@card', 'There is no populate @card of api::author.author'],
    ['populate=@card,tags', 'Invalid key @card. Expected a preset alone: populate=@card'],
    ['populate=tags,@card', 'Invalid key @card. Expected a preset alone: populate=@card'],
    ['populate[0]=@card&populate[1]=@same', 'Invalid key @card. Expected a preset alone: populate=@card'],
    [
      'populate[author]=@byline',
      'Invalid key @byline at author. Expected a preset below it: populate[author][populate]=@byline',
    ],
  ])('is rejected by its name: %s', async (search, message) => {
    expect(await errorOf(client.get(`/api/articles?${search}`))).toMatchObject({ status: 400, message });
  });

  it('is rejected without the name of a type that the caller may not list', async () => {
    const visitor = clientOf(serve({ populates, roles: { public: ['api::article.article.find'] } }), '');
    const { message } = await errorOf(visitor.get('/api/articles?populate[author][populate]=@nope'));
    expect(message).toBe('There is no populate @nope');
  });

  it('is an unknown key without extensions', async () => {
    const strapi = clientOf(serve({ populates, api: { rest: { extensions: false } } }), 'full');
    expect(await errorOf(strapi.get('/api/articles?populate=@card'))).toMatchObject({ message: 'Invalid key @card' });
  });
});

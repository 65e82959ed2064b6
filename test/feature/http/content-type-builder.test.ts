/**
 * @module `/api/content-type-builder`: what Strapi 5.54 answered for the content types of the demo.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import components from '../../conformance/corpus/content-type-builder/components.json';
import contentTypes from '../../conformance/corpus/content-type-builder/content-types.json';
import { type Send, serveRegistry } from '../../support/app.ts';
import { errorOf } from '../../support/client.ts';
import { demoRegistry } from '../../support/demo-registry.ts';
import { bearer, createToken } from '../../support/recorded.ts';
import { component, contentType, registryOf, userFile } from '../../support/schema-files.ts';
import { register } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const TYPES = '/api/content-type-builder/content-types';
const COMPONENTS = '/api/content-type-builder/components';
const ACTIONS = 'plugin::content-type-builder';

interface Told {
  readonly uid: string;
}

const { send } = openWorld(demoRegistry);

const byUid = (list: readonly Told[]) => list.toSorted((left, right) => (left.uid < right.uid ? -1 : 1));

async function told(path: string, by: Send = send): Promise<unknown> {
  const { data } = (await (await by(path, bearer('full'))).json()) as { data: unknown };
  return data;
}

beforeAll(async () => {
  await createToken('reads', 'read-only');
  await createToken('lists', 'custom', [`${ACTIONS}.content-types.getContentTypes`]);
});

describe('schemas', () => {
  const paths = [TYPES, `${TYPES}/api::article.article`, COMPONENTS, `${COMPONENTS}/shared.seo`, `${TYPES}/api::no.no`];

  it.each(paths)('at %s are refused to the public, to users and to read-only tokens', async (path) => {
    expect(await errorOf(send(path))).toMatchObject({ status: 403, name: 'ForbiddenError' });
    const { jwt } = await register(send, `reader${path.length}`);
    expect(await errorOf(send(path, bearer(jwt)))).toMatchObject({ status: 403 });
    expect(await errorOf(send(path, bearer('reads')))).toMatchObject({ status: 403 });
  });

  it('need the action of each path', async () => {
    expect((await send(TYPES, bearer('lists'))).status).toBe(200);
    expect((await send(`${TYPES}/api::article.article`, bearer('lists'))).status).toBe(403);
    expect((await send(COMPONENTS, bearer('lists'))).status).toBe(403);
    const open = serveRegistry(demoRegistry, { roles: { public: [`${ACTIONS}.components.getComponent`] } });
    expect((await open(`${COMPONENTS}/shared.seo`)).status).toBe(200);
    expect((await open(COMPONENTS)).status).toBe(403);
  });
});

describe('content types', () => {
  it('are told as Strapi tells them', async () => {
    expect(byUid((await told(TYPES)) as readonly Told[])).toEqual(byUid(contentTypes.data));
  });

  it('stand in the order in which Strapi lists them', async () => {
    const uids = ((await told(TYPES)) as readonly Told[]).map(({ uid }) => uid);
    expect(uids).toEqual(contentTypes.data.map(({ uid }) => uid));
  });

  it('are told one by one, with and without escapes in the path', async () => {
    const article = contentTypes.data.find(({ uid }) => uid === 'api::article.article');
    expect(await told(`${TYPES}/api::article.article`)).toEqual(article);
    expect(await told(`${TYPES}/api%3A%3Aarticle.article/`)).toEqual(article);
    expect(await told(`${TYPES}/plugin::users-permissions.user`)).toMatchObject({ apiID: 'user' });
  });

  it.each(['api::no.no', 'plugin::upload.file', 'admin::user', '__proto__', '%E0%A4%A'])(
    'are not found as %s',
    async (uid) => {
      const error = { status: 404, name: 'NotFoundError', message: 'contentType.notFound', details: {} };
      expect(await errorOf(send(`${TYPES}/${uid}`, bearer('full')))).toEqual(error);
    },
  );

  it('can be asked for by kind, and by no kind that is none', async () => {
    const single = (await told(`${TYPES}?kind=singleType`)) as readonly Told[];
    expect(single.map(({ uid }) => uid)).toEqual(['api::homepage.homepage']);
    expect(await told(`${TYPES}?kind=singleType&kind=collectionType`)).toEqual(single);
    expect((await send(`${COMPONENTS}?kind=other`, bearer('full'))).status).toBe(200);
    const message = 'kind must be one of the following values: collectionType, singleType';
    expect(await errorOf(send(`${TYPES}?kind=other`, bearer('full')))).toMatchObject({ status: 400, message });
  });

  it('keep what their files say, whatever it is', async () => {
    const odd = { type: 'string', customField: 'plugin::color.color', options: { format: 'hex' } };
    const model = registryOf([contentType('thing', { odd }, { table: 'odd_things' })]);
    const type = await told(`${TYPES}/api::thing.thing`, serveRegistry(model));
    expect(type).toMatchObject({ schema: { collectionName: 'odd_things', attributes: { odd } } });
  });

  it('of users have the attributes that the project gives them', async () => {
    const attributes = { nickname: { type: 'string' }, face: { type: 'media', allowedTypes: ['images'] } };
    const by = serveRegistry(registryOf([], [], {}, { user: userFile(attributes) }));
    const user = await told(`${TYPES}/plugin::users-permissions.user`, by);
    const face = { type: 'media', multiple: false, required: false, private: false, allowedTypes: ['images'] };
    expect(user).toMatchObject({ schema: { attributes: { nickname: { type: 'string' }, face, confirmed: {} } } });
  });
});

describe('components', () => {
  it('are told as Strapi tells them', async () => {
    expect(byUid((await told(COMPONENTS)) as readonly Told[])).toEqual(byUid(components.data));
  });

  it('are found by their name, in its letter case', async () => {
    const model = registryOf([], [component('shared.SEO', { title: { type: 'string' } })]);
    const by = serveRegistry(model);
    expect(await told(`${COMPONENTS}/shared.SEO`, by)).toMatchObject({ category: 'shared', apiId: 'SEO' });
    const error = { status: 404, message: 'component.notFound' };
    expect(await errorOf(by(`${COMPONENTS}/shared.seo`, bearer('full')))).toMatchObject(error);
  });
});

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tallyLines } from '../../../../cli/core/content-counts.ts';
import type { Storage } from '../../../../cli/core/storage/bindings.ts';
import { readMarkers } from '../../../../cli/import/marker.ts';
import { archiveOf } from '../../../support/archive.ts';
import { contentOf, type Imported, importBytes, useTestStorage } from './imported.ts';
import { article, link, MAGAZINE, SCHEMAS, TIME, tag } from './magazine.ts';

const MILLISECONDS = Date.parse(TIME);

const storage = await useTestStorage();
let whole: Buffer;
let dry: Imported;

beforeAll(async () => {
  whole = await archiveOf(MAGAZINE);
  dry = await importBytes(whole);
  await storage.prepare(dry.registry);
});
beforeEach(() => storage.clear());

/** The same storage, which tells how many bytes the longest text has that was bound. */
function measuring({ db, bucket }: Storage) {
  let longest = 0;
  const prepare = (sql: string) => {
    const statement = db.prepare(sql);
    const bind = (...values: unknown[]) => {
      longest = Math.max(longest, ...values.map((value) => Buffer.byteLength(String(value))));
      return statement.bind(...values);
    };
    return new Proxy(statement, { get: (target, name) => (name === 'bind' ? bind : Reflect.get(target, name)) });
  };
  const measured = new Proxy(db, { get: (target, name) => (name === 'prepare' ? prepare : Reflect.get(target, name)) });
  return { measured: { bucket, db: measured }, longest: () => longest };
}

const one = async (sql: string) => (await storage.rows(sql))[0];

describe('what breaks a rule in an archive', () => {
  const remarksOf = async (parts: object) => {
    const { warnings, leftOut } = await importBytes(await archiveOf({ ...MAGAZINE, ...parts }), storage);
    return [...warnings, ...tallyLines(leftOut)].join('\n');
  };

  it('is a second row of one version: the first one is taken', async () => {
    const entities = [article(1, 'one', { title: 'First' }), article(2, 'one', { title: 'Second' })];
    expect(await remarksOf({ entities, links: [] })).toMatch(
      /^1 version: api::article\.article: rows of a document, locale and status that another row has$/m,
    );
    expect(await storage.rows('select "title" from "articles"')).toEqual([{ title: 'First' }]);
  });

  it('is a link to a row that is not there: it is left out, and counted', async () => {
    const links = [99, 98].map((ref) => ({
      ...{
        kind: 'relation.basic',
        relation: 'manyToMany',
        left: { type: 'api::article.article', field: 'tags', ref: 11 },
      },
      right: { type: 'api::tag.tag', field: 'articles', ref },
    }));
    expect(await remarksOf({ links })).toMatch(
      /^2 links: api::article\.article\.tags: to or from a row that the archive lacks$/m,
    );
    expect(await storage.rows('select 1 from "articles_tags_lnk"')).toEqual([]);
  });

  it('is the same link twice: one is taken', async () => {
    const same = MAGAZINE.links.slice(0, 1);
    await remarksOf({ links: [...same, ...same] });
    expect(await storage.rows('select 1 from "articles_tags_lnk"')).toHaveLength(1);
  });

  it('is a component that nobody owns, with its links', async () => {
    const links = [
      {
        ...{ kind: 'relation.basic', relation: 'oneToOne', left: { type: 'shared.card', field: 'tag', ref: 77 } },
        right: { type: 'api::tag.tag', ref: 21 },
      },
    ];
    expect(await remarksOf({ links })).toMatch(/^1 link: of a component that no imported row has$/m);
  });

  it('is a value that its column cannot hold: it is left empty', async () => {
    const entities = [article(1, 'one', { views: 'many', seen: 'never', day: 'someday' })];
    expect(await remarksOf({ entities, links: [] })).toMatch(/views: a value is no biginteger; left empty/);
    expect(await one('select "views", "seen", "day" from "articles"')).toEqual({
      views: null,
      seen: null,
      day: 'someday',
    });
  });

  it('are an attribute of a plugin and a relation to a type that is not there', async () => {
    const [first, ...others] = SCHEMAS as readonly { readonly attributes: object }[];
    const attributes = {
      ...first?.attributes,
      stage: { type: 'relation', relation: 'manyToOne', target: 'plugin::review-workflows.workflow-stage' },
      other: { type: 'relation', relation: 'oneToOne', target: 'api::other.other' },
      map: { type: 'customField', customField: 'plugin::map.map' },
      about: { type: 'relation', relation: 'morphMany', target: 'api::tag.tag', morphBy: 'gone' },
      gone: { type: 'component', component: 'shared.gone' },
    };
    const warnings = await remarksOf({ schemas: [{ ...first, attributes }, ...others] });
    for (const name of ['stage', 'other', 'map', 'about', 'gone'])
      expect(warnings).toContain(`api::article.article.${name} is `);
  });

  it('are bytes that no file has', async () => {
    expect(dry.warnings.join('\n')).not.toMatch(/(top|hook)-secret/);
    expect(await remarksOf({})).toContain('1 file: bytes of a file that the archive does not name');
    expect(await storage.bucket.head('nobody.png')).toBeNull();
  });
});

describe('an import', () => {
  it('keeps documents, versions, locales, times and every value', async () => {
    await importBytes(whole, storage);
    expect(
      await storage.rows('select "document_id", "locale", "published_at" is null as "draft" from "articles"'),
    ).toEqual([
      { document_id: 'one', locale: 'en', draft: 1 },
      { document_id: 'one', locale: 'en', draft: 0 },
      { document_id: 'one', locale: 'de', draft: 1 },
      { document_id: 'two', locale: 'en', draft: 1 },
    ]);
    expect(
      await one('select *, cast("views" as text) as "views" from "articles" where "published_at" is not null'),
    ).toMatchObject({
      ...{
        title: 'It’s \u2028 "quoted"\n\\ 👩‍👩‍👧',
        slug: 'its',
        views: '9007199254740993',
        price: 12.34,
        ratio: 0.1 + 0.2,
      },
      ...{ day: '2026-01-31', at: '12:30:00.000', seen: MILLISECONDS, open: 1, extra: '{"a":[1,null]}', tone: 'calm' },
      ...{ code: '$2a$10$hash', published_at: MILLISECONDS, created_at: MILLISECONDS, updated_at: MILLISECONDS },
    });
  });

  it('keeps links in their versions and orders, from both ends', async () => {
    await importBytes(whole, storage);
    const links = 'select "source_document_id" as "source", "target_document_id" as "target", "status" from';
    expect(
      await storage.rows(
        `${links} "articles_tags_lnk" where "source_document_id" = 'one' order by "status", "position"`,
      ),
    ).toEqual([
      { source: 'one', target: 'tagblue', status: 'draft' },
      { source: 'one', target: 'tagred', status: 'draft' },
      { source: 'one', target: 'tagred', status: 'published' },
    ]);
    expect(
      await storage.rows(
        `${links} "articles_tags_lnk" where "target_document_id" = 'tagred' and "status" = 'draft' order by "inverse_position"`,
      ),
    ).toEqual([
      { source: 'one', target: 'tagred', status: 'draft' },
      { source: 'two', target: 'tagred', status: 'draft' },
    ]);
    expect(await storage.rows(`${links} "articles_gallery_lnk"`)).toEqual([
      { source: 'one', target: 'file1', status: 'draft' },
    ]);
    expect(await one('select "position" from "articles_tags_lnk" where "target_document_id" = \'tagblue\'')).toEqual({
      position: 65_536,
    });
  });

  it.each([
    ['no positions', [undefined, undefined, undefined]],
    ['the same position', [1, 1, 1]],
  ])('keeps the order of the archive where links have %s', async (_, positions) => {
    const links = [24, 21, 22].map((ref, at) =>
      link(
        { type: 'api::article.article', field: 'tags', ref: 14, pos: positions[at] },
        { type: 'api::tag.tag', field: 'articles', ref },
      ),
    );
    await importBytes(await archiveOf({ ...MAGAZINE, links }), storage);
    const stored = await storage.rows(
      'select "target_document_id" as "tag" from "articles_tags_lnk" order by "position"',
    );
    expect(stored.map(({ tag: name }) => name)).toEqual(['taggreen', 'tagred', 'tagblue']);
  });

  it('puts relations and media into the components that have them', async () => {
    await importBytes(whole, storage);
    const seo = JSON.parse(
      String(
        (await one('select "seo" from "articles" where "published_at" is null and "locale" = \'en\' limit 1'))?.seo,
      ),
    );
    expect(seo.cards[0]).toMatchObject({
      ...{ label: 'c', image: [], tag: [{ documentId: 'taggreen', locale: '' }] },
      articles: [{ documentId: 'two', locale: 'en' }],
    });
    const sections = JSON.parse(
      String((await one('select "sections" from "articles" where "document_id" = \'two\''))?.sections),
    );
    expect(sections.map(({ __component }: { __component: string }) => __component)).toEqual([
      'shared.card',
      'shared.seo',
    ]);
    expect(sections[0].image).toEqual([{ documentId: 'file1', locale: '' }]);
    expect(sections[0].id).not.toBe(sections[1].id);
  });

  it('puts relations into components by their positions, whatever their order in the archive is', async () => {
    const links = [11, 14].map((ref, index) =>
      link(
        { type: 'shared.card', field: 'articles', ref: 9, pos: 2 - index },
        { type: 'api::article.article', ref },
        'oneToMany',
      ),
    );
    await importBytes(await archiveOf({ ...MAGAZINE, links }), storage);
    const row = await one('select "sections" from "articles" where "document_id" = \'two\'');
    const [card] = JSON.parse(String(row?.sections));
    expect(card.articles.map(({ documentId }: { documentId: string }) => documentId)).toEqual(['two', 'one']);
  });

  it('takes users with their hashes and roles, and without the codes of messages', async () => {
    const { settings } = await importBytes(whole, storage);
    const user = await one('select * from "up_users"');
    expect(user).toMatchObject({
      password: '$2a$10$anna',
      username_key: 'anna',
      reset_password_token: null,
      confirmation_token: null,
    });
    expect(Number(user?.password_changed_at)).toBeGreaterThan(MILLISECONDS);
    expect(await one('select "target_document_id" as "role" from "up_users_role_lnk"')).toEqual({
      role: 'roleauthenticated',
    });
    expect(
      await one('select "id", "name", "created_at" as "at" from "up_roles" where "type" = \'authenticated\''),
    ).toEqual({ id: 1, name: 'Members', at: MILLISECONDS });
    expect(settings.users.roleDetails.authenticated).toEqual({
      documentId: 'roleauthenticated',
      name: 'Members',
      description: 'D',
    });
    expect(settings.roles.public).toEqual(['api::article.article.find']);
    expect(settings.users.defaultGrants).toBe(false);
    expect(settings.i18n.locales.map(({ code, isDefault }) => [code, isDefault])).toEqual([
      ['en', false],
      ['de', true],
    ]);
  });

  it.each([
    ['local', null],
    ['google', 1],
    ['facebook', null],
    [null, null],
  ])('takes the address of a user of the provider %j as proven: %j', async (provider, proven) => {
    const entities = JSON.parse(
      JSON.stringify(MAGAZINE.entities).replace('"provider":"local"', `"provider":${JSON.stringify(provider)}`),
    );
    await importBytes(await archiveOf({ ...MAGAZINE, entities }), storage);
    expect(await one('select "email_proven" as "proven" from "up_users"')).toEqual({ proven });
  });

  it('takes webhooks as a setting, with names of secrets in place of values of headers', async () => {
    const { settings, warnings } = await importBytes(whole);
    expect(settings.webhooks).toMatchObject([
      {
        url: 'https://hook.test/',
        events: ['entry.publish', 'media.create', 'entry.delete'],
        headers: { 'x-key': '$WEBHOOK_1_X_KEY' },
      },
    ]);
    expect(warnings.filter((line) => line.includes('webhook'))).toEqual([
      'the webhook "hook" takes releases.publish, which Edgewise does not send',
      'the webhook "hook" sends the header x-key. Its value is not copied: npx wrangler secret put WEBHOOK_1_X_KEY',
      'the webhook "local" is left out: url: a public address; "localhost" is private, which allowPrivate: true allows',
      'the webhook "off" is disabled; left out',
    ]);
    expect(JSON.stringify([settings, warnings])).not.toContain('hook-secret');
  });

  it('takes login providers as a setting, without their secrets, and names those that are not there', async () => {
    const { settings, warnings } = await importBytes(whole);
    const client = (name: string) => ({ clientId: 'client', secret: `${name}_SECRET` });
    const page = 'https://www.example.com/connect';
    expect(settings.users?.providers).toMatchObject({
      github: { ...client('GITHUB'), callback: `${page}/github` },
      google: { ...client('GOOGLE'), issuer: 'https://accounts.google.com' },
      keycloak: { ...client('KEYCLOAK'), issuer: 'https://sso.example.com/realms/site', callback: `${page}/keycloak` },
      auth0: { ...client('AUTH0'), issuer: 'https://tenant.eu.auth0.com/' },
      cognito: { ...client('COGNITO'), issuer: 'https://cognito.example.com/pool' },
    });
    const notCopied = ['github', 'google', 'keycloak', 'auth0', 'cognito'].map(
      (name) =>
        `the secret of the login provider ${name} is not copied: npx wrangler secret put ${name.toUpperCase()}_SECRET`,
    );
    expect(warnings.filter((line) => line.includes('login provider'))).toEqual([
      ...notCopied,
      'the login provider discord is left out: clientId: the id that the provider has given',
      expect.stringMatching(/^the login provider twitter is not there; left out: see .*providers\.md$/),
    ]);
    expect(JSON.stringify([settings, warnings])).not.toContain('top-secret');
  });

  it('takes bytes under the names that they had, with their type, and shows files there', async () => {
    await importBytes(whole, storage);
    const object = await storage.bucket.get('a_1.PNG');
    expect(await object?.text()).toBe('the bytes of a');
    expect(object?.httpMetadata?.contentType).toBe('image/png');
    expect(
      await one(
        'select "url", "provider", "folder_path", "caption", "formats" ->> \'$.thumbnail.url\' as "thumb" from "files"',
      ),
    ).toEqual({
      ...{ url: '/uploads/a_1.PNG', provider: 'r2', folder_path: '/2/3', caption: 'C', thumb: '/uploads/t_a_1.png' },
    });
  });

  it('counts what is there, and says that it is whole', async () => {
    await importBytes(whole, storage);
    expect(
      await storage.rows(
        'select "locale", "status", "total" from "edgewise_counters" where "type" = \'api::article.article\'',
      ),
    ).toEqual([
      { locale: 'de', status: 'draft', total: 1 },
      { locale: 'en', status: 'draft', total: 2 },
      { locale: 'en', status: 'published', total: 1 },
    ]);
    expect(await readMarkers(storage.db)).toMatchObject([{ stage: 'done', finishedAt: expect.any(Number) }]);
  });

  it('takes rows beside each other that have no room in one statement, and links of long documentIds', async () => {
    const long = (index: number) => `${index}${'漢'.repeat(250)}`;
    const articles = [400_000, 590_000, 300_000].map((length, index) =>
      article(100 + index, long(index), { title: '漢'.repeat(length) }),
    );
    const tags = Array.from({ length: 2_500 }, (_, index) => ({
      ...tag(1000 + index, `n${index}`),
      ...{ type: 'api::tag.tag', id: 1000 + index, data: { documentId: long(index), name: 'n', publishedAt: TIME } },
    }));
    const links = tags.map(({ id }, index) => ({
      ...{ kind: 'relation.basic', relation: 'manyToMany' },
      left: { type: 'api::article.article', field: 'tags', ref: 100, pos: index + 1 },
      right: { type: 'api::tag.tag', field: 'articles', ref: id, pos: 1 },
    }));
    const bytes = await archiveOf({ ...MAGAZINE, entities: [...articles, ...tags], links });
    const { measured, longest } = measuring(storage);
    expect((await importBytes(bytes, measured)).taken).toMatchObject({ versions: 2_503, links: 2_500 });
    // https://developers.cloudflare.com/d1/platform/limits/: a bound text has 2 MB at most.
    expect(longest()).toBeLessThan(2_000_000);
    expect(await storage.rows('select length("title") as "length" from "articles" order by "id"')).toEqual([
      { length: 400_000 },
      { length: 590_000 },
      { length: 300_000 },
    ]);
  });

  it('changes nothing if every batch is sent a second time', async () => {
    await importBytes(whole, storage);
    const before = await contentOf(storage);
    await importBytes(whole, storage);
    expect(await contentOf(storage)).toEqual(before);
  });

  it('counts what it would write when it only looks', async () => {
    const { taken } = await importBytes(whole, storage);
    expect(taken.documents).toBeGreaterThan(0);
    expect(dry.taken).toEqual(taken);
  });
});

describe('a replacement', () => {
  it('puts an object again whose bytes are others of the same number, and no object that is the same', async () => {
    await storage.bucket.put('a_1.PNG', 'THE BYTES OF A');
    await importBytes(whole, storage, { mode: 'replace' });
    const first = await storage.bucket.get('a_1.PNG');
    expect(await first?.text()).toBe('the bytes of a');
    await importBytes(whole, storage, { mode: 'replace' });
    expect((await storage.bucket.head('a_1.PNG'))?.version).toBe(first?.version);
  });

  it('leaves no picture on request, which may show other bytes or another focal point', async () => {
    await storage.bucket.put('pictures/a_1.PNG/64-75.webp', 'a picture');
    await storage.rows("insert into \"edgewise_pictures\" values ('pictures/a_1.PNG/64-75.webp', 'claim', 1)");
    await importBytes(whole, storage, { mode: 'replace' });
    expect(await storage.bucket.head('pictures/a_1.PNG/64-75.webp')).toBeNull();
    expect(await storage.rows('select 1 from "edgewise_pictures"')).toEqual([]);
  });

  it('leaves nothing of what was there, but tokens', async () => {
    await storage.rows('insert into "tags" ("document_id", "published_at") values (\'old\', 1)');
    await storage.rows(
      'insert into "strapi_api_tokens" ("document_id", "published_at", "name") values (\'token\', 1, \'kept\')',
    );
    await storage.rows("insert into \"edgewise_identities\" values ('https://issuer', '1', 'old', 'google', 1)");
    await storage.rows(
      `insert into "edgewise_oauth_grants" values ('g', 'old', 'c', 'h', 'n', 'read', null, 'k', 1, 1, null, 9e15)`,
    );
    await importBytes(whole, storage, { mode: 'replace' });
    expect(await storage.rows('select 1 from "edgewise_oauth_grants"')).toEqual([]);
    expect(await storage.rows('select 1 from "tags" where "document_id" = \'old\'')).toEqual([]);
    expect(await storage.rows('select 1 from "edgewise_identities"')).toEqual([]);
    expect(await storage.rows('select 1 from "strapi_api_tokens"')).toHaveLength(1);
    expect(await storage.rows('select 1 from "tags"')).toHaveLength(3);
  });
});

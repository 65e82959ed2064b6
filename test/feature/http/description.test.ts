/**
 * @module `/openapi.json`: who is told of what, and that it is an answer like others.
 */
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../../src/features/description/openapi.ts';
import type { SchemaFile } from '../../../src/schema/build.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { createWorker } from '../../../src/worker.ts';
import { serveRegistry } from '../../support/app.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, createToken } from '../../support/recorded.ts';
import { component, contentType, registryOf, userFile } from '../../support/schema-files.ts';
import { register } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const PATH = '/openapi.json';
const one = (target: string) => ({ type: 'relation', relation: 'oneToOne', target: `api::${target}.${target}` });

const toMany = (relation: string, target: string) => ({
  type: 'relation',
  relation,
  target: `api::${target}.${target}`,
});

const withConfig = ({ path, json }: SchemaFile, mainField: string, ...rows: readonly (readonly string[])[]) => {
  const edit = rows.map((names) => names.map((name) => ({ name, size: 6 })));
  return { path, json: { ...(json as object), config: { settings: { mainField }, layouts: { edit } } } };
};

/** What nobody is to read of here begins with `hush`. */
const registry = registryOf(
  [
    withConfig(
      contentType(
        'note',
        {
          title: { type: 'string', required: true },
          tone: { type: 'enumeration', enum: ['calm', 'loud'], default: 'calm' },
          hushmemo: { type: 'enumeration', private: true, enum: ['hushvalue'], default: 'hushvalue' },
          hushsecret: one('hushvault'),
          topic: one('topic'),
          seo: { type: 'component', component: 'shared.seo' },
          parts: { type: 'dynamiczone', components: ['shared.seo'] },
          slug: { type: 'uid', targetField: 'hushmemo' },
          link: { type: 'string', conditions: { visible: { '==': [{ var: 'tone' }, 'calm'] } } },
          place: { type: 'string', conditions: { visible: { '==': [{ var: 'hushmemo' }, 'hushvalue'] } } },
          subject: { ...toMany('manyToMany', 'topic'), inversedBy: 'notes' },
          matter: { ...toMany('manyToMany', 'topic'), inversedBy: 'hushnotes' },
        },
        { privateAttributes: ['hushmemo'] },
      ),
      'tone',
      ['hushmemo'],
      ['tone', 'title', 'nowhere'],
      ['hushsecret', 'slug'],
    ),
    contentType('topic', {
      name: { type: 'string' },
      hushback: one('hushvault'),
      notes: { ...toMany('manyToMany', 'note'), mappedBy: 'subject' },
      hushnotes: { ...toMany('manyToMany', 'note'), mappedBy: 'matter', private: true },
    }),
    contentType('hushvault', { key: { type: 'component', component: 'hushed.key' } }),
  ],
  [
    withConfig(
      component('shared.seo', {
        headline: { type: 'string' },
        hushscore: { type: 'integer', private: true },
        hushlink: one('hushvault'),
      }),
      'hushscore',
      ['hushlink', 'headline'],
    ),
    component('hushed.key', { number: { type: 'integer' } }),
  ],
  {},
  {
    user: userFile({ bio: { type: 'text' }, hushmemo: { type: 'string', private: true }, hushdoor: one('hushvault') }),
  },
);

const note = (...names: readonly string[]) => names.map((name) => `api::note.note.${name}`);
const PUBLIC: SettingsInput = {
  users: { register: { allowedFields: ['bio', 'hushmemo', 'hushdoor'] } },
  roles: {
    public: [...note('find', 'create'), 'api::topic.topic.find'],
    authenticated: note('update'),
  },
};
const { send } = openWorld(registry, PUBLIC);

const documentFor = async (token?: string): Promise<OpenApiDocument> =>
  (await send(PATH, token === undefined ? {} : bearer(token))).json();

type Properties = Readonly<Record<string, unknown>>;

/** `tone, title`: the layouts that it has, without sizes, and the main field of the type. */
function formOf(document: OpenApiDocument, extension: 'x-content-types' | 'x-components', uid: string) {
  const { schema } = document[extension].find((each) => each.uid === uid) as { schema: { config?: FormConfig } };
  const rows = schema.config?.layouts?.edit.map((row) => row.map(({ name }) => name).join(', '));
  return { mainField: schema.config?.settings?.mainField, rows };
}

interface FormConfig {
  readonly settings?: { readonly mainField: string };
  readonly layouts?: { readonly edit: readonly (readonly { readonly name: string; readonly size: number }[])[] };
}

/** The attributes that `x-content-types` has of a type. */
function attributesIn(document: OpenApiDocument, uid: string): Properties {
  const type = document['x-content-types'].find((each) => each.uid === uid);
  return (type?.schema as { readonly attributes: Properties } | undefined)?.attributes ?? {};
}

beforeAll(async () => {
  await createToken('writer', 'custom', note('find', 'update'));
  await createToken('confidant', 'custom', note('find', 'findOne', 'readPrivate'));
  await createToken('editor', 'custom', [
    ...note('find', 'update'),
    'api::hushvault.hushvault.find',
    'api::topic.topic.find',
  ]);
});

describe('the description', () => {
  it('is not served where the settings say so', async () => {
    const off = serveRegistry(registry, { ...PUBLIC, server: { openapi: false } });
    expect((await off(PATH)).status).toBe(404);
    expect(await (await off('/')).text()).not.toContain(PATH);
  });

  it.each([undefined, 'writer'])('tells %s of no type and no attribute that is hidden from them', async (token) => {
    const text = JSON.stringify(await documentFor(token));
    expect(text).toContain('"tone"');
    if (token === undefined) expect(text).toContain('"bio"');
    expect(text.toLowerCase()).not.toContain('hush');
  });

  it('names private attributes, those of components included, to callers with readPrivate', async () => {
    const document = await documentFor('confidant');
    expect(attributesIn(document, 'api::note.note')).toMatchObject({ hushmemo: { private: true } });
    expect(document['x-components']).toMatchObject([{ schema: { attributes: { hushscore: { private: true } } } }]);
    expect(JSON.stringify(document)).not.toContain('hushnotes');
  });

  it('has the schemas of what it describes, in the form of the content-type-builder', async () => {
    const document = await documentFor('full');
    const types = document['x-content-types'];
    expect(types.map(({ uid }) => uid)).toEqual([
      'api::hushvault.hushvault',
      'api::note.note',
      'api::topic.topic',
      'plugin::upload.file',
      'plugin::users-permissions.role',
      'plugin::users-permissions.user',
    ]);
    expect(document['x-components'].map(({ uid }) => uid)).toEqual(['hushed.key', 'shared.seo']);
    expect(types[1]).toMatchObject({
      apiID: 'note',
      actions: ['find', 'findOne', 'create', 'update', 'delete'],
      schema: { kind: 'collectionType', pluralName: 'notes', draftAndPublish: false, displayName: 'note' },
    });
    expect(attributesIn(document, 'api::note.note')).toMatchObject({
      title: { type: 'string', required: true },
      link: { conditions: { visible: { '==': [{ var: 'tone' }, 'calm'] } } },
      subject: { target: 'api::topic.topic', inversedBy: 'notes', targetAttribute: 'notes' },
      seo: { type: 'component', component: 'shared.seo' },
    });
    expect(attributesIn(document, 'plugin::users-permissions.user')).toHaveProperty('password');
    const { place, matter, slug } = attributesIn(await documentFor('editor'), 'api::note.note');
    expect([place, matter, slug]).toEqual([
      { type: 'string' },
      { ...toMany('manyToMany', 'topic'), required: false, private: false },
      { type: 'uid' },
    ]);
  });

  it('has layout and main field of forms, as far as they name attributes that are described', async () => {
    const types = async (token?: string) => formOf(await documentFor(token), 'x-content-types', 'api::note.note');
    expect(await types()).toEqual({ mainField: 'tone', rows: ['tone, title', 'slug'] });
    expect(await types('editor')).toEqual({ mainField: 'tone', rows: ['tone, title', 'hushsecret, slug'] });
    const full = await documentFor('full');
    expect(formOf(full, 'x-content-types', 'api::note.note').rows).toEqual([
      'hushmemo',
      'tone, title',
      'hushsecret, slug',
    ]);
    expect(formOf(full, 'x-content-types', 'api::topic.topic')).toEqual({});
    expect(formOf(full, 'x-components', 'shared.seo')).toEqual({
      mainField: 'hushscore',
      rows: ['hushlink, headline'],
    });
    expect(formOf(await documentFor(), 'x-components', 'shared.seo')).toEqual({ rows: ['headline'] });
    const { schema } = (
      await (
        await send('/api/content-type-builder/content-types/api::note.note', bearer('full'))
      ).json<{ data: { schema: object } }>()
    ).data;
    expect(schema).not.toHaveProperty('config');
  });

  it('names the role of the caller, also where another role has the same rights, and none of a token', async () => {
    const roles = { ...PUBLIC.roles, authenticated: note('update'), twin: note('update') };
    const roleOf = async (token?: string, defaultRole = 'authenticated') => {
      const isolate = serveRegistry(registry, { ...PUBLIC, roles, users: { defaultRole } });
      const credential = token ?? (await register(isolate, `role-${defaultRole}`)).jwt;
      const document = await (await isolate(PATH, credential === '' ? {} : bearer(credential))).json<OpenApiDocument>();
      return document['x-role'];
    };
    expect(await roleOf('')).toBe('public');
    expect([await roleOf(undefined, 'twin'), await roleOf()]).toEqual(['twin', 'authenticated']);
    expect([await roleOf('full'), await roleOf('writer')]).toEqual([undefined, undefined]);
  });

  it('names the deployment of server.url, and in npm run dev the server that it came from', async () => {
    const files = { contentTypes: [contentType('note', { title: { type: 'string' } })], components: [] };
    const settings = parseSettings({ server: { url: 'https://api.example.com' } });
    const serversOf = async (isDev: boolean) => {
      const worker = createWorker({ ...files, isDev }, settings);
      const response = await worker.fetch(new Request(`http://127.0.0.1${PATH}`), env, createExecutionContext());
      return (await response.json<OpenApiDocument>()).servers.map(({ url }) => url);
    };
    expect([await serversOf(false), await serversOf(true)]).toEqual([['https://api.example.com'], ['/']]);
  });

  it('names the roles that may change the role of a user, to users alone', async () => {
    const manages = ['plugin::users-permissions.user.update'];
    const roles = { public: manages, authenticated: [], owner: manages, manager: ['plugin::users-permissions.*'] };
    const managersFor = async (token: string) => {
      const isolate = serveRegistry(registry, { ...PUBLIC, roles });
      const document = await (await isolate(PATH, token === '' ? {} : bearer(token))).json<OpenApiDocument>();
      return document['x-user-managers'];
    };
    const { jwt } = await register(serveRegistry(registry, { ...PUBLIC, roles }), 'managed');
    expect(await managersFor(jwt)).toEqual(['owner', 'manager']);
    expect([await managersFor(''), await managersFor('full')]).toEqual([undefined, undefined]);
    await env.DB.prepare(`UPDATE "up_users_role_lnk" SET "target_document_id" = 'gone'`).run();
    expect(await managersFor(jwt)).toEqual(['owner', 'manager']);
  });

  it('is known when it is asked for again, and read in one round trip', async () => {
    const { database, answering } = countedDatabase(env.DB);
    const isolate = serveRegistry(registry, PUBLIC, { DB: database });
    const first = await isolate(PATH, bearer('writer'));
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^".+"$/);
    const again = await isolate(`${PATH}?unlike=before`, bearer('writer'));
    expect([again.headers.get('etag'), await again.text()]).toEqual([etag, await first.text()]);
    const trips = answering().length;
    const held = await isolate(PATH, { headers: { authorization: 'Bearer writer', 'if-none-match': etag } });
    expect([held.status, answering().length - trips]).toEqual([304, 1]);
    const stranger = await isolate(PATH, { headers: { 'if-none-match': etag } });
    expect(stranger.status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(stranger.headers.get('cache-control')).toBe('no-cache');
  });
});

/**
 * @module Names that several content types would have to share: types, tables, paths.
 */
import { describe, expect, it } from 'vitest';
import { buildRegistry } from '../../../src/schema/build.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { USER_UID } from '../../../src/schema/system-types.ts';
import { component, contentType, problemsOf, registryOf, userFile } from '../../support/schema-files.ts';

const two = (first: Parameters<typeof contentType>, second: Parameters<typeof contentType>) =>
  problemsOf([contentType(...first), contentType(...second)]);

describe('content types', () => {
  it('of one singular name are refused', () => {
    const problems = two(['thing', {}], ['thing', {}, { plural: 'others', table: 'others' }]);
    expect(problems).toEqual([
      'content-types/thing/schema.json: info.singularName: a name of its own; api::thing.thing exists already',
    ]);
  });

  it('of one table are refused, in whatever case it is written', () => {
    const problems = two(['one', {}, { table: 'things' }], ['two', {}, { table: 'Things' }]);
    expect(problems).toEqual([
      'content-types/two/schema.json: collectionName: a name of its own; table "Things" belongs to content-types/one/schema.json',
    ]);
  });

  it.each([
    ...['files', 'up_users', 'strapi_api_tokens', 'strapi_sessions'],
    ...['counters', 'stamps', 'imports', 'migrations', 'requests', 'scheduled', 'outbox', 'endpoints', 'history'].map(
      (name) => `edgewise_${name}`,
    ),
    ...['pictures', 'picture_months', 'tasks', 'identities', 'redemptions', 'oauth_grants'].map(
      (name) => `edgewise_${name}`,
    ),
  ])('may not claim the table %s', (table) => {
    expect(problemsOf([contentType('thing', {}, { table })])).toEqual([
      expect.stringContaining(`collectionName: a name of its own; table "${table}" belongs to Edgewise`),
    ]);
  });

  it.each(['sqlite_master', 'SQLite_things', '_cf_KV', 'd1_migrations', 'constructor'])(
    'may not have a table that is reserved: %s',
    (table) => {
      expect(problemsOf([contentType('thing', {}, { table })])).toEqual([
        `content-types/thing/schema.json: collectionName: another name; table "${table}" is reserved`,
      ]);
    },
  );

  it('may not claim the link table of another', () => {
    const relation = { type: 'relation', relation: 'manyToMany', target: 'api::two.two' };
    const problems = two(['one', { twos: relation }], ['two', {}, { table: 'ones_twos_lnk' }]);
    expect(problems).toEqual([expect.stringContaining('table "ones_twos_lnk" belongs to')]);
  });

  it.each(['', '_data', '_idx', '_docsize', '_config'])('may not claim %s of a search index', (part) => {
    const types = [contentType('one', {}), contentType('two', {}, { table: `ones_search${part}` })];
    const taken = `a name of its own; table "ones_search${part}" belongs to`;
    const search = (uid: string) => () => registryOf(types, [], {}, { search: [uid] });
    expect(search('api::one.one')).toThrow(`/two/schema.json: collectionName: ${taken} edgewise.config.ts`);
    types.reverse();
    expect(search('api::one.one')).toThrow(`edgewise.config.ts: search.api::one.one: ${taken} content-types/two/`);
    expect(search('api::two.two')).not.toThrow();
    expect(registryOf(types).routes.size).toBe(2);
  });

  it('may have a table that is named like the links of an attribute without any', () => {
    const pages = { type: 'relation', relation: 'oneToMany', target: 'api::two.two', mappedBy: 'one' };
    const one = { type: 'relation', relation: 'manyToOne', target: 'api::one.one', inversedBy: 'pages' };
    const named = (table: string) => two(['one', { title: { type: 'string' }, pages }], ['two', { one }, { table }]);
    expect(named('ones_title_lnk')).toEqual([]);
    expect(named('ones_pages_lnk')).toEqual([]);
  });

  it('may not claim the link table of a polymorphic relation', () => {
    const parent = { type: 'relation', relation: 'morphToOne' };
    const problems = two(['one', { parent }], ['two', {}, { table: 'ones_parent_mph' }]);
    expect(problems).toEqual([expect.stringContaining('table "ones_parent_mph" belongs to')]);
  });

  it('of one path are refused', () => {
    const problems = two(['one', {}, { plural: 'things' }], ['things', {}, { single: true, table: 'second' }]);
    expect(problems).toEqual([
      'content-types/things/schema.json: info.singularName: a path of its own; /api/things is taken',
    ]);
  });

  it.each([
    ...['auth', 'users', 'users-permissions', 'upload', 'i18n', 'content-type-builder'],
    ...['batch', 'scheduled'],
  ])('may not claim the path %s', (plural) => {
    expect(problemsOf([contentType('thing', {}, { plural, table: 'things' })])).toEqual([
      `content-types/thing/schema.json: info.pluralName: another name; /api/${plural} is reserved`,
    ]);
  });

  it('may have the same names in different places', () => {
    const registry = registryOf(
      [contentType('one', { name: { type: 'string' } }), contentType('two', { name: { type: 'string' } })],
      [component('shared.one', { name: { type: 'string' } })],
    );
    expect([...registry.routes.keys()]).toEqual(['ones', 'twos']);
  });
});

describe('the registry', () => {
  it('has no path to a system type, and knows it nevertheless', () => {
    const registry = registryOf([]);
    expect(registry.routes.size).toBe(0);
    expect([...registry.contentTypes.keys()]).toEqual([
      'plugin::upload.file',
      'plugin::upload.folder',
      'plugin::users-permissions.user',
      'plugin::users-permissions.role',
      'admin::api-token',
      'admin::session',
    ]);
  });

  it('leads the plural name of a collection and the singular name of a single type to the type', () => {
    const registry = registryOf([contentType('page', {}), contentType('home', {}, { single: true })]);
    expect([...registry.routes].map(([path, { uid }]) => [path, uid])).toEqual([
      ['pages', 'api::page.page'],
      ['home', 'api::home.home'],
    ]);
  });

  it('has the files of types, components and users as they were written', () => {
    const file = contentType('page', {});
    const part = component('shared.seo', { title: { type: 'string' } });
    const user = userFile({});
    const { schemas } = registryOf([file], [part], {}, { user });
    const written = ['api::page.page', 'shared.seo', USER_UID].map((uid) => schemas.get(uid));
    expect(written).toMatchObject([file.json, part.json, user.json]);
  });

  it('has the renames, the fences and the fingerprint of its deployment', () => {
    const renames = [{ uids: { 'api::old.old': 'api::new.new' }, attributes: {} }];
    const deployed = { renames, fences: ['0001'], fingerprint: 'abc' };
    expect(buildRegistry({ contentTypes: [], components: [], ...deployed }, CHECKED)).toMatchObject(deployed);
    expect(registryOf([])).toMatchObject({ fences: [] });
  });

  it('names a component as its file does, or by its uid', () => {
    const named = { info: { displayName: 'Search' }, attributes: {} };
    const { components } = registryOf(
      [],
      [component('shared.a', {}), { path: 'components/shared/b.json', json: named }],
    );
    expect([...components.values()].map(({ displayName }) => displayName)).toEqual(['shared.a', 'Search']);
  });

  it('knows which attributes have a password, themselves or within components', () => {
    const inside = (uid: string) => ({ type: 'component', component: uid });
    const zone = (uid: string) => ({ type: 'dynamiczone', components: ['shared.open', uid] });
    const { contentTypes } = registryOf(
      [
        contentType('thing', {
          ...{ title: { type: 'string' }, open: inside('shared.open'), openZone: zone('shared.open') },
          ...{ code: { type: 'password' }, direct: inside('shared.inner'), around: inside('shared.outer') },
          ...{ zone: zone('shared.outer'), zoned: inside('shared.zoned') },
        }),
      ],
      [
        component('shared.zoned', { parts: zone('shared.outer') }),
        component('shared.outer', { title: { type: 'string' }, part: inside('shared.inner') }),
        component('shared.inner', { code: { type: 'password' } }),
        component('shared.open', { title: { type: 'string' } }),
      ],
    );
    const secret = [...(contentTypes.get('api::thing.thing')?.secret ?? [])];
    expect(secret).toEqual(['code', 'direct', 'around', 'zone', 'zoned']);
  });

  it('takes the name of the table from the plural name when there is no collectionName', () => {
    const registry = registryOf([contentType('site-setting', {})]);
    expect(registry.contentTypes.get('api::site-setting.site-setting')?.table).toBe('site_settings');
  });
});

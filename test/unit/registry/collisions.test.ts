/**
 * @module Names that several content types would have to share: types, tables, paths.
 */
import { describe, expect, it } from 'vitest';
import { component, contentType, problemsOf, registryOf } from '../../support/schema-files.ts';

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

  it('of one path are refused', () => {
    const problems = two(['one', {}, { plural: 'things' }], ['things', {}, { single: true, table: 'second' }]);
    expect(problems).toEqual([
      'content-types/things/schema.json: info.singularName: a path of its own; /api/things is taken',
    ]);
  });

  it.each(['auth', 'users', 'upload', 'i18n', 'content-type-builder'])('may not claim the path %s', (plural) => {
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

  it('takes the name of the table from the plural name when there is no collectionName', () => {
    const registry = registryOf([contentType('site-setting', {})]);
    expect(registry.contentTypes.get('api::site-setting.site-setting')?.table).toBe('site_settings');
  });
});

import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createTokenSql,
  LIST_TOKENS_SQL,
  newToken,
  REACH,
  revokeOtherTokenSql,
  revokeTokenSql,
} from '../../../cli/core/sql/tokens.ts';
import { UserError } from '../../../cli/core/terminal.ts';
import { namedActions, unknownActions } from '../../../cli/project/grants.ts';
import { contentActions } from '../../../src/access/actions.ts';
import { buildRegistry } from '../../../src/schema/build.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { contentType } from '../../support/schema-files.ts';
import { openTestDatabase, type TestDatabase } from './content-model.ts';

const NOW = 1_700_000_000_000;
const TOKENS = 'SELECT * FROM strapi_api_tokens';

describe('API tokens', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    await database.evolve({ types: [] });
  });
  afterEach(() => database.run('DELETE FROM strapi_api_tokens'));
  afterAll(() => database.close());

  const create = (name: string, token = newToken()) =>
    database.run(createTokenSql({ name, type: 'read-only' }, token, NOW));

  it('are refused under a name that is taken', async () => {
    expect(await create('site')).toHaveLength(1);
    expect(await create('site')).toEqual([]);
    expect(await database.run(TOKENS)).toHaveLength(1);
  });

  it('are stored as their SHA-256 alone', async () => {
    const token = newToken();
    await create('site', token);
    const rows = await database.run(TOKENS);
    expect(rows[0]?.access_key).toBe(createHash('sha256').update(token).digest('hex'));
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('are rows as the API would have made them', async () => {
    const wanted = { name: `o'clock; --`, type: 'custom', permissions: ['api::a.a.find'], expiresAt: NOW + 1 } as const;
    await database.run(createTokenSql(wanted, 'x', NOW));
    const [row] = await database.run(TOKENS);
    expect(row).toMatchObject({
      document_id: expect.stringMatching(/^[a-z][a-z0-9]{23}$/),
      locale: '',
      published_at: NOW,
      created_at: NOW,
      updated_at: NOW,
      name: wanted.name,
      type: 'custom',
      permissions: '["api::a.a.find"]',
      expires_at: NOW + 1,
      last_used_at: null,
    });
  });

  it('have no permissions unless they are custom, and never expire unless told', async () => {
    await create('site');
    expect((await database.run(TOKENS))[0]).toMatchObject({ permissions: null, expires_at: null });
  });

  it('are listed by name, without their hashes', async () => {
    await create('b');
    await create('a');
    const rows = await database.run(LIST_TOKENS_SQL);
    expect(rows.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(Object.keys(rows[0] ?? {})).not.toContain('access_key');
  });

  it('go when they are revoked, and no others', async () => {
    await create('a');
    await create('b');
    expect(await database.run(revokeTokenSql(`a' OR '1'='1`))).toEqual([]);
    expect(await database.run(revokeTokenSql('a'))).toHaveLength(1);
    expect((await database.run(TOKENS)).map(({ name }) => name)).toEqual(['b']);
  });

  it('give way to another token of the same name only when their secrets differ', async () => {
    await create('demo', 'secret');
    await database.run(revokeOtherTokenSql('demo', 'secret'));
    expect(await database.run(TOKENS)).toHaveLength(1);
    await database.run(revokeOtherTokenSql('demo', 'another'));
    expect(await database.run(TOKENS)).toEqual([]);
  });
});

describe('a read-only token', () => {
  it('is said to read drafts and e-mail addresses', () => {
    expect(REACH['read-only']).toMatch(/drafts included, and every user with name and e-mail address/);
  });
});

describe('a token of an agent', () => {
  it('is said to change nothing that is published', () => {
    expect(REACH.agent).toMatch(/writes drafts.*changes nothing that is published/);
  });
});

describe('a new token', () => {
  it('has 64 hexadecimal digits', () => expect(newToken()).toMatch(/^[0-9a-f]{64}$/));
  it('is another each time', () => expect(newToken()).not.toBe(newToken()));
});

describe('action ids', () => {
  const types = [contentType('article', {}), contentType('home', {}, { single: true })];
  const registry = buildRegistry({ contentTypes: types, components: [] }, CHECKED);

  it('are unknown when no content type has them', () => {
    const wrong = ['api::article.article.publish', 'api::home.home.create', 'api::x.x.find', 'find', ''];
    expect(unknownActions(registry, wrong)).toEqual(wrong);
  });

  it('are those of the content types, and whatever plugins have', () => {
    expect(unknownActions(registry, ['api::home.home.update', 'plugin::upload.content-api.find'])).toEqual([]);
    expect(contentActions(registry)).toHaveLength(16);
  });

  it.each(['api::*.publish', 'api::home.*.create', 'api::*.fin', 'pi::*.find', 'api::home.home.fin?', '(api)::*'])(
    'are not to be had by a pattern that matches nothing: %s',
    (pattern) => {
      const wanted = ['api::article.article.find', pattern, 'api::*.find'];
      expect(() => namedActions(registry, wanted)).toThrow(`--permission: there is no action ${pattern}`);
    },
  );

  it('are proposed for one that is nearly written like them', () => {
    expect(() => namedActions(registry, ['api::artcle.article.find', 'x'])).toThrow(
      new UserError(
        '--permission: there is no action api::artcle.article.find (did you mean api::article.article.find?), x',
      ),
    );
  });

  it('are spelt out of patterns, each once', () => {
    const reads = ['api::article.article.find', 'api::home.home.find'];
    expect(namedActions(registry, ['api::*.find', 'api::article.article.find', 'api::home.*.find'])).toEqual(reads);
    expect(namedActions(registry, ['api::*.findOne'])).toEqual(['api::article.article.findOne']);
    const named = contentActions(registry).filter((action) => !action.endsWith('.readPrivate'));
    expect(namedActions(registry, ['api::*'])).toEqual(named);
    expect(() => namedActions(registry, ['api::*.readPrivate'])).toThrow('there is no action api::*.readPrivate');
    expect(namedActions(registry, ['plugin::upload.*.find*'])).toEqual([
      'plugin::upload.content-api.find',
      'plugin::upload.content-api.findOne',
      'plugin::upload.folder.find',
    ]);
  });

  it('of users are in no pattern of content', () => {
    expect(namedActions(registry, ['api::*']).filter((action) => action.startsWith('plugin::'))).toEqual([]);
  });

  it('leave the system types out', () => {
    expect(contentActions(registry).filter((action) => !action.startsWith('api::'))).toEqual([]);
  });
});

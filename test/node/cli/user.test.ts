/**
 * @module `edgewise user` on a local database.
 */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { inlined } from '../../../cli/core/sql/sql-text.ts';
import { runBatch } from '../../../cli/core/sql/statements.ts';
import type { OpenStorage } from '../../../cli/core/storage/local-storage.ts';
import { readMigrations } from '../../../cli/migrations/migration-files.ts';
import { generate } from '../../../cli/project/generate.ts';
import { USER_FILE } from '../../../cli/project/project.ts';
import { createUser, listUsers, setBlocked, setPassword } from '../../../cli/user/user.ts';
import { matchesPassword } from '../../../src/content/credentials/passwords.ts';
import { contentType } from '../../support/schema-files.ts';
import { hearPrinted } from '../../unit/cli/heard.ts';
import { openMemoryStorage } from '../../unit/cli/memory-storage.ts';
import { type ScratchProject, scratchProject } from '../../unit/cli/scratch-project.ts';

/** Each statement of a command would open and close the local database. */
const executeSql = (statements: readonly string[]) => runBatch(open.storage.db, statements);
vi.mock('../../../cli/core/storage/execute-sql.ts', () => ({
  executeSql: (statements: readonly string[]) => executeSql(statements),
}));

let open: OpenStorage;
let project: ScratchProject;
const printed = hearPrinted(process.stdout);
beforeAll(async () => {
  project = scratchProject();
  vi.spyOn(process, 'cwd').mockReturnValue(project.root);
  project.write(
    'edgewise.config.ts',
    "export default { roles: { editor: ['plugin::users-permissions.user.find'], reader: ['api::*.find'] } };\n",
  );
  project.schemas(contentType('note', { title: { type: 'string' } }));
  const attributes = { plan: { type: 'string', default: 'free' }, age: { type: 'integer', min: 1 } };
  const info = { singularName: 'user', pluralName: 'users', displayName: 'User' };
  project.write(USER_FILE, JSON.stringify({ kind: 'collectionType', collectionName: 'up_users', info, attributes }));
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(project.root, 'node_modules'));
  await generate(project.root);
  open = await openMemoryStorage();
  for (const { text } of readMigrations(project.root)) await executeSql(text.split(/;$/m).slice(0, -1));
});
beforeEach(async () => {
  await executeSql(['delete from "up_users"', 'delete from "up_users_role_lnk"', 'delete from "strapi_sessions"']);
});
afterAll(async () => {
  await open.close();
  vi.restoreAllMocks();
  project.remove('.');
});

const create = (flags: object = {}) => createUser(project.root, { email: 'Ann@Example.com', role: 'editor', ...flags });
const rows = async () => (await executeSql(['select * from "up_users"']))[0] ?? [];
const stamps = async () => JSON.stringify(await executeSql(['select * from "edgewise_stamps"']));

describe('edgewise user', () => {
  it('creates a user as the API does, with defaults, a role and a password that it prints once', async () => {
    const before = await stamps();
    await create();
    const [row] = await rows();
    expect(row).toMatchObject({ username: 'ann@example.com', email: 'ann@example.com', confirmed: 1, plan: 'free' });
    expect(row).toMatchObject({ username_key: expect.any(String), email_key: expect.any(String), provider: 'local' });
    expect(matchesPassword(printed.text.trim(), row?.password)).toBe(true);
    expect(await stamps()).not.toBe(before);
    printed.text = '';
    await listUsers({ json: true });
    expect(JSON.parse(printed.text)).toMatchObject([{ email: 'ann@example.com', role: 'editor', blocked: false }]);
  });

  it('says that a role may see no content, and nothing of one that may', async () => {
    const said = () => String(vi.mocked(process.stderr.write).mock.calls);
    vi.mocked(process.stderr.write).mockClear();
    await create({ role: 'reader' });
    expect(said()).not.toContain('may see no content');
    await create({ email: 'bea@example.com' });
    expect(said()).toContain('may see no content yet; --role reader makes a user who may');
  });

  it.each([
    [{ email: 'ann' }, '--email: "ann" is no e-mail address'],
    [{ role: 'editr' }, 'the settings have no role "editr" of signed-in users (did you mean editor?)'],
    [{ role: 'public' }, 'the settings have no role "public"'],
    [{ username: 'an', password: 'short' }, 'username must be at least 3 characters\npassword must be at least 6'],
  ])('creates nobody from %j', async (flags, message) => {
    await expect(create(flags)).rejects.toThrow(message);
    expect(await rows()).toEqual([]);
  });

  it('creates nobody under a name or an address that is taken', async () => {
    await create({ username: 'ann' });
    await expect(create({ username: 'other' })).rejects.toThrow('--email: ann@example.com is taken');
    await expect(create({ email: 'b@example.com', username: 'ANN' })).rejects.toThrow('--username: ANN is taken');
    expect(await rows()).toHaveLength(1);
  });

  it('sets a password with any characters, and ends sessions', async () => {
    await create();
    const id = (await rows())[0]?.id;
    const session = `insert into "strapi_sessions" ("document_id", "locale", "user_id") values ('s', '', ${id})`;
    await executeSql([session]);
    const before = Date.now();
    await setPassword(project.root, 'ANN@example.com', { password: `a?'"?1 b` });
    const [row] = await rows();
    expect(matchesPassword(`a?'"?1 b`, row?.password)).toBe(true);
    expect(row?.password_changed_at).toBeGreaterThan(before);
    expect((await executeSql(['select * from "strapi_sessions"']))[0]).toEqual([]);
  });

  it('sets the password of an account of a provider, which signs in with it from then on, and with nothing else', async () => {
    await create();
    await create({ email: 'bea@example.com' });
    const users = await rows();
    const ofProvider = users.map(
      ({ document_id: user }, at) => `('https://id.example', '${at}', '${user}', 'google', 1)`,
    );
    await executeSql([
      `update "up_users" set "provider" = 'google'`,
      `insert into "edgewise_identities" ("issuer", "subject", "user", "provider", "created_at") values ${ofProvider}`,
    ]);
    await setPassword(project.root, 'ann@example.com', { password: 'a secret' });
    expect((await rows()).map(({ provider }) => provider)).toEqual(['local', 'google']);
    expect((await executeSql(['select "user" from "edgewise_identities"']))[0]).toEqual([
      { user: users[1]?.document_id },
    ]);
  });

  it('ends what a user had let clients do, with a password and with a block', async () => {
    await create();
    const [ann] = await rows();
    for (const change of [
      () => setPassword(project.root, 'ann@example.com', { password: 'a secret' }),
      () => setBlocked(project.root, 'ann@example.com', true, {}),
    ]) {
      const values = ['g', ann?.document_id, 'c', 'h', 'n', 'read', 'k'].map((value) => `'${value}'`).join(', ');
      await executeSql([
        `insert into "edgewise_oauth_grants" ("id", "user", "client_id", "host", "name", "level", "key_hash", "created_at", "updated_at", "expires_at") values (${values}, 1, 1, 9)`,
      ]);
      await change();
      expect((await executeSql(['select "id" from "edgewise_oauth_grants"']))[0]).toEqual([]);
    }
  });

  it('blocks a user and lets the user in again', async () => {
    await create();
    await setBlocked(project.root, 'ann@example.com', true, {});
    expect(await rows()).toMatchObject([{ blocked: 1 }]);
    await setBlocked(project.root, 'ann@example.com', false, {});
    expect(await rows()).toMatchObject([{ blocked: 0 }]);
    await expect(setBlocked(project.root, 'bob@example.com', true, {})).rejects.toThrow(
      'there is no user with the e-mail "bob@example.com" in the local database',
    );
  });
});

describe('a statement with its values in its text', () => {
  it('has them in place of marks, numbered or not, but not within quotes', () => {
    const sql = `select ?, ?2, '?', "?" where a = ?`;
    expect(inlined({ sql, params: ["o'c?", 2, 3] })).toBe(`select 'o''c?', 2, '?', "?" where a = 3`);
  });
});

/**
 * @module Each command, killed at a place that can be seen from outside, and run again: what is there then, and what it says that it
 * goes on with.
 */
import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { deletesVersions, emptiesTrash, importsArchive, repairsMedia, restores, writesArchive } from './content.ts';
import { deploys } from './deploy.ts';
import { type KilledProject, SLOW } from './project.ts';
import { makesProject, serves } from './serving.ts';

/** What happens in a prepared project; or a command that writes nothing. */
type Row = ((project: KilledProject) => Promise<void>) | 'reads';

interface Once {
  readonly line: string;
  /** Selects a row once it is done. */
  readonly done: string;
  /** What it says the second time. */
  readonly again: RegExp;
  readonly code?: number;
  /** Changes the database before. */
  readonly before?: string;
}

/** A command of one transaction: it is killed as soon as others see what it has done, and is told so when it is run again. */
const inOneTransaction =
  ({ line, done, again, code = 0, before = '' }: Once) =>
  async (project: KilledProject): Promise<void> => {
    project.change(before);
    const content = project.content();
    await project.killed(line, () => project.rows(done).length > 0);
    const ended = await project.run(line);
    expect(ended).toEqual({ code, said: expect.stringMatching(again) });
    expect(project.rows(done)).not.toEqual([]);
    expect(project.content()).toEqual(content);
  };

const USER = 'user create --email ann@a.test --password long-password-1';

const ofUser =
  (once: Once) =>
  async (project: KilledProject): Promise<void> => {
    await project.done(USER);
    await inOneTransaction(once)(project);
  };

const GIVEN_UP = `insert into edgewise_outbox (id, endpoint, event, type, document_id, locale, created_at, attempts)
  values ('a', 'http://127.0.0.1:9/', 'entry.create', 'api::note.note', 'a', '', 1, 9)`;

const withAttributes = (project: KilledProject, ...names: readonly string[]) =>
  project.schema(Object.fromEntries(['text', ...names].map((name) => [name, { type: 'text' }])));

export const KILLED = {
  new: makesProject,
  dev: serves,
  deploy: deploys,

  async generate(project) {
    withAttributes(project, 'lead');
    // It waits for the pipe, between the snapshot and the migration.
    execFileSync('sh', ['-c', 'rm openapi.json && mkfifo openapi.json'], { cwd: project.root });
    await project.killed('generate --name lead', () => project.has('drizzle/meta/0002_snapshot.json'));
    expect(project.names('drizzle').filter((name) => name.endsWith('.sql'))).toHaveLength(1);
    execFileSync('rm', ['openapi.json'], { cwd: project.root });
    const said = await project.done('generate --name lead');
    expect(said).toMatch(/removed a migration that was not completed: .*drizzle\/meta\/0002_snapshot\.json/);
    expect(said).toContain('wrote drizzle/0002_lead.sql');
    await project.done('generate --check');
  },

  async migrate(project) {
    const before = project.content();
    for (const names of [['lead'], ['lead', 'end']]) {
      withAttributes(project, ...names);
      await project.done(`generate --name ${names.at(-1)}`);
    }
    const right = project.read('drizzle/0003_end.sql');
    project.write('drizzle/0003_end.sql', `${right}${SLOW};\n`);
    const applied = () => project.rows('select name from d1_migrations').length;
    await project.killed('migrate', () => applied() === 2);
    project.write('drizzle/0003_end.sql', right);
    expect(await project.done('migrate')).toMatch(
      /^going on with drizzle\/0003_end\.sql\nlocal database: 1 migration applied$/m,
    );
    expect(applied()).toBe(3);
    expect(project.content()).toEqual(before);
  },

  async build(project) {
    await project.killed('build', () => project.has('.edgewise/assets/studio'));
    expect(project.has('.edgewise/assets/studio/index.html')).toBe(false);
    expect(await project.done('build')).toContain('wrote .edgewise/\n');
    expect(project.has('.edgewise/assets/studio/index.html')).toBe(true);
  },

  async 'test --init'(project) {
    // Takes long to read and to write.
    const content = { name: 'site', description: 'x'.repeat(60_000_000) };
    project.write('package.json', JSON.stringify(content));
    await project.killed('test --init --no-install', () => project.has('vitest.config.ts'));
    expect(JSON.parse(project.read('package.json'))).toMatchObject({ name: 'site' });
    await project.done('test --init --no-install');
    expect(JSON.parse(project.read('package.json'))).toMatchObject({ ...content, scripts: { test: 'edgewise test' } });
    expect(project.names('test')).toContain('project.test.ts');
  },

  import: importsArchive('', '--resume', /^going on with content, files and config …$/m),
  'import --replace': importsArchive(
    ' --replace --no-backup',
    '--replace --no-backup',
    /^starting over: the import of archive\.tar\.gz was interrupted$/m,
  ),
  export: writesArchive('export', 'import'),
  backup: writesArchive('backup', 'restore'),
  restore: restores,
  'media check': repairsMedia,
  'media check --purge': emptiesTrash,
  doctor: 'reads',
  'media usage': 'reads',
  'history prune': deletesVersions('history prune', () => ''),
  'history purge': deletesVersions('history purge --type api::note.note', (count) => ` --yes ${count}`),

  renew: inOneTransaction({
    line: 'renew',
    before: `update edgewise_stamps set stamps = '{}'`,
    done: `select 1 from edgewise_stamps where stamps <> '{}'`,
    again: /^local database: cached responses are invalidated\n$/,
  }),
  'token create': inOneTransaction({
    line: 'token create --name site --type read-only',
    done: `select 1 from strapi_api_tokens where name = 'site'`,
    again:
      /there is a token "site" already; if it was never shown, since the command was stopped: npx edgewise token revoke/,
    code: 1,
  }),
  'oauth list': 'reads',
  'oauth revoke': inOneTransaction({
    line: 'oauth revoke a',
    before: `insert into edgewise_oauth_grants (id, user, client_id, host, name, level, key_hash, created_at, updated_at, expires_at)
      values ('a', 'ann', 'https://a.test/client', 'a.test', 'A', 'read', 'ff', 1, 1, 1)`,
    done: `select 1 where not exists (select 1 from edgewise_oauth_grants)`,
    again: /there is no grant/,
    code: 1,
  }),
  'token list': 'reads',
  'token revoke': inOneTransaction({
    line: 'token revoke site',
    before: `insert into strapi_api_tokens (document_id, locale, name) values ('a', '', 'site')`,
    done: `select 1 where not exists (select 1 from strapi_api_tokens)`,
    again: /there is no token "site"/,
    code: 1,
  }),
  'user create': inOneTransaction({
    line: USER,
    done: 'select 1 from up_users',
    again:
      /is taken.*; if its password was never shown, since the command was stopped: npx edgewise user set-password ann@a\.test/,
    code: 1,
  }),
  'user list': 'reads',
  'user set-password': ofUser({
    line: 'user set-password ann@a.test --password long-password-2',
    done: 'select 1 from up_users where password_changed_at is not null',
    again: /^set the password of ann@a\.test; earlier sign-ins have ended\n$/,
  }),
  'user block': ofUser({
    line: 'user block ann@a.test',
    done: 'select 1 from up_users where blocked = 1',
    again: /^blocked ann@a\.test; sign-ins have ended\n$/,
  }),
  'user unblock': ofUser({
    line: 'user unblock ann@a.test',
    before: 'update up_users set blocked = 1',
    done: 'select 1 from up_users where blocked = 0',
    again: /^ann@a\.test may sign in again\n$/,
  }),
  'webhook list': 'reads',
  'webhook test': inOneTransaction({
    line: 'webhook test',
    done: 'select 1 from edgewise_outbox',
    again: /^stored 1 message, which the cron trigger sends/,
  }),
  'webhook retry': inOneTransaction({
    line: 'webhook retry',
    before: GIVEN_UP,
    done: 'select 1 from edgewise_outbox where due_at is not null',
    again: /^0 messages will be sent again\n$/,
  }),
  'webhook resume': inOneTransaction({
    line: 'webhook resume',
    before: `insert into edgewise_endpoints (url, failing_since) values ('http://127.0.0.1:9/', 1)`,
    done: 'select 1 where not exists (select 1 from edgewise_endpoints)',
    again: /^no webhook is failing or paused\n$/,
  }),
} satisfies Readonly<Record<string, Row>>;

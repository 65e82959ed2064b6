import { cpSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Wrangler } from '../../../cli/core/wrangler/wrangler.ts';
import { buildProject } from '../../../cli/deploy/build.ts';
import type { DeployTools } from '../../../cli/deploy/cloudflare-steps.ts';
import { deploy } from '../../../cli/deploy/deploy.ts';
import { generate } from '../../../cli/project/generate.ts';
import { RATE_LIMITERS } from '../../../src/schema/settings/config.ts';
import { type Attributes, contentType } from '../../support/schema-files.ts';
import { type Account, emptyAccount, type StandIn, siteToml, standIn } from './cloudflare.ts';
import { hearProgress } from './heard.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const CONFIG = siteToml('magazine-db');

const said = hearProgress();

const STRING = { type: 'string' };
const NO_DATABASE: Wrangler = async () => ({ code: 1, stdout: '', stderr: 'no such table: articles' });
const article = (attributes: Attributes) => contentType('article', attributes);

/** What each test begins with. */
let generated: ScratchProject;
beforeAll(async () => {
  generated = scratchProject();
  generated.write('wrangler.toml', CONFIG);
  generated.schemas(article({ title: STRING, lead: STRING }));
  await generate(generated.root);
  return () => generated.remove('.');
});

let project: ScratchProject;
let account: Account;
beforeEach(() => {
  project = scratchProject();
  account = emptyAccount();
  said.length = 0;
  cpSync(generated.root, project.root, { recursive: true });
  return () => project.remove('.');
});

const tools = ({ quietly, openly }: StandIn, own: Partial<DeployTools> = {}): DeployTools => ({
  target: { remote: true },
  quietly,
  openly,
  allowDrop: false,
  ask: undefined,
  pause: async () => undefined,
  ...own,
});

/** Deploys with a wrangler that does as it should. @returns what was asked of it. */
async function deployed(own?: Partial<DeployTools>): Promise<StandIn> {
  const wrangler = standIn(project.root, account);
  said.length = 0;
  await deploy(project.root, tools(wrangler, own));
  return wrangler;
}

/** Another schema, generated. */
async function change(attributes: Attributes): Promise<void> {
  project.schemas(article(attributes));
  await generate(project.root, { allowDrop: true, execute: NO_DATABASE });
}

const remote = (): DatabaseSync => account.databases.get('magazine-db') ?? new DatabaseSync(':memory:');
const leads = () => remote().prepare('SELECT lead FROM articles ORDER BY id').all();
const isStep = (command: string) => !/ list |^d1 execute/.test(command);

const MIGRATE = 'd1 migrations apply DB --remote --config';
const UPLOAD = 'versions upload';
const ROUTE = /^versions deploy \S+@100% --yes$/;
const TRIGGERS = 'triggers deploy';

describe('deploy', () => {
  it('does nothing when something is stale', async () => {
    project.schemas(contentType('tag', { name: STRING }));
    const wrangler = standIn(project.root, account);
    await expect(deploy(project.root, tools(wrangler))).rejects.toThrow(/Stale[\s\S]*add_tags/);
    expect(wrangler.commands).toEqual([]);
  });

  it.each(['d1 list', 'd1 create', 'd1 migrations', 'secret list'])(
    'stops before the Worker when `%s` fails, with the words of wrangler',
    async (failing) => {
      const wrangler = standIn(project.root, account, { failing });
      await expect(deploy(project.root, tools(wrangler))).rejects.toThrow('the API said no');
      expect(account.live).toBeUndefined();
    },
  );

  it('fails when wrangler deploy does, and leaves no secret on the disk', async () => {
    const wrangler = standIn(project.root, account, { failing: 'deploy' });
    await expect(deploy(project.root, tools(wrangler))).rejects.toThrow('wrangler deploy failed');
    expect(wrangler.secretFiles).toHaveLength(1);
    expect(existsSync(wrangler.secretFiles[0]?.path ?? '')).toBe(false);
  });

  it('makes the database before the Worker, the first time', async () => {
    account.databases.set('another', new DatabaseSync(':memory:'));
    const { commands, secretFiles } = await deployed();
    expect(commands.filter(isStep)).toEqual([
      'd1 create magazine-db --update-config=false',
      MIGRATE,
      'deploy --secrets-file',
    ]);
    expect(secretFiles[0]?.secrets).toEqual({ JWT_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const first = 'To make the first account: npx edgewise user create --email you@example.com --remote';
    expect(said).toContain(first);
    await deployed();
    expect(said).not.toContain(first);
  });

  it('uploads from then on, and gives the new version the traffic, also twice in a row', async () => {
    await deployed();
    for (const _ of ['once', 'again']) {
      const steps = [UPLOAD, expect.stringMatching(ROUTE), TRIGGERS];
      expect((await deployed()).commands.filter(isStep)).toEqual(steps);
      expect(account.live).toBe(account.versions.at(-1));
    }
  });

  it('uploads before it migrates, and migrates before the new version gets the traffic', async () => {
    await deployed();
    await change({ title: STRING, lead: STRING, body: STRING });
    const { commands } = await deployed();
    expect(commands.filter(isStep)).toEqual([
      'd1 time-travel info DB --json',
      UPLOAD,
      MIGRATE,
      expect.stringMatching(ROUTE),
      TRIGGERS,
    ]);
  });

  it('is about the resources of an environment, when it is named', async () => {
    project.write(
      'wrangler.toml',
      `${CONFIG}[[env.staging.d1_databases]]\nbinding = "DB"\ndatabase_name = "staging-db"\n[[env.staging.r2_buckets]]\nbinding = "MEDIA"\nbucket_name = "staging"\n`,
    );
    const target = { remote: true, env: 'staging' };
    expect((await deployed({ target })).commands.filter(isStep)).toEqual([
      'd1 create staging-db --update-config=false',
      'd1 migrations apply DB --remote --env staging --config',
      'deploy --env staging --secrets-file',
    ]);
    await change({ title: STRING, lead: STRING, body: STRING });
    const { commands } = await deployed({ target });
    for (const command of commands.filter((text) => !text.startsWith('d1 list')))
      expect(command).toContain('--env staging');
    expect(said.join('\n')).toMatch(/time-travel restore DB --env staging --bookmark=/);
  });

  it('says when an import into the deployed database, or a restore, was interrupted', async () => {
    await deployed();
    remote().exec("INSERT INTO edgewise_imports VALUES ('0', 'backup.tar.gz', 'fresh', 'rows', 0, 0, NULL)");
    await deployed();
    expect(said.join('\n')).toMatch(/The import of backup\.tar\.gz was interrupted/);
    expect(said.join('\n')).not.toMatch(/A restore was interrupted/);
    remote().exec('CREATE TABLE edgewise_restore_articles (id INTEGER)');
    await deployed();
    expect(said.join('\n')).toMatch(/A restore was interrupted\. .* next npx edgewise restore removes/);
  });

  it('gives a Worker without a secret a random one with the new version', async () => {
    await deployed();
    account.secrets = ['OTHER'];
    const { secretFiles } = await deployed();
    expect(secretFiles[0]?.secrets).toEqual({ JWT_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(account.secrets).toEqual(['OTHER', 'JWT_SECRET']);
  });

  it('goes on without the binding that counts sign-ins, and says so', async () => {
    await deployed();
    for (const name of RATE_LIMITERS.auth)
      expect(said).toContain(`wrangler.toml: no [[ratelimits]] is named ${name}, by which rateLimit.auth counts`);
    expect(said.filter((text) => text.includes('CONTENT_RATE_LIMIT'))).toEqual([]);
    expect(account.live).toBeDefined();
  });

  it('says where settings and wrangler.toml differ about periods, and nothing where they agree', async () => {
    const limiter = (name: string, period: number) =>
      `[[ratelimits]]\nname = "${name}"\nnamespace_id = "1"\nsimple = { limit = 5, period = ${period} }\n`;
    const limiters = (period: number) => RATE_LIMITERS.auth.map((name) => limiter(name, period)).join('');
    project.write('wrangler.toml', `${CONFIG}${limiters(10)}`);
    await deployed();
    for (const name of RATE_LIMITERS.auth)
      expect(said).toContain(`rateLimit.auth.period is 60, but the period of ${name} in wrangler.toml 10`);
    project.write('wrangler.toml', `${CONFIG}${limiters(60)}`);
    await deployed();
    expect(said.filter((text) => /rate/i.test(text))).toEqual([]);
  });

  it('rejects private files without server.url, before anything is changed', async () => {
    const write = (settings: object) =>
      project.write('edgewise.config.ts', `export default ${JSON.stringify(settings)};`);
    write({ studio: false, upload: { private: true } });
    await generate(project.root);
    await expect(deployed()).rejects.toThrow('edgewise.config.ts: server.url: expected where the API is reached');
    await expect(buildProject(project.root, 'deploy')).rejects.toThrow('server.url');
    await buildProject(project.root, 'dev');
    write({ upload: { private: true }, server: { url: 'https://site.test' } });
    await generate(project.root);
    await deployed();
    expect(said.join('\n')).toContain('[[r2_buckets]]\nbinding = "PRIVATE_MEDIA"\nbucket_name = "<name>-private"');
  });

  const UNSENT = /emailConfirmation is on, but email\.provider is "none"/;
  const UNBOUND = /no \[\[send_email\]\] is named EMAIL/;
  it.each<[provider: string, emailConfirmation: boolean, toml: string, remark?: RegExp]>([
    ['none', false, ''],
    ['none', true, '', UNSENT],
    ['http', true, ''],
    ['cloudflare', true, '', UNBOUND],
    ['cloudflare', false, '[[send_email]]\nname = "OTHER"\n', UNBOUND],
    ['cloudflare', true, '[[send_email]]\nname = "EMAIL"\n'],
  ])(
    'says whether messages leave: provider %s, confirmation %s, %j',
    async (provider, emailConfirmation, toml, remark) => {
      const email = { provider, from: 'a@site.test' };
      const settings = { email, server: { url: 'https://site.test' }, users: { emailConfirmation } };
      project.write('edgewise.config.ts', `export default ${JSON.stringify(settings)};`);
      project.write('wrangler.toml', CONFIG + toml);
      await generate(project.root);
      await deployed();
      expect(said.filter((line) => /send_email|email\.provider/.test(line))).toEqual(
        remark ? [expect.stringMatching(remark)] : [],
      );
      expect(account.live).toBeDefined();
    },
  );

  it('names secrets of webhooks that the Worker lacks', async () => {
    const hook = {
      url: 'https://site.test/',
      events: ['entry.*'],
      secret: 'SIGNING',
      headers: { 'X-Key': '$KEY', 'X-Own': 'a' },
    };
    project.write('edgewise.config.ts', `export default ${JSON.stringify({ webhooks: [hook] })};`);
    await generate(project.root);
    account.secrets = ['JWT_SECRET', 'KEY'];
    await deployed();
    expect(said.filter((line) => line.startsWith('webhooks:'))).toEqual([
      'webhooks: nothing is sent without the secret SIGNING: npx wrangler secret put SIGNING',
    ]);
  });

  it('takes a database_id for a database that exists', async () => {
    project.write('wrangler.toml', `${CONFIG}database_id = "1"\n`);
    account.databases.set('magazine-db', new DatabaseSync(':memory:'));
    expect((await deployed()).commands.filter((command) => /^d1 (list|create)/.test(command))).toEqual([]);
  });
});

describe('a deployment that loses content', () => {
  const NAMED = /article\.lead: removed \(string\) \(2 rows of the deployed database\)/;
  const BACK = /npx wrangler d1 time-travel restore DB --bookmark=0000-b00c$/;
  beforeEach(async () => {
    await deployed();
    remote().exec(`INSERT INTO articles (document_id, lead) VALUES ('a', 'One'), ('b', 'Two'), ('c', NULL)`);
    await change({ title: STRING });
  });

  it('is refused where nobody can be asked, after it has named what goes and the way back', async () => {
    const wrangler = standIn(project.root, account);
    said.length = 0;
    await expect(deploy(project.root, tools(wrangler))).rejects.toThrow(/--allow-drop/);
    expect(said.some((line) => NAMED.test(line)) && said.some((line) => BACK.test(line))).toBe(true);
    expect(leads()).toHaveLength(3);
    expect(account.versions).toHaveLength(1);
  });

  it.each(['', 'y', 'yes', '2'])('is refused for the answer %j', async (answer) => {
    const wrangler = standIn(project.root, account);
    await expect(deploy(project.root, tools(wrangler, { ask: async () => answer }))).rejects.toThrow(
      'Nothing was changed',
    );
    expect(leads()).toHaveLength(3);
  });

  it('is refused where there is no way back', async () => {
    const wrangler = standIn(project.root, account, { failing: 'd1 time-travel' });
    await expect(deploy(project.root, tools(wrangler, { allowDrop: true }))).rejects.toThrow('the API said no');
    expect(leads()).toHaveLength(3);
  });

  it('goes ahead once the number of losses is typed', async () => {
    await deployed({
      ask: async (question) => (/^1 change loses stored content\. Type 1 /.test(question) ? '1' : ''),
    });
    expect(() => leads()).toThrow('no such column: lead');
  });

  it('goes ahead with --allow-drop, and still names them', async () => {
    await deployed({ allowDrop: true });
    expect(said.some((line) => NAMED.test(line)) && said.some((line) => BACK.test(line))).toBe(true);
    expect(() => leads()).toThrow('no such column: lead');
  });

  it('is named whatever the comments of its migration say, of which none is ever run', async () => {
    const path = `drizzle/${project.migrations().at(-1)}`;
    const comments = '-- loses article.title: removed (string)\n--   counted by DELETE FROM articles\n';
    project.write(path, project.read(path).replace(/^-- loses .*\n/m, comments));
    await expect(deploy(project.root, tools(standIn(project.root, account)))).rejects.toThrow(/--allow-drop/);
    expect(said.filter((line) => line.endsWith('deployed database)'))).toEqual([expect.stringMatching(NAMED)]);
    expect(leads()).toHaveLength(3);
  });

  it('is named where a later migration undoes the change', async () => {
    remote().exec(`UPDATE articles SET title = 'One'`);
    await change({ title: { type: 'integer' } });
    await change({ title: STRING });
    await deployed({ allowDrop: true });
    expect(said).toEqual(
      expect.arrayContaining([
        expect.stringMatching(NAMED),
        expect.stringMatching(/article\.title: string becomes integer: .* \(3 rows of the deployed database\)/),
      ]),
    );
  });

  it('is named until it is done, where a deployment stopped in the middle', async () => {
    await deployed({ allowDrop: true });
    await change({ title: { type: 'integer' }, lead: STRING });
    await change({ title: { type: 'decimal' } });
    const wrangler = standIn(project.root, account, { failing: 'versions deploy' });
    await expect(deploy(project.root, tools(wrangler, { allowDrop: true }))).rejects.toThrow('the API said no');
    await deployed({ allowDrop: true });
    expect(said.filter((line) => /^ {2}article/.test(line))).toEqual([
      expect.stringMatching(/^ {2}article\.lead: removed \(string\)/),
    ]);
  });

  it('is asked about once', async () => {
    await deployed({ allowDrop: true });
    await deployed();
    expect(said.filter((line) => /lose/.test(line))).toEqual([]);
  });
});

/** What the Worker from before and the new one read of the tables. */
const reads = (column: string) => () => remote().prepare(`SELECT ${column} FROM articles`).all();

describe('a deployment that fails', () => {
  const BEFORE = /previous version (still )?serves/;
  /** `lead` goes, `body` comes. */
  beforeEach(async () => {
    await deployed();
    remote().exec(`INSERT INTO articles (document_id, lead) VALUES ('a', 'One')`);
    await change({ title: STRING, body: STRING });
  });

  interface Failure {
    readonly failing: string;
    /** Which time the command fails. */
    readonly at?: number;
    readonly live: 'before' | 'new';
    readonly says: RegExp;
    readonly readable: readonly string[];
  }

  const NEW = '00000000-0000-4000-8000-000000000002';
  it.each<Failure>([
    { failing: 'd1 list', live: 'before', says: /the API said no/, readable: ['lead'] },
    { failing: 'secret list', live: 'before', says: /the API said no/, readable: ['lead'] },
    { failing: 'd1 execute', live: 'before', says: /the API said no/, readable: ['lead'] },
    { failing: 'd1 time-travel', live: 'before', says: /the API said no/, readable: ['lead'] },
    {
      failing: 'versions upload',
      live: 'before',
      says: /Nothing was changed: the previous version/,
      readable: ['lead'],
    },
    {
      failing: 'd1 migrations',
      live: 'before',
      says: /changed nothing[\s\S]*previous version still serves, and understands[\s\S]*npm run deploy again/,
      readable: ['lead'],
    },
    {
      failing: 'versions deploy',
      live: 'before',
      says: new RegExp(
        `understands[\\s\\S]*npx wrangler versions deploy ${NEW}@100% --yes[\\s\\S]*npx edgewise migrate --remote`,
      ),
      readable: ['lead', 'body'],
    },
    {
      failing: 'd1 migrations',
      at: 2,
      live: 'new',
      says: /new version serves[\s\S]*npx edgewise migrate --remote$/,
      readable: ['lead', 'body'],
    },
    {
      failing: 'triggers deploy',
      live: 'new',
      says: /new version serves. Run: npx wrangler triggers deploy/,
      readable: ['body'],
    },
  ])('at `$failing` ($at) leaves what serves on tables that it understands, and says what to run', async (failure) => {
    const { failing, at = 1, live, says, readable } = failure;
    const before = account.live;
    let met = 0;
    const quietly = async (args: readonly string[]) => {
      const isMeant = args.join(' ').startsWith(failing);
      if (isMeant) met += 1;
      const wrangler = standIn(project.root, account, { failing: isMeant && met === at ? failing : undefined });
      return wrangler.quietly(args);
    };
    const wrangler = { ...standIn(project.root, account), quietly };
    await expect(deploy(project.root, tools(wrangler, { allowDrop: true }))).rejects.toThrow(says);
    expect(account.live === before).toBe(live === 'before');
    for (const column of readable) expect(reads(column)).not.toThrow();
    await deployed({ allowDrop: true });
    expect(account.live).toBe(account.versions.at(-1));
    expect(reads('body')).not.toThrow();
    expect(reads('lead')).toThrow('no such column');
  });

  it('in a rename says that the previous version may fail', async () => {
    await deployed({ allowDrop: true });
    project.schemas(article({ title: STRING, text: STRING }));
    await generate(project.root, {
      renames: { attributes: [{ type: 'article', from: 'body', to: 'text' }], tables: [], components: [] },
    });
    const wrangler = standIn(project.root, account, { failing: 'versions deploy' });
    await expect(deploy(project.root, tools(wrangler))).rejects.toThrow(
      /may fail on the tables[\s\S]*versions deploy \S+@100% --yes$/,
    );
    expect(said.some((line) => /^0004_alter_articles\.sql: the version that serves may fail/.test(line))).toBe(true);
  });

  it('removes nothing before the version that does not read it has settled', async () => {
    let settled = false;
    const pause = async () => {
      expect(account.live).toBe(NEW);
      expect(reads('lead')).not.toThrow();
      settled = true;
    };
    await deployed({ allowDrop: true, pause });
    expect(settled).toBe(true);
    expect(reads('lead')).toThrow('no such column');
  });

  it('applies migrations in their order, whatever they say of themselves', async () => {
    await change({ title: STRING, lead: STRING });
    expect(
      project
        .migrations()
        .slice(1)
        .map((name) => project.read(`drizzle/${name}`).split('\n')[0]),
    ).toEqual(['-- deploy: before', '-- deploy: after', '-- deploy: before', '-- deploy: after']);
    await deployed({ allowDrop: true });
    const applied = remote()
      .prepare('SELECT name FROM d1_migrations ORDER BY id')
      .all()
      .map(({ name }) => name);
    expect(applied).toEqual(project.migrations());
    expect(BEFORE.test(said.join('\n'))).toBe(false);
  });
});

describe('two deployments at once', () => {
  it('of different files do not give a version the traffic that does not know the tables', async () => {
    await deployed();
    const before = account.live;
    const another = (command: string) => {
      if (!command.startsWith('versions deploy')) return;
      throw new Error('it gets the traffic');
    };
    const wrangler = standIn(project.root, account, { before: another });
    const quietly = async (args: readonly string[]) => {
      const done = await wrangler.quietly(args);
      if (args[0] === 'versions') remote().exec("INSERT INTO d1_migrations (name) VALUES ('0002_of_another.sql')");
      return done;
    };
    await expect(deploy(project.root, tools({ ...wrangler, quietly }))).rejects.toThrow(
      /0002_of_another\.sql: was applied, and is missing[\s\S]*gets no traffic/,
    );
    expect(account.live).toBe(before);
  });

  const together = () =>
    Promise.allSettled(
      [1, 2].map(() => deploy(project.root, tools(standIn(project.root, account), { allowDrop: true }))),
    );

  it('of the same files end with one version that serves, on the tables that it needs', async () => {
    await deployed();
    remote().exec(`INSERT INTO articles (document_id, lead) VALUES ('a', 'One')`);
    await change({ title: STRING, body: STRING });
    const results = await together();
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results).toContainEqual(
      expect.objectContaining({
        reason: expect.objectContaining({ message: expect.stringMatching(/^edgewise deploy of/) }),
      }),
    );
    expect(account.versions).toContain(account.live);
    expect(reads('body')).not.toThrow();
    expect(reads('lead')).toThrow('no such column');
    const applied = remote()
      .prepare('SELECT name FROM d1_migrations ORDER BY id')
      .all()
      .map(({ name }) => name);
    expect(applied).toEqual(project.migrations());
  });

  it('from nothing end with a database that has every migration once', async () => {
    await together();
    await deployed();
    const applied = remote()
      .prepare('SELECT name FROM d1_migrations')
      .all()
      .map(({ name }) => name);
    expect(applied).toEqual(project.migrations());
    expect(account.live).toBe(account.versions.at(-1));
  });
});

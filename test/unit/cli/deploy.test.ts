import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deploy } from '../../../src/cli/commands/deploy.ts';
import { generate } from '../../../src/cli/commands/generate.ts';
import { RATE_LIMITERS } from '../../../src/config.ts';
import { contentType } from './content-model.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const CONFIG = `name = "magazine"
compatibility_date = "2026-11-01"
[[d1_databases]]
binding = "DB"
database_name = "magazine-db"
`;

const said = vi.hoisted((): string[] => []);
vi.mock(import('../../../src/cli/terminal.ts'), async (original) => ({
  ...(await original()),
  progress: (text: string) => void said.push(text),
}));

let project: ScratchProject;
beforeEach(async () => {
  project = scratchProject();
  said.length = 0;
  project.write('wrangler.toml', CONFIG);
  project.schemas(contentType('article', { title: { type: 'string' } }));
  await generate(project.root);
  return () => project.remove('.');
});

interface Account {
  readonly databases?: readonly string[];
  /** Names of the Worker's secrets; absent: there is no Worker. */
  readonly secrets?: readonly string[];
  /** What an import that was interrupted is called. */
  readonly unfinished?: string;
  /** The command that fails, and how. */
  readonly failing?: readonly [command: string, message: string];
}

const NO_WORKER = 'Worker "magazine" not found.\n\nIf this is a new Worker, run `wrangler deploy` first';

/** wrangler as far as `deploy` knows it; notes what was asked of it. */
function account({ databases = [], secrets, unfinished, failing }: Account) {
  const commands: string[] = [];
  const uploaded: { path: string; secrets: Record<string, string> }[] = [];
  const json = (names: readonly string[]) => JSON.stringify(names.map((name) => ({ name })));
  const outputOf = (command: string): readonly [number, string] => {
    if (failing && command.startsWith(failing[0])) return [1, failing[1]];
    if (command === 'd1 list --json') return [0, json(databases)];
    if (command.startsWith('d1 execute'))
      return [0, JSON.stringify([{ results: unfinished ? [{ name: unfinished }] : [] }])];
    if (command.startsWith('secret list')) return secrets ? [0, json(secrets)] : [1, NO_WORKER];
    return [0, ''];
  };
  const run = (args: readonly string[]) => {
    const at = args.indexOf('--secrets-file');
    const path = at < 0 ? undefined : args[at + 1];
    if (path) uploaded.push({ path, secrets: JSON.parse(readFileSync(path, 'utf8')) });
    commands.push(args.filter((arg) => arg !== path).join(' '));
    return outputOf(args.join(' '));
  };
  const quietly = async (args: readonly string[]) => {
    const [code, text] = run(args);
    return { code, stdout: code === 0 ? text : '', stderr: code === 0 ? '' : text };
  };
  const openly = async (args: readonly string[]) => run(args)[0];
  return { commands, uploaded, tools: { quietly, openly } };
}

const MIGRATE = 'd1 migrations apply DB --remote';
const steps = (commands: readonly string[]) => commands.filter((command) => !/ list |^d1 execute/.test(command));

describe('deploy', () => {
  it('does nothing when something is stale', async () => {
    project.schemas(contentType('tag', { name: { type: 'string' } }));
    const { tools, commands } = account({});
    await expect(deploy(project.root, tools)).rejects.toThrow(/Stale[\s\S]*add_tags/);
    expect(commands).toEqual([]);
  });

  it.each(['d1 list', 'd1 create', 'd1 migrations', 'secret list'])(
    'stops before the Worker when `%s` fails, with the words of wrangler',
    async (command) => {
      const { tools, commands } = account({ failing: [command, 'the API said no'] });
      await expect(deploy(project.root, tools)).rejects.toThrow('the API said no');
      expect(commands.filter((text) => text.startsWith('deploy'))).toEqual([]);
    },
  );

  it('fails when wrangler deploy does, and leaves no secret on the disk', async () => {
    const { tools, uploaded } = account({ failing: ['deploy', ''] });
    await expect(deploy(project.root, tools)).rejects.toThrow('wrangler deploy failed');
    expect(uploaded).toHaveLength(1);
    expect(existsSync(uploaded[0]?.path ?? '')).toBe(false);
  });

  it('makes the database before the Worker, the first time', async () => {
    const { tools, commands, uploaded } = account({ databases: ['another'] });
    await deploy(project.root, tools);
    expect(steps(commands)).toEqual(['d1 create magazine-db --update-config=false', MIGRATE, 'deploy --secrets-file']);
    expect(uploaded[0]?.secrets).toEqual({ JWT_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('only migrates and deploys from then on', async () => {
    const { tools, commands } = account({ databases: ['magazine-db'], secrets: ['JWT_SECRET'] });
    await deploy(project.root, tools);
    expect(steps(commands)).toEqual([MIGRATE, 'deploy']);
  });

  it('says when an import into the deployed database was interrupted', async () => {
    const { tools } = account({ databases: ['magazine-db'], secrets: ['JWT_SECRET'], unfinished: 'backup.tar.gz' });
    await deploy(project.root, tools);
    expect(said.join('\n')).toMatch(/The import of backup\.tar\.gz was interrupted/);
  });

  it('goes on without the binding that counts sign-ins, and says so', async () => {
    const { tools, commands } = account({ databases: ['magazine-db'], secrets: ['JWT_SECRET'] });
    await deploy(project.root, tools);
    for (const name of RATE_LIMITERS.auth)
      expect(said).toContain(`wrangler.toml: no [[ratelimits]] is named ${name}, by which rateLimit.auth counts`);
    expect(said.filter((text) => text.includes('CONTENT_RATE_LIMIT'))).toEqual([]);
    expect(commands.at(-1)).toBe('deploy');
  });

  it('says where settings and wrangler.toml differ about periods, and nothing where they agree', async () => {
    const limiter = (name: string, period: number) =>
      `[[ratelimits]]\nname = "${name}"\nnamespace_id = "1"\nsimple = { limit = 5, period = ${period} }\n`;
    const limiters = (period: number) => RATE_LIMITERS.auth.map((name) => limiter(name, period)).join('');
    project.write('wrangler.toml', `${CONFIG}${limiters(10)}`);
    const { tools } = account({ databases: ['magazine-db'], secrets: ['JWT_SECRET'] });
    await deploy(project.root, tools);
    for (const name of RATE_LIMITERS.auth)
      expect(said).toContain(`rateLimit.auth.period is 60, but the period of ${name} in wrangler.toml 10`);
    project.write('wrangler.toml', `${CONFIG}${limiters(60)}`);
    said.length = 0;
    await deploy(project.root, tools);
    expect(said.filter((text) => /rate/i.test(text))).toEqual([]);
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
      const { tools, commands } = account({ databases: ['magazine-db'], secrets: ['JWT_SECRET'] });
      await deploy(project.root, tools);
      expect(said.filter((line) => /email/i.test(line))).toEqual(remark ? [expect.stringMatching(remark)] : []);
      expect(commands.at(-1)).toBe('deploy');
    },
  );

  it('is about the resources of an environment, when it is named', async () => {
    project.write(
      'wrangler.toml',
      `${CONFIG}[[env.staging.d1_databases]]\nbinding = "DB"\ndatabase_name = "staging-db"\n`,
    );
    const { tools, commands } = account({ databases: ['magazine-db'] });
    await deploy(project.root, tools, { env: 'staging' });
    expect(commands).toContain('secret list --format json --env staging');
    expect(steps(commands)).toEqual([
      'd1 create staging-db --update-config=false',
      `${MIGRATE} --env staging`,
      'deploy --env staging --secrets-file',
    ]);
  });

  it('takes a database_id for a database that exists', async () => {
    project.write('wrangler.toml', `${CONFIG}database_id = "1"\n`);
    const { tools, commands } = account({ secrets: ['JWT_SECRET'] });
    await deploy(project.root, tools);
    expect(steps(commands)).toEqual([MIGRATE, 'deploy']);
  });
});

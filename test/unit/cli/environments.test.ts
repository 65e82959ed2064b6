/**
 * @module `--env`, by the commands themselves, on local databases.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remoteConfig } from '../../../cli/core/storage/storage.ts';
import { generate } from '../../../cli/project/generate.ts';
import { contentType } from '../../support/schema-files.ts';
import { itLong } from '../../support/tier.ts';
import { type Env, runCommand } from './run-command.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const SLOW = 240_000;

const bindings = (prefix: string, name: string, id: string) => `[[${prefix}d1_databases]]
binding = "DB"
database_name = "${name}"
database_id = "${id}"
migrations_dir = "drizzle"
[[${prefix}r2_buckets]]
binding = "MEDIA"
bucket_name = "${name}-media"
`;
const PLAIN = `name = "magazine"\ncompatibility_date = "2026-11-01"\n${bindings('', 'magazine', 'id-of-production')}`;
const WITH_STAGING = `${PLAIN}[env.staging]\n${bindings('env.staging.', 'magazine-staging', 'id-of-staging')}`;

let project: ScratchProject;
beforeAll(async () => {
  project = scratchProject();
  project.write('wrangler.toml', WITH_STAGING);
  project.schemas(contentType('article', { title: { type: 'string' } }));
  await generate(project.root);
}, SLOW);
afterAll(() => project.remove('.'));

/** A command, in the project. */
const command = (line: string, env: Env = {}) => runCommand(project.root, line, env);

describe('an environment', () => {
  it.each([
    ['migrate', {}],
    ['media check --fix', {}],
    ['deploy', {}],
    ['renew', { CLOUDFLARE_ENV: 'stagin' }],
  ])(
    'that wrangler.toml does not have is refused by `%s` %j, which would take it for production',
    async (line, env) => {
      project.write('wrangler.toml', PLAIN);
      const { code, said } = await command(Object.keys(env).length > 0 ? line : `${line} --env stagin`, env);
      project.write('wrangler.toml', WITH_STAGING);
      expect(said).toMatch(/wrangler\.toml has no \[env\.stagin\]; it has no environments/);
      expect(code).toBe(1);
    },
    SLOW,
  );

  it('has the database and the bucket that wrangler.toml names in it', async () => {
    const names = async (env?: string) =>
      JSON.stringify(await remoteConfig(project.root, env === undefined ? {} : { env }));
    expect(await names('staging')).toMatch(/id-of-staging.*magazine-staging-media/);
    expect(await names()).toMatch(/id-of-production.*magazine-media/);
    expect(await names()).not.toMatch(/staging/);
  });

  itLong(
    'has content of its own, which a backup takes from one to the other',
    async () => {
      await command('migrate --env staging');
      const made = await command('token create --name preview --type read-only --env staging');
      expect(made).toMatchObject({ code: 0 });
      const saved = await command('backup --env staging --file staging.tar.gz');
      expect(saved).toMatchObject({ code: 0, said: expect.stringContaining('local database (staging)') });
      const restored = await command('restore staging.tar.gz');
      expect(restored).toMatchObject({ code: 0, said: expect.stringContaining('local database: as it was at') });
      expect((await command('token list')).said).toMatch(/^preview /m);
    },
    SLOW,
  );
});

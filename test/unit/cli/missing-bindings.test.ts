/**
 * @module Commands in a project whose wrangler.toml lacks the database or the bucket.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../../cli/core/local-server.ts';
import { executeSql } from '../../../cli/core/storage/execute-sql.ts';
import { remoteConfig } from '../../../cli/core/storage/storage.ts';
import { generate } from '../../../cli/project/generate.ts';
import { contentType } from '../../support/schema-files.ts';
import { runCommand } from './run-command.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const DB = ['[[d1_databases]]', 'binding = "DB"', 'database_name = "my-site"', 'migrations_dir = "drizzle"'].join('\n');
const MEDIA = ['[[r2_buckets]]', 'binding = "MEDIA"', 'bucket_name = "my-site-media"'].join('\n');
const HEAD = 'name = "my-site"\nmain = "src/index.ts"\ncompatibility_date = "2026-11-01"\n';
const missing = (name: string, lines: string) =>
  `wrangler.toml has no binding ${name}; add these lines, with the name on its first line for <name>:\n${lines.replaceAll('my-site', '<name>')}`;

let project: ScratchProject;
beforeAll(async () => {
  project = scratchProject();
  project.schemas(contentType('article', { title: { type: 'string' } }));
  await generate(project.root);
});
afterAll(() => project.remove('.'));

it.each([
  ['token list', 'DB', MEDIA, DB],
  ['token list', 'MEDIA', DB, MEDIA],
  [`dev --port ${await freePort()}`, 'DB', MEDIA, DB],
  ['deploy', 'MEDIA', DB, MEDIA],
])('`%s` without %s says which lines to add', async (line, name, others, lines) => {
  project.write('wrangler.toml', `${HEAD}${others}\n`);
  const { code, said } = await runCommand(project.root, line);
  expect(said).toContain(`${missing(name, lines)}\n`);
  expect(code).toBe(1);
});

it.each(['token list', `dev --port ${await freePort()}`, 'deploy', 'doctor'])(
  '`%s` without any binding says all lines at once',
  async (line) => {
    project.write('wrangler.toml', HEAD);
    const { code, said } = await runCommand(project.root, line);
    const lines = `${missing('DB', DB)}\n${missing('MEDIA', MEDIA)}\n`;
    expect(said.replaceAll(/^ {7}/gm, '')).toContain(lines);
    expect(code).toBe(1);
  },
);

it('an environment, which inherits no bindings, is named in the lines', async () => {
  project.write('wrangler.toml', `${HEAD}${DB}\n${MEDIA}\n[env.staging]\n`);
  await expect(remoteConfig(project.root, { env: 'staging' })).rejects.toThrow(
    missing('DB', DB.replace('[[', '[[env.staging.')),
  );
  const { said } = await runCommand(project.root, 'token list --env staging');
  expect(said).toContain('[[env.staging.d1_databases]]');
});

it('a deployed database that wrangler finds under no name is the missing binding', async () => {
  const stderr = "Couldn't find a D1 DB with the name or binding 'DB' in your wrangler.toml file.";
  const wrangler = async () => ({ code: 1, stdout: '', stderr });
  await expect(executeSql(['SELECT 1'], { remote: true }, wrangler)).rejects.toThrow(missing('DB', DB));
});

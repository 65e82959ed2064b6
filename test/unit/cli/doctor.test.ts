import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../cli/core/local-server.ts';
import { lockProject } from '../../../cli/core/lock/project-lock.ts';
import { ensureSecrets } from '../../../cli/dev/secrets.ts';
import { contentType } from '../../support/schema-files.ts';
import { wranglerToml } from './cloudflare.ts';
import { hearProgress } from './heard.ts';
import { runCommand } from './run-command.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

hearProgress();

const TOML = `main = "src/index.ts"\n${wranglerToml('test')}[assets]\ndirectory = ".edgewise/assets"\n`;
const BUCKET = '[[r2_buckets]]\nbinding = "MEDIA"\nbucket_name = "test"\n';
const NO_LIMITS = 'export default { rateLimit: { auth: { enabled: false } } };';

let project: ScratchProject;
let port = 0;
beforeAll(async () => {
  port = await freePort();
  project = scratchProject();
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(project.root, 'node_modules'));
  project.write('wrangler.toml', TOML);
  project.schemas(contentType('tag', { name: { type: 'string' } }));
});
afterAll(() => project.remove('.'));

const doctor = (options = '') => runCommand(project.root, `doctor --port ${port} ${options}`);

/** The lines below each thing that is not well. */
async function todo(): Promise<Readonly<Record<string, string>>> {
  const { code, said } = await doctor('--json');
  const end = said.lastIndexOf(']\n') + 1;
  const findings = JSON.parse(said.slice(0, end)) as { about: string; isOk: boolean; todo: string[] }[];
  const bad = findings.filter(({ isOk }) => !isOk);
  expect(code).toBe(bad.length === 0 ? 0 : 1);
  return Object.fromEntries(bad.map((finding) => [finding.about, finding.todo.join('; ')]));
}

describe('edgewise doctor', () => {
  it('names all that a new project lacks, and changes nothing', async () => {
    expect(await todo()).toEqual({
      'wrangler.toml': expect.stringMatching(
        /^wrangler\.toml has no binding MEDIA; add these lines, with the name on its first line for <name>:\n\[\[r2_buckets\]\]/,
      ),
      secrets: '.dev.vars has no JWT_SECRET; to add one: npx edgewise dev',
      'generated files': expect.stringContaining('is stale; to write it: npx edgewise generate'),
      migrations: 'There is no local database yet; to make it: npx edgewise dev',
    });
    expect([project.has('.wrangler'), project.has('drizzle'), project.has('.dev.vars')]).toEqual([false, false, false]);
  });

  it('stops at wrong settings, and names them', async () => {
    project.write('edgewise.config.ts', 'export default { studoi: false };');
    const found = await todo();
    expect(Object.keys(found)).toEqual(['settings and content types']);
    expect(found['settings and content types']).toContain('studoi');
  });

  it('names rate limits that wrangler.toml lacks, and a file that main does not lead to', async () => {
    project.write('edgewise.config.ts', 'export default {};');
    project.write('wrangler.toml', `${TOML}${BUCKET}`);
    const { 'wrangler.toml': found } = await todo();
    expect(found).toContain('main leads to no file; expected src/index.ts');
    expect(found).toContain('no [[ratelimits]] is named AUTH_RATE_LIMIT');
  });

  it('names the binding that makes pictures, only where the settings want some that it has to make', async () => {
    const found = async (upload: object, toml = '') => {
      project.write('edgewise.config.ts', NO_LIMITS.replace(' };', `, upload: ${JSON.stringify(upload)} };`));
      project.write('wrangler.toml', `${TOML}${BUCKET}${toml}`);
      return (await todo())['wrangler.toml'];
    };
    const lines = 'no picture is made, since wrangler.toml has no binding IMAGES; add these lines:\n[images]\n';
    expect(await found({ widths: true })).toContain(`upload.widths: ${lines}binding = "IMAGES"`);
    expect(await found({ widths: [640], placeholders: true })).toContain(`upload.widths and placeholders: ${lines}`);
    expect(await found({ widths: true }, '[images]\nbinding = "OTHER"\n')).toContain(lines);
    expect(await found({ widths: true }, '[images]\nbinding = "IMAGES"\n')).not.toContain('IMAGES');
    expect(await found({})).not.toContain('IMAGES');
  });

  it('names migrations that are pending', async () => {
    project.write('wrangler.toml', `${TOML}${BUCKET}`);
    project.write('edgewise.config.ts', NO_LIMITS);
    project.write('src/index.ts', '');
    ensureSecrets(project.root);
    await runCommand(project.root, 'generate');
    await runCommand(project.root, 'migrate');
    project.schemas(contentType('page', { name: { type: 'string' } }));
    await runCommand(project.root, 'generate');
    expect(await todo()).toEqual({
      migrations: '1 migration of the local database pending: npx edgewise migrate',
    });
  });

  it('names a secret of a webhook, and of a provider, that the local Worker lacks', async () => {
    const webhooks = [{ url: 'https://site.example.com/', events: ['entry.*'], secret: 'SITE_SECRET' }];
    const users = { providers: { google: { clientId: 'a', secret: 'GOOGLE_SECRET' } } };
    const more = `webhooks: ${JSON.stringify(webhooks)}, users: ${JSON.stringify(users)}, server: { url: 'https://a.example' }`;
    project.write('edgewise.config.ts', NO_LIMITS.replace(' };', `, ${more} };`));
    await runCommand(project.root, 'migrate');
    expect(await todo()).toMatchObject({
      secrets:
        '.dev.vars has no SITE_SECRET, which signs messages to a webhook; .dev.vars has no GOOGLE_SECRET, which users.providers.google needs',
    });
    project.write('edgewise.config.ts', NO_LIMITS);
    await runCommand(project.root, 'generate');
  });

  it('names a command that writes to the project, and a port that is in use', async () => {
    const free = await lockProject(project.root, 'import');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const used = (server.address() as AddressInfo).port;
    const { code, said } = await runCommand(project.root, `doctor --port ${used}`);
    free();
    server.close();
    expect({ code, said }).toMatchObject({
      code: 1,
      said: expect.stringMatching(/edgewise import \(process \d+, since/),
    });
    expect(said).toContain(
      `${used} is in use by another program; use another one: npx edgewise dev --port ${used + 1}`,
    );
  });

  it('ends with 0 where all is well, with a line for each check', async () => {
    const { code, said } = await doctor();
    expect({ code, said }, said).toEqual({
      code: 0,
      said: `ok     Node ${process.version}\nok     no other command\nok     port ${port}\nok     settings and content types\nok     wrangler.toml\nok     secrets\nok     generated files\nok     migrations\n`,
    });
  });
});

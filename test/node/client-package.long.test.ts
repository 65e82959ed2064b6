/**
 * @module The package `edgewise-client`, as npm packs it: a site that installs it has what it exports, and nothing else.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SITE = `import { nextLoader } from 'edgewise-client/images';
const load = nextLoader({ api: 'https://api.example.com' });
console.log(load({ src: '/uploads/a.png', width: 600 }));
`;

let site: string;
let installed: string;
const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8' });

beforeAll(() => {
  site = mkdtempSync(join(tmpdir(), 'edgewise-client-'));
  installed = join(site, 'node_modules/edgewise-client');
  mkdirSync(installed, { recursive: true });
  run('npm', ['pack', '--silent', '--workspace', 'client', '--pack-destination', site], ROOT);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'client/package.json'), 'utf8'));
  run('tar', ['xzf', join(site, `edgewise-client-${version}.tgz`), '--strip-components=1'], installed);
});

afterAll(() => rmSync(site, { recursive: true }));

const CLIENT = `import { createClient } from 'edgewise-client';
import type { ContentTypes } from './content-types.d.ts';
const client = createClient<ContentTypes>({ url: 'https://api.example.com' });
export const titles = client.articles.find({ fields: ['title'] }).then(({ data }) => data.map(({ summary }) => summary));
`;

describe('edgewise-client', () => {
  it('makes URLs of pictures in a site that has no other package', () => {
    writeFileSync(join(site, 'site.mjs'), SITE);
    const url = 'https://api.example.com/uploads/a.png?w=640';
    expect(run(process.execPath, ['site.mjs'], site).trim()).toBe(url);
  });

  it('checks webhooks, in less than 2 KB', () => {
    const check = `import { verifyWebhook } from 'edgewise-client/webhooks';
      console.log(String(await verifyWebhook(new Request('https://site.example'), 'secret').catch((error) => error)));`;
    writeFileSync(join(site, 'check.mjs'), check);
    const refused = 'WebhookError: The header webhook-id is missing';
    expect(run(process.execPath, ['check.mjs'], site).trim()).toBe(refused);
    expect(gzipSync(readFileSync(join(installed, 'dist/webhooks.js'))).length).toBeLessThan(2_000);
  });

  it('has a client, whose types follow what is read', () => {
    const start =
      "import { createClient } from 'edgewise-client'; console.log(typeof createClient({ url: '' }).articles.find)";
    writeFileSync(join(site, 'start.mjs'), start);
    expect(run(process.execPath, ['start.mjs'], site).trim()).toBe('function');
    writeFileSync(join(site, 'client.ts'), CLIENT);
    copyFileSync(join(ROOT, 'types/content-types.d.ts'), join(site, 'content-types.d.ts'));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const args = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--allowImportingTsExtensions',
      '--types',
      '',
      'client.ts',
    ];
    const wrong = () => run(process.execPath, [tsc, ...args], site);
    expect(wrong).toThrow(
      expect.objectContaining({
        stdout: expect.stringMatching(/^client.ts\(4,\d+\): error TS2339: Property 'summary'.*\n$/),
      }),
    );
  });

  it('has a command that writes types', () => {
    const help = run(process.execPath, [join(installed, 'dist/cli.js'), 'types', '--help'], site);
    expect(help).toMatch(/^Usage: edgewise-client types --from <url>/);
  });

  it('has types', () => {
    writeFileSync(join(site, 'site.ts'), SITE.replace('width: 600', "width: '600'"));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const args = [tsc, '--noEmit', '--module', 'nodenext', '--types', '', 'site.ts'];
    const wrong = () => run(process.execPath, args, site);
    expect(wrong).toThrow(expect.objectContaining({ stdout: expect.stringContaining("'string' is not assignable") }));
  });
});

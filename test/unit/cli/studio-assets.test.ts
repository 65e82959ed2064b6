/**
 * @module The assets of a deployment: Studio, its headers, and how a clone bundles it.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { buildProject } from '../../../cli/deploy/build.ts';
import { assetWarnings } from '../../../cli/project/warnings.ts';
import { ASSETS, writeAssets } from '../../../cli/studio/assets.ts';
import { bundleStudio } from '../../../cli/studio/bundle-studio.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

let project: ScratchProject;
const made: ScratchProject[] = [];
beforeEach(() => {
  project = scratchProject();
  made.push(project);
});
afterAll(() => made.map(({ remove }) => remove('.')));

const filesIn = (folder: string) => readdirSync(join(project.root, folder), { recursive: true }).toSorted();
const read = (path: string) => readFileSync(join(project.root, path), 'utf8');
const write = (input: SettingsInput = {}) => writeAssets(project.root, parseSettings(input));

describe('the assets of a project', () => {
  it('are Studio with its headers, and nothing where the settings say so', async () => {
    await write({ upload: { publicUrl: 'https://media.example.com/files' } });
    const page = read(`${ASSETS}/studio/index.html`);
    expect(page).toContain('name="studio-mode" content="full"');
    expect(page).toContain('name="studio-sign-in" content="account"');
    const [, script = ''] = /src="\.\/(assets\/main-\w+\.js)"/.exec(page) ?? [];
    expect(filesIn(`${ASSETS}/studio`)).toContain(script);
    expect(read(`${ASSETS}/_headers`)).toContain("img-src 'self' data: blob: https://media.example.com;");
    await write({ studio: 'read-only' });
    expect(read(`${ASSETS}/studio/index.html`)).toContain('name="studio-mode" content="read-only"');
    expect(read(`${ASSETS}/_headers`)).toContain("img-src 'self' data: blob:;");
    await writeAssets(project.root, parseSettings({}), 'dev/assets');
    expect(read('dev/assets/studio/index.html')).toContain('name="studio-sign-in" content="token"');
    expect(read(`${ASSETS}/studio/index.html`)).toContain('name="studio-sign-in" content="account"');
    expect(read(`${ASSETS}/studio/index.html`)).toContain('name="studio-relations" content="strict"');
    await write({ api: { documents: { strictRelations: false } } });
    expect(read(`${ASSETS}/studio/index.html`)).toContain('name="studio-relations" content="lenient"');
    await write({ studio: false });
    expect(filesIn(ASSETS)).toEqual([]);
  });

  it('name the providers that users sign in with, and nothing of their clients', async () => {
    await write();
    expect(read(`${ASSETS}/studio/index.html`)).toContain('name="studio-providers" content=""');
    const client = { clientId: 'a-client-id', secret: 'A_SECRET' };
    const providers = { google: client, company: { ...client, issuer: 'https://sso.example.com' } };
    await write({ server: { url: 'https://api.example.com' }, users: { providers } });
    const page = read(`${ASSETS}/studio/index.html`);
    expect(page).toContain('name="studio-providers" content="google company"');
    expect(page).not.toMatch(/a-client-id|A_SECRET|sso\.example/);
  });

  it('name Cloudflare Access where it is before the page, and not for npm run dev', async () => {
    const settings = parseSettings({
      server: { url: 'https://api.example.com' },
      access: { team: 'https://example.cloudflareaccess.com', audience: 'ab'.repeat(32) },
    });
    await writeAssets(project.root, settings);
    expect(read(`${ASSETS}/studio/index.html`)).toContain('name="studio-access" content="access"');
    expect(read(`${ASSETS}/studio/index.html`)).not.toMatch(/abab|cloudflareaccess/);
    await writeAssets(project.root, settings, 'dev/assets');
    expect(read('dev/assets/studio/index.html')).toContain('name="studio-access" content=""');
    await write();
    expect(read(`${ASSETS}/studio/index.html`)).toContain('name="studio-access" content=""');
  });

  it('frame the pages of the origins that previews name, and no others', async () => {
    const framed = () => [
      /frame-src ([^;]*)/.exec(read(`${ASSETS}/_headers`))?.[1],
      /"studio-frames" content="(.*)"/.exec(read(`${ASSETS}/studio/index.html`))?.[1],
    ];
    const url = 'https://site.example:8443/{slug}?t={token}';
    const origins = ['https://other.example', 'http://localhost:3000'];
    await write({ preview: { origins, 'api::article.article': { url }, 'api::tag.tag': { url }, 'api::b.b': {} } });
    const all = 'https://site.example:8443 https://other.example http://localhost:3000';
    expect(framed()).toEqual([all, all]);
    for (const preview of [null, {}, { 'api::article.article': {} }]) {
      await write({ preview });
      expect(framed()).toEqual([undefined, '']);
    }
  });

  it('are refused where the description that Studio reads is off', async () => {
    project.write('edgewise.config.ts', 'export default { server: { openapi: false } };');
    await expect(buildProject(project.root)).rejects.toThrow(
      /studio: reads \/openapi\.json, which server\.openapi: false/,
    );
    project.write('edgewise.config.ts', 'export default { server: { openapi: false }, studio: false };');
    await buildProject(project.root);
    expect(filesIn(ASSETS)).toEqual([]);
  });

  it('are missed in a wrangler.toml of an earlier version', () => {
    const warningsOf = (toml: string, input: SettingsInput = {}) => {
      project.write('wrangler.toml', toml);
      return assetWarnings(project.root, parseSettings(input));
    };
    const advice = expect.stringContaining('Add: [assets] directory = ".edgewise/assets"');
    expect(warningsOf('name = "x"\n')).toEqual([advice]);
    expect(warningsOf('[assets]\n# directory = ".edgewise/assets"\ndirectory = "public"\n')).toEqual([advice]);
    expect(warningsOf('name = "x"\n', { studio: false })).toEqual([]);
    expect(warningsOf('[assets]\ndirectory = ".edgewise/assets"\n')).toEqual([]);
    expect(warningsOf("assets = { directory = './.edgewise/assets/' }\n")).toEqual([]);
  });
});

describe('the bundle of Studio in a clone', () => {
  beforeEach(() => {
    project.write('package-lock.json', '{}');
    project.write('studio/index.html', '<head>\n  <script src="./main.js"></script>\n  </head>');
  });

  it('is made again after a change, and only then', async () => {
    project.write('studio/main.ts', 'document.title = process.env.NODE_ENV ?? "";');
    await bundleStudio(project.root);
    const [name = ''] = /assets\/main-\w+\.js/.exec(read('dist/studio/index.html')) ?? [];
    expect(read(`dist/studio/${name}`)).toContain('document.title="production"');
    const written = () => statSync(join(project.root, 'dist/studio', name)).ctimeMs;
    const first = written();
    await bundleStudio(project.root);
    expect(written()).toBe(first);
    project.write('studio/main.ts', 'document.title = "changed"; import("./screens.tsx");');
    project.write('studio/screens.tsx', 'document.title = "later";');
    await bundleStudio(project.root);
    expect(filesIn('dist/studio')).not.toContain(name);
  });

  it('has the code that later screens share with the start in one file, which the page names', async () => {
    project.write('studio/main.ts', 'import("./screens.tsx").then(({ start }) => start());');
    project.write(
      'studio/screens.tsx',
      'import { a } from "./a.ts"; import { b } from "./b.ts"; export const start = () => [a(), b(), import("./first.ts"), import("./second.ts")];',
    );
    project.write('studio/a.ts', 'export const a = () => document.append("shared a");');
    project.write('studio/b.ts', 'export const b = () => document.append("shared b");');
    project.write('studio/first.ts', 'import { a } from "./a.ts"; export const first = () => a();');
    project.write('studio/second.ts', 'import { b } from "./b.ts"; export const second = () => b();');
    await bundleStudio(project.root);
    const names = (files: readonly string[]) =>
      files.flatMap((file) => /(\w+)-\w+\.js$/.exec(file)?.[1] ?? []).toSorted();
    expect(names(filesIn('dist/studio/assets').map(String))).toEqual(['chunk', 'first', 'main', 'screens', 'second']);
    const named = read('dist/studio/index.html').match(/assets\/[^"]+/g) ?? [];
    expect(names(named)).toEqual(['chunk', 'main', 'screens']);
  });

  it('names file and line of an error', async () => {
    project.write('studio/main.ts', 'const one = 1;\nimport "./missing.ts";\n');
    await expect(bundleStudio(project.root)).rejects.toThrow('studio/main.ts:2:8: Could not resolve "./missing.ts"');
  });
});

/**
 * @module What `npm run dev` keeps beside the local database: who serves it; and what its Worker is bundled with.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { build } from 'esbuild';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertUnlocked, holderOf, lockState } from '../../../../cli/core/storage/state-folder.ts';
import { type Announced, announcement, type Tokens } from '../../../../cli/dev/announcement.ts';
import { devArgs, devBundle, devVariables } from '../../../../cli/dev/dev-bundle.ts';
import { builtFiles, devFiles } from '../../../../cli/project/project-file.ts';
import { writeFiles } from '../../../../cli/project/write-files.ts';
import { buildRegistry } from '../../../../src/schema/build.ts';
import { CHECKED } from '../../../../src/schema/schema-json.ts';
import { parseSettings, type Settings } from '../../../../src/schema/settings/config.ts';
import { contentType } from '../../../support/schema-files.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  return () => project.remove('.');
});

const URL_HERE = 'http://127.0.0.1:8787';
const LOCK = '.wrangler/state/edgewise/serving.json';

describe('a local database', () => {
  it('is served once: the second server says where and how to have another one', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    project.write(LOCK, JSON.stringify({ pid: other.pid, url: URL_HERE }));
    try {
      expect(() => lockState(project.root, {}, 'http://127.0.0.1:8788')).toThrow(
        `${URL_HERE} serves this database already (process ${other.pid}); stop it, or use another one: npm run dev -- --port 8789 --persist-to <dir>`,
      );
      expect(() => assertUnlocked(project.root, {})).toThrow('stop npm run dev first');
      expect(holderOf(project.root, {})?.url).toBe(URL_HERE);
      expect(holderOf(project.root, { persistTo: 'elsewhere' })).toBeUndefined();
    } finally {
      other.kill();
      await once(other, 'exit');
    }
    expect(holderOf(project.root, {})).toBeUndefined();
  });

  it('is free again afterwards, and after a server that was killed', () => {
    project.write(LOCK, '{ half a file');
    lockState(project.root, {}, URL_HERE)();
    expect(project.has(LOCK)).toBe(false);
  });
});

describe('what the Worker is bundled with', () => {
  const settings = parseSettings({});
  const files = { contentTypes: [contentType('article', { title: { type: 'string' } })], components: [] };

  it('has the settings as the Worker reads them', () => {
    expect(JSON.parse(JSON.stringify(settings))).toEqual(settings);
  });

  it('is the bundle of npm run dev for wrangler alone, one for each local database', async () => {
    const [first, other] = [{}, { persistTo: 'elsewhere' }].map((target) => devBundle(project.root, target));
    if (!first || !other) throw new Error('there are two');
    expect(devBundle(project.root, { persistTo: `${project.root}/elsewhere` })).toEqual(other);
    const named = (name: string) => parseSettings({ roles: { [name]: [] } });
    writeFiles(project.root, builtFiles(project.root, files, named('built')));
    writeFiles(project.root, devFiles(project.root, first, files, named('first')));
    writeFiles(project.root, devFiles(project.root, other, files, named('other')));
    writeFiles(project.root, builtFiles(project.root, files, named('built')));
    project.write('index.ts', `export { registry, settings } from './.edgewise/project.ts';`);
    const bundled = async (conditions: string) => {
      const options = { bundle: true, write: false, format: 'esm', conditions: conditions.split(',') } as const;
      const { outputFiles } = await build({ ...options, entryPoints: [`${project.root}/index.ts`] });
      return outputFiles[0]?.text ?? '';
    };
    const [ofFirst, ofOther] = [first, other].map((bundle) => devVariables(bundle).WRANGLER_BUILD_CONDITIONS ?? '');
    expect(await bundled(ofFirst ?? '')).toMatch(/isDev: true(.|\n)*"roles": \{ "first"/);
    expect(await bundled(ofOther ?? '')).toContain('"roles": { "other"');
    const deployed = await bundled('workerd,worker,browser');
    expect(deployed).toContain('"roles": { "built"');
    expect(deployed).not.toContain('isDev');
  });

  it('has the assets of npm run dev only where wrangler.toml has those of Edgewise', () => {
    const assets = (toml: string) => {
      project.write('wrangler.toml', toml);
      return devArgs(project.root, devBundle(project.root, {})).filter((arg) => arg.endsWith('assets'));
    };
    expect(assets('[assets]\ndirectory = ".edgewise/assets"\n')).toEqual(['--assets', '.edgewise/dev/assets']);
    expect(assets('[assets]\ndirectory = "public"\n')).toEqual([]);
  });

  it('is written only where the content types or the settings are others', () => {
    const search = ['api::article.article'];
    const write = (more: object, input: object) =>
      writeFiles(project.root, builtFiles(project.root, { ...files, ...more }, parseSettings(input))).length > 0;
    expect([write({}, {}), write({}, {}), write({ search }, {}), write({ search }, { roles: { public: [] } })]).toEqual(
      [true, false, true, true],
    );
  });
});

const EMPTY = buildRegistry({ contentTypes: [], components: [] }, CHECKED);
const announced = (tokens: Tokens, studio: Settings['studio'], more: Partial<Announced> = {}) =>
  announcement({
    ...{ url: URL_HERE, tokens, registry: EMPTY, settings: { roles: {} }, studio, hasUsers: true, options: [] },
    ...more,
  }).join('\n');

it('points to Studio, with what to sign in with', () => {
  expect(announced({ demo: 'reads', studio: 'writes' }, true)).toContain(
    `Studio: ${URL_HERE}/studio/\n  Sign in with the token writes\n`,
  );
  expect(announced({ demo: 'reads' }, 'read-only')).toContain('Sign in with the read-only token');
  expect(announced({ demo: 'reads' }, false)).not.toContain('Studio');
});

it('without content types says where to get some', () => {
  const lines = announced({ demo: 'reads', studio: 'writes' }, true);
  expect(lines).toContain('content-types/ has no content types yet');
  expect(lines).not.toContain('curl');
});

it.each([
  [{ public: [], authenticated: [], editor: ['api::*'] }, ' --role editor'],
  [{ public: [], writer: [] }, ' --role writer'],
  [{ public: [] }, ''],
])('without a user says how to make one, in roles %j', (roles, option) => {
  const command = `npx edgewise user create --email you@example.com${option}\n`;
  expect(announced({ demo: 'reads' }, true, { settings: { roles }, hasUsers: false })).toContain(command);
  expect(announced({ demo: 'reads' }, true, { settings: { roles } })).not.toContain('user create');
});

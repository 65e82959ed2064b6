/**
 * @module What `npm run dev` keeps beside the local database: who serves it; and what its Worker is bundled with.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertUnlocked, holderOf, lockState } from '../../../../cli/core/storage/state-folder.ts';
import { type Announced, announcement, type Tokens } from '../../../../cli/dev/announcement.ts';
import { projectText, writeProject } from '../../../../cli/project/project-file.ts';
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

  it('explains rights only where npm run dev bundles it', () => {
    expect(projectText({ ...files, isDev: true }, settings)).toContain('isDev: true,');
    expect(projectText(files, settings)).not.toContain('isDev');
  });

  it('is written only where the content types or the settings are others', () => {
    const search = ['api::article.article'];
    const write = (more: object, input: object) =>
      writeProject(project.root, { ...files, ...more }, parseSettings(input));
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

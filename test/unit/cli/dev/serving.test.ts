/**
 * @module What `npm run dev` keeps beside the local database: who serves it, and the Worker that is served.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertUnlocked, lockState, servedAt } from '../../../../src/cli/core/storage/lock.ts';
import { announcement } from '../../../../src/cli/dev/examples.ts';
import { servedWorker, writeWorker } from '../../../../src/cli/dev/served-worker.ts';
import { parseSettings } from '../../../../src/config.ts';
import { buildRegistry } from '../../../../src/registry/build.ts';
import { CHECKED } from '../../../../src/registry/schema-json.ts';
import { contentType } from '../content-model.ts';
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
      expect(servedAt(project.root, {})).toBe(URL_HERE);
      expect(servedAt(project.root, { persistTo: 'elsewhere' })).toBeUndefined();
    } finally {
      other.kill();
      await once(other, 'exit');
    }
    expect(servedAt(project.root, {})).toBeUndefined();
  });

  it('is free again afterwards, and after a server that was killed', () => {
    project.write(LOCK, '{ half a file');
    lockState(project.root, {}, URL_HERE)();
    expect(project.has(LOCK)).toBe(false);
  });
});

describe('the Worker that is served', () => {
  const settings = parseSettings({});
  const files = { contentTypes: [contentType('article', { title: { type: 'string' } })], components: [] };
  const path = () => `${project.root}/.wrangler/state/edgewise/worker.js`;

  it('has the settings as the deployed one reads them', () => {
    expect(JSON.parse(JSON.stringify(settings))).toEqual(settings);
  });

  it('finds the source from where it stands, in or outside of the project, with slashes alone', () => {
    expect(servedWorker(project.root, path(), files, settings).text).toContain(`from '../../../src/app.ts'`);
    const outside = `${project.root}-state/worker.js`;
    expect(servedWorker(project.root, outside, files, settings).text).toMatch(/from '\.\.\/[^'\\]+\/src\/app\.ts'/);
  });

  it('is another one when the content types or the settings are, and is written only then', () => {
    const served = servedWorker(project.root, path(), files, settings);
    const more = servedWorker(project.root, path(), { ...files, search: ['api::article.article'] }, settings);
    const other = servedWorker(project.root, path(), files, parseSettings({ roles: { public: [] } }));
    expect(new Set([served, more, other].map(({ version }) => version)).size).toBe(3);
    expect([writeWorker(path(), served), writeWorker(path(), served), writeWorker(path(), more)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

it('without content types says where to get some', () => {
  const lines = announcement(URL_HERE, 'token', buildRegistry({ contentTypes: [], components: [] }, CHECKED)).join(
    '\n',
  );
  expect(lines).toContain('content-types/ has no content types yet');
  expect(lines).not.toContain('curl');
});

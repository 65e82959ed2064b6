/**
 * @module The Worker stays small: what is deployed, minified and gzipped, keeps its budget.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generate } from '../../cli/project/generate.ts';
import { readSchemaFiles } from '../../cli/project/project.ts';
import demo from '../../edgewise.config.ts';
import { makeScratch, removeScratch } from '../conformance/scratch.ts';
import { DEMO } from '../support/demo.ts';

/**
 * KB: 245, 12 for signing in with providers, 8 for clients of OAuth, 5 for what reads have beyond
 * Strapi, 1.5 for facets, 4.5 for a search by words, and 1 for all levels of a populate.
 */
const MAX_SIZE = 277;

let folder = '';
beforeAll(async () => {
  folder = makeScratch(DEMO, demo);
  await generate(folder);
});
afterAll(() => removeScratch(folder));

it(`is at most ${MAX_SIZE} KB, without the content types of the deployment`, async () => {
  const wrangler = join(folder, 'node_modules/wrangler/bin/wrangler.js');
  const args = [wrangler, 'deploy', '--dry-run', '--outdir', 'dist'];
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false' };
  const done = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
  expect(done.status, done.stderr).toBe(0);
  const worker = readFileSync(join(folder, 'dist/index.js'));
  expect(worker.length).toBeGreaterThan(100_000);
  const contentTypes = gzipSync(JSON.stringify((await readSchemaFiles(folder)).files)).length;
  expect((gzipSync(worker).length - contentTypes) / 1024).toBeLessThanOrEqual(MAX_SIZE);
});

/**
 * @module The Worker stays small: what is deployed, minified and gzipped, keeps its budget.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { generate } from '../cli/project/generate.ts';
import { readSchemaFiles } from '../cli/project/project.ts';
import { makeScratch, removeScratch } from './conformance/scratch.ts';
import settings from './demo/edgewise.config.ts';
import { DEMO } from './support/demo.ts';

const BUDGET = 194 * 1024;

it('is at most 194 KB, besides the content types of the deployment', { timeout: 60_000 }, async () => {
  const folder = makeScratch(DEMO, settings);
  try {
    await generate(folder);
    const wrangler = join(folder, 'node_modules/wrangler/bin/wrangler.js');
    const args = [wrangler, 'deploy', '--dry-run', '--outdir', 'dist'];
    const env = { ...process.env, WRANGLER_SEND_METRICS: 'false' };
    const done = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
    expect(done.status, done.stderr).toBe(0);
    const worker = readFileSync(join(folder, 'dist/index.js'));
    expect(worker.length).toBeGreaterThan(100_000);
    const contentTypes = gzipSync(JSON.stringify((await readSchemaFiles(folder)).files)).length;
    expect(gzipSync(worker).length - contentTypes).toBeLessThanOrEqual(BUDGET);
  } finally {
    removeScratch(folder);
  }
});

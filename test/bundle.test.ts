/**
 * @module The Worker stays small: what is deployed, minified and gzipped, keeps its budget.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bundled } from '../src/registry/bundled.ts';

const ROOT = join(import.meta.dirname, '..');
const BUDGET = 180 * 1024;

it('is at most 180 KB, besides the content types of the deployment', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-bundle-'));
  try {
    const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
    const args = [wrangler, 'deploy', '--dry-run', '--outdir', folder];
    const env = { ...process.env, WRANGLER_SEND_METRICS: 'false' };
    const done = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' });
    expect(done.status, done.stderr).toBe(0);
    const worker = readFileSync(join(folder, 'index.js'));
    expect(worker.length).toBeGreaterThan(100_000);
    const contentTypes = gzipSync(JSON.stringify(bundled)).length;
    expect(gzipSync(worker).length - contentTypes).toBeLessThanOrEqual(BUDGET);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

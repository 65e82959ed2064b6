/**
 * @module Descriptions, whatever the settings and whoever reads them, are what Redocly's recommended rules ask for.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { READ_ONLY, roleGrants } from '../../src/access/grants.ts';
import { describeApi } from '../support/describe-api.ts';
import { magazine, settings } from '../unit/describe/fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'edgewise-lint-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A licence is the owner's to give. */
const ARGS = ['lint', '--skip-rule', 'info-license', '--format', 'json'];

function lint(document: unknown): readonly string[] {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const cli = join(import.meta.dirname, 'node_modules/@redocly/cli/bin/cli.js');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = spawnSync(process.execPath, [cli, ...ARGS, file], { cwd: folder, env, encoding: 'utf8' });
  const { problems } = JSON.parse(stdout) as { problems: readonly { ruleId: string; message: string }[] };
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

const defaults = settings();
const refresh = settings({
  users: { jwtManagement: 'refresh' },
  api: { rest: { createResponse: 'strapi', maxLimit: null } },
  server: { url: 'https://api.example.org' },
});

it('is asked of a tool that finds what is wrong', () => {
  const { Article: _, ...schemas } = describeApi(magazine(), defaults).components.schemas ?? {};
  const document = { ...describeApi(magazine(), defaults), components: { schemas } };
  expect(lint(document).join('\n')).toContain('no-unresolved-refs');
});

it.each([
  ['the owner', describeApi(magazine(), defaults)],
  ['the owner, with other settings', describeApi(magazine(), refresh)],
  ['the public', describeApi(magazine(), refresh, roleGrants(refresh, 'public'))],
  ['a reader', describeApi(magazine(), defaults, READ_ONLY)],
])('finds nothing wrong with what %s reads', (_, document) => {
  expect(lint(document)).toEqual([]);
});

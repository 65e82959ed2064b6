/**
 * @module The conformance package of the Model Context Protocol, against the demo. Most of its scenarios call tools, prompts
 * and resources that a server has for this package alone; those are named here with the reason.
 */
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { url } from './requests.ts';

const COMMAND = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'];

const FIXTURE_TOOL = 'calls a tool that only a server for this package has';
const FIXTURE_RESOURCE = 'reads a resource that only a server for this package has';
const PROMPTS = 'there are no prompts';
const SUBSCRIPTIONS = 'resources have no subscriptions: requests have no session';

/** The reason for each scenario that is not run. */
const SKIPPED: Readonly<Record<string, string>> = {
  'logging-set-level': 'there is no log of messages: it needs a session, and 2026-07-28 deprecates it',
  'completion-complete': 'there are no completions: they are for prompts and templates',
  'tools-call-simple-text': FIXTURE_TOOL,
  'tools-call-image': FIXTURE_TOOL,
  'tools-call-audio': FIXTURE_TOOL,
  'tools-call-embedded-resource': FIXTURE_TOOL,
  'tools-call-mixed-content': FIXTURE_TOOL,
  'tools-call-with-logging': FIXTURE_TOOL,
  'tools-call-error': FIXTURE_TOOL,
  'tools-call-with-progress': FIXTURE_TOOL,
  'tools-call-sampling': FIXTURE_TOOL,
  'tools-call-elicitation': FIXTURE_TOOL,
  'json-schema-2020-12': FIXTURE_TOOL,
  'elicitation-sep1034-defaults': FIXTURE_TOOL,
  'elicitation-sep1330-enums': FIXTURE_TOOL,
  'resources-read-text': FIXTURE_RESOURCE,
  'resources-read-binary': FIXTURE_RESOURCE,
  'resources-templates-read': FIXTURE_RESOURCE,
  'resources-subscribe': SUBSCRIPTIONS,
  'resources-unsubscribe': SUBSCRIPTIONS,
  'prompts-list': PROMPTS,
  'prompts-get-simple': PROMPTS,
  'prompts-get-with-args': PROMPTS,
  'prompts-get-embedded-resource': PROMPTS,
  'prompts-get-with-image': PROMPTS,
  'http-custom-header-server-validation': 'no tool repeats an argument in a header (x-mcp-header)',
  'input-required-result-basic-elicitation': FIXTURE_TOOL,
  'input-required-result-basic-sampling': FIXTURE_TOOL,
  'input-required-result-basic-list-roots': FIXTURE_TOOL,
  'input-required-result-request-state': FIXTURE_TOOL,
  'input-required-result-multiple-input-requests': FIXTURE_TOOL,
  'input-required-result-multi-round': FIXTURE_TOOL,
  'input-required-result-missing-input-response': FIXTURE_TOOL,
  'input-required-result-non-tool-request': PROMPTS,
  'input-required-result-result-type': FIXTURE_TOOL,
  'input-required-result-tampered-state': FIXTURE_TOOL,
  'input-required-result-capability-check': FIXTURE_TOOL,
  'input-required-result-ignore-extra-params': FIXTURE_TOOL,
  'input-required-result-validate-input': FIXTURE_TOOL,
};

/** The reason for each check that fails in a scenario that is run. */
const UNTESTABLE: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': FIXTURE_TOOL,
  'sep-2575-missing-capability-http-400': FIXTURE_TOOL,
  'sep-2575-http-server-no-independent-requests-on-stream': FIXTURE_TOOL,
  'sep-2575-server-no-log-without-loglevel': FIXTURE_TOOL,
  'sep-2549-prompts-list-caching-hints': PROMPTS,
};

const run = (args: readonly string[]) => promisify(execFile)(process.execPath, [COMMAND, ...args]);

interface Scenario {
  readonly name: string;
  readonly versions: readonly string[];
}

/** Scenarios of the protocol; extensions are not offered. */
async function listed(): Promise<readonly Scenario[]> {
  const { stdout } = await run(['list', '--server']);
  return [...stdout.matchAll(/^ +- ([\w-]+) \[([\d,-]+)\]$/gm)].map(([, name = '', versions = '']) => ({
    name,
    versions: versions.split(','),
  }));
}

const SCENARIOS = await listed();
const CASES = SCENARIOS.filter(({ name }) => !(name in SKIPPED)).flatMap(({ name, versions }) =>
  versions.filter((version) => VERSIONS.includes(version)).map((version) => [name, version] as const),
);

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Runs a scenario. @returns its checks */
async function checksOf(scenario: string, version: string): Promise<readonly Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-mcp-'));
  try {
    const args = ['server', '--url', `${url}/mcp`, '--scenario', scenario, '--spec-version', version, '-o', folder];
    // It ends with 1 where a check fails.
    await run(args).catch(() => undefined);
    return globSync('*/checks.json', { cwd: folder }).flatMap((file) =>
      JSON.parse(readFileSync(join(folder, file), 'utf8')),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the conformance package', () => {
  it('has each scenario that is skipped, and more', () => {
    const names = SCENARIOS.map(({ name }) => name);
    expect(Object.keys(SKIPPED).filter((name) => !names.includes(name))).toEqual([]);
    expect(CASES.length).toBeGreaterThan(15);
  });

  it.each(CASES)('%s of %s passes', async (scenario, version) => {
    const checks = await checksOf(scenario, version);
    expect(checks).not.toEqual([]);
    const failures = checks.filter(({ id, status }) => status === 'FAILURE' && !(id in UNTESTABLE));
    expect(failures).toEqual([]);
  });
});

/// <reference types="@cloudflare/vitest-pool-workers/types" />
/**
 * @module Replays a corpus against the app in this process, on a real D1: one test for each scenario.
 */

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createDeployment } from '../../src/deployment.ts';
import { buildRegistry } from '../../src/schema/build.ts';
import type { Registry } from '../../src/schema/model.ts';
import { EVERY_STAMP } from '../../src/schema/names.ts';
import { CHECKED } from '../../src/schema/schema-json.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { createRegistryTables } from '../support/app.ts';
import { describeApi } from '../support/describe-api.ts';
import { conformity, type Seen, seenOf } from '../support/described.ts';
import { checkInvariants } from '../support/invariants.ts';
import { isLongTier } from '../support/tier.ts';
import { callOf, toolOf } from './as-tool.ts';
import type { Client, Fetch } from './client.ts';
import { type Corpus, fixture } from './embedded.ts';
import { EXPECTED } from './expected.ts';
import { originsOf, type Scenario } from './recording.ts';
import { stepLines } from './report.ts';
import { reset } from './reset.ts';
import { runScenario } from './run.ts';
import { parseSetup, type Setup, settingsOf, type TokenSetup } from './settings.ts';
import { judge } from './verdict.ts';

/** In the short tier, one response in so many is held against the description, and asked for again. */
const EVERY = 10;

const tokenOf = (alias: string): string => `conformance-${alias}`;

async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function insertToken(alias: string, { type, permissions = [] }: TokenSetup): Promise<void> {
  const now = Date.now();
  const accessKey = await sha256(tokenOf(alias));
  await env.DB.prepare(
    `insert into strapi_api_tokens
      (document_id, locale, published_at, created_at, updated_at, name, type, access_key, permissions)
      values (?, '', ?, ?, ?, ?, ?, ?, ?)`,
  )
    .bind(alias.padEnd(24, '0'), now, now, now, alias, type, accessKey, JSON.stringify(permissions))
    .run();
}

/** Reads that tools have made again. */
let toolReads = 0;

/** A client, and what it was answered since it was last asked: what is not described is left out. */
interface Watched extends Client {
  complaints(): Promise<readonly string[]>;
  /** Asks one isolate, once. */
  readonly plain: Client;
}

function clientOf(registry: Registry, setup: Setup, scenarios: readonly Scenario[], lenient: boolean): Watched {
  const tokens = Object.fromEntries(Object.keys(setup.apiTokens).map((alias) => [alias, tokenOf(alias)]));
  const settings = parseSettings({ ...settingsOf(setup, { origins: originsOf(scenarios), lenient }), mcp: true });
  const description = describeApi(registry, settings);
  let seen: Seen[] = [];
  let asked = inject('seed');
  const isolates = [
    createApp(createDeployment({ registry, settings })),
    createApp(createDeployment({ registry, settings })),
  ] as const;
  const ask = async (app: (typeof isolates)[number], url: string, init: RequestInit): Promise<Response> => {
    const context = createExecutionContext();
    const response = await app.fetch(new Request(url, init), env, context);
    await waitOnExecutionContext(context);
    return response;
  };
  /** Asks a tool for what a read has given. */
  const compareTool = async (url: string, init: RequestInit, text: string): Promise<void> => {
    const call = toolOf(url, init, registry);
    if (!call) return;
    const response = await ask(isolates[0], new URL('/mcp', url).href, callOf(call, init.headers));
    const { result } = (await response.json()) as { result: { structuredContent: { data?: unknown } } };
    const given = JSON.stringify(result.structuredContent.data);
    toolReads += 1;
    if (given !== JSON.stringify(JSON.parse(text).data))
      throw new Error(`${url} gives ${text}, and ${call.name} gives ${JSON.stringify(result.structuredContent)}`);
  };
  /** Reads are asked again, of the isolate that has just answered and of one that has answered before. */
  const fetch: Fetch = async (url, init) => {
    const response = await ask(isolates[0], url, init);
    asked += 1;
    if (!isLongTier && asked % EVERY !== 0) return response;
    const { method = 'GET', headers } = init;
    const own = new Headers(headers);
    const isDescribed = !own.has('strapi-response-format') && !own.has('strapi-encode-source-maps');
    if (!/HEAD|OPTIONS/.test(method) && isDescribed) seen.push(await seenOf(url, method, response));
    if (init.method !== 'GET' || !response.headers.get('content-type')?.startsWith('application/json')) return response;
    const text = await response.clone().text();
    for (const app of isolates) {
      const again = await (await ask(app, url, init)).text();
      if (again !== text) throw new Error(`${url} was answered with ${text} and then with ${again}`);
    }
    if (response.status === 200) await compareTool(url, init, text);
    return response;
  };
  const complaints = async () => {
    const answers = seen;
    seen = [];
    return (await conformity(description, answers)).complaints;
  };
  const base = 'http://in-process.test';
  const plain = { fetch: (url, init) => ask(isolates[0], url, init), base, tokens, fixture } satisfies Client;
  return { ...plain, fetch, complaints, plain };
}

/** The scenario's failures in words, and the entries of `expected.ts` that are no longer true. */
async function complaints(client: Client, scenario: Scenario, key: string): Promise<readonly string[]> {
  const verdict = judge(await runScenario(client, scenario), EXPECTED, key);
  const failures = verdict.steps.filter(({ outcome }) => outcome === 'failed');
  return [
    ...failures.flatMap((step) => stepLines(step)),
    ...verdict.stale.map((entry) => `expected.ts says that this differs, it does not: ${entry}`),
  ];
}

/** Not of a scenario. */
const KEPT_TABLES: ReadonlySet<string> = new Set([
  ...['edgewise_stamps', 'edgewise_migrations', 'edgewise_imports', 'up_roles', 'strapi_api_tokens'],
]);

/** Does what `reset` does, without a request for each document. */
async function emptyTables(): Promise<void> {
  const listed = await env.DB.prepare(
    `select name from pragma_table_list where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'`,
  ).all<{ readonly name: string }>();
  const names = listed.results.map(({ name }) => name).filter((name) => !KEPT_TABLES.has(name));
  const stamps = `update edgewise_stamps set stamps = json_object('${EVERY_STAMP}', lower(hex(randomblob(8))))`;
  await env.DB.batch([stamps, ...names.map((name) => `delete from "${name}"`)].map((sql) => env.DB.prepare(sql)));
}

interface Suite {
  readonly client: Watched;
  readonly scenarios: readonly Scenario[];
  /** Before the names of scenarios in `expected.ts`. */
  readonly prefix: string;
}

function replaySuite(title: string, registry: Registry, targets: Corpus['targets'], suite: Suite): void {
  describe(title, () => {
    beforeEach(() => (isLongTier ? reset(suite.client.plain, targets) : emptyTables()));

    it.each(suite.scenarios)('$name', async (scenario) => {
      expect((await complaints(suite.client, scenario, suite.prefix + scenario.name)).join('\n')).toBe('');
      expect(await suite.client.complaints()).toEqual([]);
      expect(await checkInvariants(env.DB, registry)).toEqual([]);
    });
  });
}

/**
 * Declares the tests of a corpus: a file has one, for its tables are those of the model.
 * @param minToolReads at least so many reads are compared with tools, in the long tier
 */
export function replayCorpus(corpus: Corpus, minToolReads = 0): void {
  const { schemaFiles, scenarios, lenientScenarios, targets } = corpus;
  const registry = buildRegistry(schemaFiles, CHECKED);
  const setup = parseSetup(corpus.setup);

  beforeAll(async () => {
    await createRegistryTables(registry);
    for (const [alias, token] of Object.entries(setup.apiTokens)) await insertToken(alias, token);
  });

  const strict = clientOf(registry, setup, scenarios, false);
  replaySuite('the recordings', registry, targets, { client: strict, scenarios, prefix: '' });
  it.runIf(isLongTier)('tools have made the same reads', () => {
    expect(toolReads).toBeGreaterThanOrEqual(minToolReads);
  });
  if (lenientScenarios.length === 0) return;
  const client = clientOf(registry, setup, lenientScenarios, true);
  replaySuite('the recordings without strictParams and strictRelations', registry, targets, {
    client,
    scenarios: lenientScenarios,
    prefix: 'lenient/',
  });
}

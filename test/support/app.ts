/**
 * @module An app over any content model, in process, on the D1 of the test.
 */

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createApp } from '../../src/app.ts';
import { createDeployment } from '../../src/deployment.ts';
import type { AnyExtensions } from '../../src/features/own-code/extension-types.ts';
import type { EmailSender } from '../../src/features/users/email.ts';
import { cronHandler } from '../../src/http/cron.ts';
import type { Deployment } from '../../src/http/deployment.ts';
import type { Registry } from '../../src/schema/model.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { registryText } from './registry-text.ts';

/** Tests sign in more often than anybody may. */
const UNLIMITED: SettingsInput = { rateLimit: { auth: { enabled: false } } };

export type Send = (path: string, init?: RequestInit) => Promise<Response>;

const urlOf = (path: string): string => (path.startsWith('http') ? path : `http://edgewise.test${path}`);

function sendTo(deployment: Deployment, bindings: Partial<Env> = {}): Send {
  const app = createApp(deployment);
  return async (path, init) => {
    const context = createExecutionContext();
    const response = await app.fetch(new Request(urlOf(path), init), { ...env, ...bindings }, context);
    await waitOnExecutionContext(context);
    return response;
  };
}

async function trigger(
  deployment: Deployment,
  bindings: Partial<Env> = {},
  context: ExecutionContext = createExecutionContext(),
): Promise<void> {
  await cronHandler(deployment)({}, { ...env, ...bindings }, context);
  await waitOnExecutionContext(context);
}

/** Sends requests to an app with this model and these settings; `bindings` may replace what the Worker is given. */
export function serveRegistry(
  registry: Registry,
  settings: SettingsInput = {},
  bindings: Partial<Env> = {},
  emailSender?: EmailSender,
  extensions?: AnyExtensions,
): Send {
  const deployment = createDeployment({
    registry,
    settings: parseSettings({ ...UNLIMITED, ...settings }),
    ...(emailSender && { emailSender }),
    ...(extensions && { extensions }),
  });
  return sendTo(deployment, bindings);
}

/** Runs the cron trigger once, and what goes on after it. */
export async function runCron(
  registry: Registry,
  settings: SettingsInput = {},
  bindings: Partial<Env> = {},
  extensions?: AnyExtensions,
  context?: ExecutionContext,
): Promise<void> {
  const given = { registry, settings: parseSettings(settings), ...(extensions && { extensions }) };
  await trigger(createDeployment(given), bindings, context);
}

/** Requests and the cron trigger of one isolate, which share its caches. */
export function serveWithCron(registry: Registry, settings: SettingsInput = {}) {
  const deployment = createDeployment({ registry, settings: parseSettings({ ...UNLIMITED, ...settings }) });
  return { send: sendTo(deployment), runCron: () => trigger(deployment) };
}

/** The tables of the system types are in every model. */
const unlessThere = (statement: string): string =>
  statement.replace(/^CREATE (TABLE|INDEX|UNIQUE INDEX|VIRTUAL TABLE|TRIGGER) /, 'CREATE $1 IF NOT EXISTS ');

/** Makes the tables of a model with their indexes, as the first migration of a project would. */
export async function createRegistryTables(registry: Registry): Promise<void> {
  const { TEST_SCHEMAS } = env as unknown as { readonly TEST_SCHEMAS: Fetcher };
  const asked = { method: 'POST', body: registryText(registry) };
  const statements: string[] = await (await TEST_SCHEMAS.fetch('http://node', asked)).json();
  await env.DB.batch(statements.map((statement) => env.DB.prepare(unlessThere(statement))));
}

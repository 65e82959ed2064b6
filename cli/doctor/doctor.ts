/**
 * @module What `edgewise doctor` does: it checks what a project needs on this machine, and says what is to be done. It writes
 * nothing, and asks Cloudflare for nothing.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from '../../src/schema/settings/config.ts';
import { counted } from '../core/counted.ts';
import { isPortFree } from '../core/local-server.ts';
import { runningCommand } from '../core/lock/project-lock.ts';
import { executeSql } from '../core/storage/execute-sql.ts';
import { hasDatabase, holderOf } from '../core/storage/state-folder.ts';
import { errorText, print, printJson, UserError } from '../core/terminal.ts';
import { boundIn, bucketIn, databaseIn, missingBindings, readConfiguration } from '../core/wrangler/configuration.ts';
import { WRANGLER_TOML } from '../core/wrangler/wrangler.ts';
import {
  deployWarnings,
  missingProviderSecrets,
  missingSecrets,
  missingSettings,
  newUserWarnings,
} from '../deploy/warnings.ts';
import { HOST, listenerOn } from '../dev/gate.ts';
import { localSecrets, SECRETS } from '../dev/secrets.ts';
import { checkHistory, readHistory } from '../migrations/history.ts';
import { readFolder } from '../migrations/revisions.ts';
import { staleFiles } from '../project/generate.ts';
import { readSources } from '../project/sources.ts';

interface DoctorFlags {
  readonly port: number;
  readonly json?: boolean;
}

interface Check {
  readonly about: string;
  /** Returns what is to be done, nothing if all is well. @throws Error that says it */
  readonly find: () => readonly string[] | Promise<readonly string[]>;
}

interface Finding {
  readonly about: string;
  readonly isOk: boolean;
  readonly todo: readonly string[];
}

async function findingOf({ about, find }: Check): Promise<Finding> {
  try {
    const todo = await find();
    return { about, isOk: todo.length === 0, todo };
  } catch (error) {
    return { about, isOk: false, todo: [errorText(error)] };
  }
}

/** @throws UserError for a database or a bucket without a name */
function checkBindings(root: string, settings: Settings): readonly string[] {
  const configuration = readConfiguration(root, {});
  const missing = missingBindings(boundIn(configuration), configuration.targetEnvironment);
  if (missing.length === 0) {
    databaseIn(configuration);
    bucketIn(configuration);
  }
  const { main } = configuration;
  const isThere = main !== undefined && existsSync(resolve(root, main));
  return [
    ...missing,
    ...(isThere ? [] : [`${WRANGLER_TOML}: main leads to no file; expected src/index.ts`]),
    ...deployWarnings(settings, configuration),
    ...missingSettings(settings),
  ];
}

function checkSecrets(root: string, { webhooks, users }: Settings): readonly string[] {
  const secrets = localSecrets(root);
  return [
    ...(secrets.includes('JWT_SECRET') ? [] : [`${SECRETS} has no JWT_SECRET; to add one: npx edgewise dev`]),
    ...missingSecrets(webhooks, secrets).map((name) => `${SECRETS} has no ${name}, which signs messages to a webhook`),
    ...missingProviderSecrets(users, secrets).map(
      ([setting, name]) => `${SECRETS} has no ${name}, which ${setting} needs`,
    ),
  ];
}

/** @throws UserError for a database that the migrations did not make */
async function checkMigrations(root: string): Promise<readonly string[]> {
  if (!hasDatabase(root, {})) return ['There is no local database yet; to make it: npx edgewise dev'];
  const history = await readHistory(readFolder(root).migrations, (statements) => executeSql(statements, {}));
  checkHistory(history, {});
  const { length } = history.pending;
  return length === 0 ? [] : [`${counted(length, 'migration')} of the local database pending: npx edgewise migrate`];
}

async function checkGenerated(root: string): Promise<readonly string[]> {
  return (await staleFiles(root)).map((path) => `${path} is stale; to write it: npx edgewise generate`);
}

function checkLock(root: string): readonly string[] {
  const holder = runningCommand(root);
  return holder === undefined ? [] : [`${holder} writes to this project; wait until it has ended`];
}

async function checkPort(root: string, port: number): Promise<readonly string[]> {
  if (holderOf(root, {}) !== undefined || (await isPortFree(port))) return [];
  return [`${port} is in use by ${await listenerOn(HOST, port)}; use another one: npx edgewise dev --port ${port + 1}`];
}

/** The last ones read the settings and content types, so without these only the first are made. */
async function checksOf(root: string, port: number): Promise<readonly Finding[]> {
  let settings: Settings | undefined;
  const findings = [
    // An older one does not get here.
    { about: `Node ${process.version}`, isOk: true, todo: [] },
    await findingOf({ about: 'no other command', find: () => checkLock(root) }),
    await findingOf({ about: `port ${port}`, find: () => checkPort(root, port) }),
    await findingOf({
      about: 'settings and content types',
      find: async () => {
        const sources = await readSources(root);
        settings = sources.settings;
        return newUserWarnings(settings, sources.declared);
      },
    }),
  ];
  if (!settings) return findings;
  const read = settings;
  const checks: readonly Check[] = [
    { about: WRANGLER_TOML, find: () => checkBindings(root, read) },
    { about: 'secrets', find: () => checkSecrets(root, read) },
    { about: 'generated files', find: () => checkGenerated(root) },
    { about: 'migrations', find: () => checkMigrations(root) },
  ];
  for (const check of checks) findings.push(await findingOf(check));
  return findings;
}

/** Prints what is well and what is to be done. @throws UserError if something is to be done */
export async function examineProject(root: string, { port, json = false }: DoctorFlags): Promise<void> {
  const findings = await checksOf(root, port);
  if (json) printJson(findings);
  else
    for (const { about, isOk, todo } of findings) {
      print(`${isOk ? 'ok   ' : 'to do'}  ${about}`);
      for (const line of todo) print(`       ${line.replaceAll('\n', '\n       ')}`);
    }
  if (findings.some(({ isOk }) => !isOk)) throw new UserError('Something is to be done: see the lines above');
}

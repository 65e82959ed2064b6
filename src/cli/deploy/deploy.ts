/**
 * @module Deploys: uploads the new version, adds what it needs to the tables, routes the traffic to it, then removes what
 * only the previous version has read. When a step fails, the message states what serves and what to run.
 */
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { removeLeftovers } from '../core/leftovers.ts';
import { tellUnfinished } from '../core/storage/unfinished.ts';
import { advised, progress } from '../core/terminal.ts';
import { readConfiguration } from '../core/wrangler/configuration.ts';
import { spawnWrangler, type Target, targetArgs, wrangler } from '../core/wrangler/wrangler.ts';
import { agreedProject, applyMigrations, type Project, readProject, reportMigrated } from '../migrations/apply.ts';
import { type Migration, type Schedule, scheduleOf } from '../migrations/migration-files.ts';
import { checkGenerated } from '../project/generate.ts';
import { withProjectLock } from '../project/project-lock.ts';
import { loadSettings } from '../project/settings.ts';
import {
  applyTriggers,
  type DeployTools,
  deployFirst,
  ensureDatabase,
  routeCommand,
  routeTraffic,
  secretNames,
  triggersCommand,
  uploadVersion,
} from './account.ts';
import { deployWarnings, secretWarnings } from './warnings.ts';

/** Milliseconds for the last requests of the previous version. */
const SETTLING = 10_000;

async function check(root: string, target: Target): Promise<void> {
  progress('checking that nothing is stale …');
  await checkGenerated(root);
  for (const line of deployWarnings(await loadSettings(root), readConfiguration(root, target))) progress(line);
}

interface Deployment {
  readonly project: Project;
  readonly schedule: Schedule;
  readonly tools: DeployTools;
}

/** @param advice for a failure */
async function migrate(
  { project, tools }: Deployment,
  migrations: readonly Migration[],
  ...advice: readonly string[]
): Promise<void> {
  const applied = applyMigrations(project, migrations, tools.target, tools.quietly);
  reportMigrated(await advised(applied, ...advice), tools.target);
}

async function firstDeployment(deployment: Deployment): Promise<void> {
  const { tools, schedule } = deployment;
  progress('applying migrations to the deployed database …');
  const migrations = [...schedule.early, ...schedule.late];
  await migrate(deployment, migrations, 'There is no Worker yet. Then run npm run deploy again.');
  await tellUnfinished(tools.target, tools.quietly);
  progress('deploying …');
  await advised(deployFirst(tools), 'The database is migrated already. Run npm run deploy again.');
}

const migrateCommand = (target: Target): string => ['npm run migrate --', ...targetArgs(target)].join(' ');

/** What to know while the tables are changed and the traffic is not yet routed. */
const servingText = ({ felt }: Schedule): string =>
  felt.length > 0
    ? 'The previous version still serves. It may fail on the tables as they are now.'
    : 'The previous version still serves, and understands the tables as they are now.';

async function expand(deployment: Deployment): Promise<void> {
  const { early, felt } = deployment.schedule;
  for (const { name } of felt) progress(`${name}: the version that serves may fail from here to the end of the change`);
  progress('applying migrations to the deployed database …');
  await migrate(deployment, early, servingText(deployment.schedule), 'Then run npm run deploy again.');
}

/** A concurrent deployment may have changed the tables: then this version must not get the traffic. */
async function route({ project, schedule, tools }: Deployment, version: string): Promise<void> {
  const same = readProject(project.root, tools.target, tools.quietly);
  await advised(same, `Version ${version} is uploaded, but gets no traffic. The previous version serves as before.`);
  const finish = schedule.late.length > 0 ? [`Then: ${migrateCommand(tools.target)}`] : [];
  const advice = `To route the traffic to the new one: ${routeCommand(version, tools.target)}`;
  await advised(routeTraffic(tools, version), servingText(schedule), advice, ...finish);
  progress(`version ${version} serves`);
}

async function contract(deployment: Deployment): Promise<void> {
  const { late } = deployment.schedule;
  const { target, pause } = deployment.tools;
  if (late.length === 0) return;
  await pause(SETTLING);
  progress('removing what no version reads any more …');
  const advice = `The new version serves. To remove what it does not read: ${migrateCommand(target)}`;
  await migrate(deployment, late, advice);
}

/**
 * Checks that nothing is stale, then deploys; stops at the first failure.
 * @throws UserError with wrangler's message and what to do then
 */
export async function deploy(root: string, tools: DeployTools): Promise<void> {
  await check(root, tools.target);
  await ensureDatabase(root, tools);
  const secrets = await secretNames(tools);
  for (const line of secretWarnings(await loadSettings(root), secrets ?? [])) progress(line);
  const project = await agreedProject(root, tools.target, tools, tools.quietly);
  const schedule = scheduleOf(project.history.pending);
  const deployment = { project, schedule, tools };
  if (!secrets) return firstDeployment(deployment);
  progress('uploading the new version …');
  const uploaded = uploadVersion(tools, secrets);
  const version = await advised(uploaded, 'Nothing was changed: the previous version still serves.');
  await expand(deployment);
  await tellUnfinished(tools.target, tools.quietly);
  await route(deployment, version);
  await contract(deployment);
  await advised(applyTriggers(tools), `The new version serves. Run: ${triggersCommand(tools.target)}`);
}

/** Runs wrangler on the terminal. @returns its exit code */
async function openly(args: readonly string[]): Promise<number> {
  const [code] = await once(spawnWrangler(args, false), 'exit');
  return code ?? 1;
}

interface DeployFlags {
  readonly env?: string;
  readonly allowDrop?: boolean;
}

export function deployProject(root: string, { env, allowDrop = false }: DeployFlags): Promise<void> {
  const target = { remote: true, ...(env !== undefined && { env }) };
  return withProjectLock(root, 'npm run deploy', () => {
    // One that was killed may have left the secret that it was setting.
    removeLeftovers(tmpdir());
    return deploy(root, { target, quietly: wrangler, openly, pause, allowDrop });
  });
}

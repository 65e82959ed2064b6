/**
 * @module A deployment: the new version is uploaded, the tables get what it needs, it gets the traffic, and what only the
 * version from before has read is removed. Whatever step fails, what is live understands the tables, or it is said what to
 * run.
 */
import { tellUnfinished } from '../core/storage/unfinished.ts';
import { advised, progress } from '../core/terminal.ts';
import { readConfiguration } from '../core/wrangler/configuration.ts';
import { type Target, targetArgs } from '../core/wrangler/wrangler.ts';
import { applyMigrations, type Project, readProject, reportMigrated } from '../migrations/apply.ts';
import { agreedProject } from '../migrations/consent.ts';
import { pendingOf } from '../migrations/history.ts';
import { type Migration, type Schedule, scheduleOf } from '../migrations/migration-files.ts';
import { checkGenerated } from '../project/generate.ts';
import { loadSettings } from '../project/project.ts';
import { deployRemarks } from '../project/remarks.ts';
import { type DeployTools, ensureDatabase, secretNames } from './account.ts';
import { applyTriggers, deployFirst, routeCommand, routeTraffic, triggersCommand, uploadVersion } from './versions.ts';

/** Time for the last requests of the version from before. */
const SETTLING = 10_000;

async function check(root: string, target: Target): Promise<void> {
  progress('checking that nothing is stale …');
  await checkGenerated(root);
  for (const remark of deployRemarks(await loadSettings(root), readConfiguration(root, target))) progress(remark);
}

interface Deployment {
  readonly project: Project;
  readonly schedule: Schedule;
  readonly tools: DeployTools;
}

const apply = ({ project, tools }: Deployment, migrations: readonly Migration[]): Promise<number> =>
  applyMigrations(project, migrations, tools.target, tools.quietly);

async function firstDeployment(deployment: Deployment): Promise<void> {
  const { early, late } = deployment.schedule;
  const { tools } = deployment;
  progress('applying migrations to the deployed database …');
  const applied = apply(deployment, [...early, ...late]);
  reportMigrated(await advised(applied, 'There is no Worker yet. Then run npm run deploy again.'), tools.target);
  await tellUnfinished(tools.target, tools.quietly);
  progress('deploying …');
  await advised(deployFirst(tools), 'The database is migrated already. Run npm run deploy again.');
}

const migrateCommand = (target: Target): string => ['npm run migrate --', ...targetArgs(target)].join(' ');

/** What to know when traffic has not gone over and the tables are changed. */
const stillBefore = ({ felt }: Schedule): string =>
  felt.length > 0
    ? 'The version from before still serves. It may fail on the tables as they are now.'
    : 'The version from before still serves, and understands the tables as they are now.';

async function expand(deployment: Deployment): Promise<void> {
  const { early, felt } = deployment.schedule;
  const { target } = deployment.tools;
  for (const { name } of felt) progress(`${name}: the version that serves may fail from here to the end of the change`);
  progress('applying migrations to the deployed database …');
  const applied = apply(deployment, early);
  reportMigrated(await advised(applied, stillBefore(deployment.schedule), 'Then run npm run deploy again.'), target);
}

/** Another deployment may have been faster: the version that does not know its tables must not get the traffic. */
async function route({ project, schedule, tools }: Deployment, version: string): Promise<void> {
  const same = readProject(project.root, tools.target, tools.quietly);
  await advised(same, `Version ${version} is uploaded, and does not get the traffic. What serves was not changed.`);
  const finish = schedule.late.length > 0 ? [`Then: ${migrateCommand(tools.target)}`] : [];
  const routed = routeTraffic(tools, version);
  await advised(
    routed,
    stillBefore(schedule),
    `So that the new one does: ${routeCommand(version, tools.target)}`,
    ...finish,
  );
  progress(`version ${version} serves`);
}

async function contract(deployment: Deployment): Promise<void> {
  const { late } = deployment.schedule;
  const { target, pause } = deployment.tools;
  if (late.length === 0) return;
  await pause(SETTLING);
  progress('removing what no version reads any more …');
  const advice = `The new version serves. What it does not read is still there: ${migrateCommand(target)} removes it.`;
  reportMigrated(await advised(apply(deployment, late), advice), target);
}

/**
 * Checks that nothing is stale, then deploys; the first failure ends it.
 * @throws UserError with what wrangler said, and what to do then.
 */
export async function deploy(root: string, tools: DeployTools): Promise<void> {
  await check(root, tools.target);
  await ensureDatabase(root, tools);
  const secrets = await secretNames(tools);
  const project = await agreedProject(root, tools.target, tools, tools.quietly);
  const schedule = scheduleOf(pendingOf(project.migrations, project.history));
  const deployment = { project, schedule, tools };
  if (!secrets) return firstDeployment(deployment);
  progress('uploading the new version …');
  const uploaded = uploadVersion(tools, secrets);
  const version = await advised(uploaded, 'Nothing was changed: the version from before serves as it did.');
  await expand(deployment);
  await tellUnfinished(tools.target, tools.quietly);
  await route(deployment, version);
  await contract(deployment);
  await advised(applyTriggers(tools), `The new version serves. Run: ${triggersCommand(tools.target)}`);
}

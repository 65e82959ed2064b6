/**
 * @module A deployment: the new version is uploaded, the tables get what it needs, it gets the traffic, and what only the
 * version from before has read is removed. Whatever step fails, what is live understands the tables, or it is said what to
 * run.
 */
import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { applyMigrations, type Project, readProject, reportMigrated } from '../migrations/apply.ts';
import { agreedProject } from '../migrations/consent.ts';
import { pendingOf } from '../migrations/history.ts';
import { type Migration, type Schedule, scheduleOf } from '../migrations/when.ts';
import { checkGenerated } from '../project/generate.ts';
import { loadSettings } from '../project/project.ts';
import { deployRemarks } from '../project/remarks.ts';
import { progress, UserError } from '../terminal.ts';
import { type DeployTools, ensureDatabase, secretNames } from './account.ts';
import { applyTriggers, deployFirst, routeCommand, routeTraffic, TRIGGERS_COMMAND, uploadVersion } from './versions.ts';

const REMOTE = { remote: true };

/** Time for the last requests of the version from before. */
const SETTLING = 10_000;

async function check(root: string): Promise<void> {
  progress('checking that nothing is stale …');
  await checkGenerated(root);
  const bindings = unstable_readConfig({ config: join(root, 'wrangler.toml') });
  for (const remark of deployRemarks(await loadSettings(root), bindings)) progress(remark);
}

/** The step, or its failure with what the user can do about it. */
async function advised<T>(step: Promise<T>, ...advice: readonly string[]): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof UserError) throw new UserError([error.message, ...advice].join('\n'));
    throw error;
  }
}

interface Deployment {
  readonly project: Project;
  readonly schedule: Schedule;
  readonly tools: DeployTools;
}

const apply = ({ project, tools }: Deployment, migrations: readonly Migration[]): Promise<number> =>
  applyMigrations(project, migrations, REMOTE, tools.quietly);

async function firstDeployment(deployment: Deployment): Promise<void> {
  const { early, late } = deployment.schedule;
  progress('applying migrations to the deployed database …');
  const applied = apply(deployment, [...early, ...late]);
  reportMigrated(await advised(applied, 'There is no Worker yet. Then run npm run deploy again.'), REMOTE);
  progress('deploying …');
  await advised(deployFirst(deployment.tools), 'The database is migrated already. Run npm run deploy again.');
}

/** What to know when traffic has not gone over and the tables are changed. */
const stillBefore = ({ felt }: Schedule): string =>
  felt.length > 0
    ? 'The version from before still serves. It may fail on the tables as they are now.'
    : 'The version from before still serves, and understands the tables as they are now.';

async function expand(deployment: Deployment): Promise<void> {
  const { early, felt } = deployment.schedule;
  for (const { name } of felt) progress(`${name}: the version that serves may fail from here to the end of the change`);
  progress('applying migrations to the deployed database …');
  const applied = apply(deployment, early);
  reportMigrated(await advised(applied, stillBefore(deployment.schedule), 'Then run npm run deploy again.'), REMOTE);
}

/** Another deployment may have been faster: the version that does not know its tables must not get the traffic. */
async function route({ project, schedule, tools }: Deployment, version: string): Promise<void> {
  const same = readProject(project.root, REMOTE, tools.quietly);
  await advised(same, stillBefore(schedule), `Version ${version} is uploaded, and does not get the traffic.`);
  const finish = schedule.late.length > 0 ? ['Then: npm run migrate -- --remote'] : [];
  const routed = routeTraffic(tools, version);
  await advised(routed, stillBefore(schedule), `So that the new one does: ${routeCommand(version)}`, ...finish);
  progress(`version ${version} serves`);
}

async function contract(deployment: Deployment): Promise<void> {
  const { late } = deployment.schedule;
  if (late.length === 0) return;
  await deployment.tools.pause(SETTLING);
  progress('removing what no version reads any more …');
  const advice =
    'The new version serves. What it does not read is still there: npm run migrate -- --remote removes it.';
  reportMigrated(await advised(apply(deployment, late), advice), REMOTE);
}

/**
 * Checks that nothing is stale, then deploys; the first failure ends it.
 * @throws UserError with what wrangler said, and what to do then.
 */
export async function deploy(root: string, tools: DeployTools): Promise<void> {
  await check(root);
  await ensureDatabase(root, tools);
  const secrets = await secretNames(tools);
  const project = await agreedProject(root, REMOTE, tools, tools.quietly);
  const schedule = scheduleOf(pendingOf(project.migrations, project.history));
  const deployment = { project, schedule, tools };
  if (!secrets) return firstDeployment(deployment);
  progress('uploading the new version …');
  const uploaded = uploadVersion(tools, secrets);
  const version = await advised(uploaded, 'Nothing was changed: the version from before serves as it did.');
  await expand(deployment);
  await route(deployment, version);
  await contract(deployment);
  await advised(applyTriggers(tools), `The new version serves. Run: ${TRIGGERS_COMMAND}`);
}

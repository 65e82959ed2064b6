/**
 * @module Deploys: uploads the new version, adds what it needs to the tables, routes the traffic to it, then removes what
 * only the previous version has read. When a step fails, the message states what serves and what to run.
 */
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../../src/schema/settings/config.ts';
import { removeLeftovers } from '../core/leftovers.ts';
import { whileClaimed } from '../core/lock/database-lock.ts';
import { tellUnfinished } from '../core/storage/unfinished.ts';
import { advised, progress } from '../core/terminal.ts';
import { boundIn, missingBindings, readConfiguration } from '../core/wrangler/configuration.ts';
import { secretNames } from '../core/wrangler/secrets.ts';
import {
  assertDone,
  envArgs,
  spawnWrangler,
  type Target,
  targetArgs,
  targetOptions,
  wrangler,
} from '../core/wrangler/wrangler.ts';
import { agreedProject, applyMigrations, readProject, reportMigrated } from '../migrations/apply.ts';
import { scheduleOf } from '../migrations/deploy-order.ts';
import type { Migration } from '../migrations/migration-files.ts';
import { firstUserCommand } from '../project/first-user.ts';
import { checkGenerated } from '../project/generate.ts';
import { loadSettings } from '../project/settings.ts';
import { type DeployTools, deployFirst, ensureDatabase, uploadVersion } from './cloudflare-steps.ts';
import { noteServing } from './fence.ts';
import { assertDeployable, deployWarnings, registrationWarnings, secretWarnings } from './warnings.ts';

/** Milliseconds for the last requests of the previous version. */
const SETTLING = 10_000;

const commandText = (args: readonly string[]): string => `npx wrangler ${args.join(' ')}`;

/**
 * Checks that nothing is stale, then deploys; stops at the first failure.
 * @throws UserError with wrangler's message and what to do then
 */
export async function deploy(root: string, tools: DeployTools): Promise<void> {
  const { target, quietly } = tools;
  progress('checking that nothing is stale …');
  await checkGenerated(root);
  const settings = await loadSettings(root);
  const configuration = readConfiguration(root, target);
  assertDeployable(settings, missingBindings(boundIn(configuration), configuration.targetEnvironment));
  for (const line of [...deployWarnings(settings, configuration), ...registrationWarnings(settings)]) progress(line);
  await ensureDatabase(root, tools);
  await whileClaimed(target, 'deploy', () => deployClaimed(root, tools, settings), quietly);
}

async function deployClaimed(root: string, tools: DeployTools, settings: Settings): Promise<void> {
  const { target, quietly } = tools;
  const secrets = await secretNames(target, quietly);
  for (const line of secretWarnings(settings, secrets ?? [])) progress(line);
  const project = await agreedProject(root, target, tools, quietly);
  const { early, late, felt } = scheduleOf(project.history.pending);
  /** @param advice for a failure */
  const migrate = async (migrations: readonly Migration[], ...advice: readonly string[]): Promise<void> => {
    const applied = applyMigrations(project, migrations, target, quietly);
    reportMigrated(await advised(applied, ...advice), target);
  };

  if (!secrets) {
    progress('applying migrations to the deployed database …');
    await migrate([...early, ...late], 'There is no Worker yet. Then run npm run deploy again.');
    await tellUnfinished(target, quietly);
    progress('deploying …');
    await advised(deployFirst(tools), 'The database is migrated already. Run npm run deploy again.');
    await noteServing(tools);
    progress(`To make the first account: ${firstUserCommand(settings, targetOptions(target))}`);
    return;
  }

  progress('uploading the new version …');
  const uploaded = uploadVersion(tools, secrets);
  const version = await advised(uploaded, 'Nothing was changed: the previous version still serves.');

  for (const { name } of felt) progress(`${name}: the version that serves may fail from here to the end of the change`);
  progress('applying migrations to the deployed database …');
  // What to know while the tables are changed and the traffic is not yet routed.
  const serving =
    felt.length > 0
      ? 'The previous version still serves. It may fail on the tables as they are now.'
      : 'The previous version still serves, and understands the tables as they are now.';
  await migrate(early, serving, 'Then run npm run deploy again.');
  await tellUnfinished(target, quietly);

  // A concurrent deployment may have changed the tables: then this version must not get the traffic.
  const same = readProject(root, target, quietly);
  await advised(same, `Version ${version} is uploaded, but gets no traffic. The previous version serves as before.`);
  const route = ['versions', 'deploy', `${version}@100%`, '--yes', ...envArgs(target)];
  const routed = quietly(route).then((done) => assertDone('Routing the traffic to the new version', done));
  const migrateCommand = ['npx edgewise migrate', ...targetArgs(target)].join(' ');
  const finish = late.length > 0 ? [`Then: ${migrateCommand}`] : [];
  await advised(routed, serving, `To route the traffic to the new one: ${commandText(route)}`, ...finish);
  progress(`version ${version} serves`);
  await noteServing(tools);

  if (late.length > 0) {
    await tools.pause(SETTLING);
    progress('removing what no version reads any more …');
    await migrate(late, `The new version serves. To remove what it does not read: ${migrateCommand}`);
  }

  // Routes and domains belong to no version.
  const triggers = ['triggers', 'deploy', ...envArgs(target)];
  const applied = quietly(triggers).then((done) => assertDone('Applying routes and domains', done));
  await advised(applied, `The new version serves. Run: ${commandText(triggers)}`);
}

/** Runs wrangler on the terminal. @returns its exit code */
async function openly(args: readonly string[]): Promise<number> {
  const [code] = await once(spawnWrangler(args, false), 'exit');
  return code ?? 1;
}

export function deployProject(
  root: string,
  { allowDrop = false, ...flags }: Pick<Target, 'env'> & { readonly allowDrop?: boolean },
): Promise<void> {
  const target = { remote: true, ...flags };
  // One that was killed may have left the secret that it was setting.
  removeLeftovers(tmpdir());
  return deploy(root, { target, quietly: wrangler, openly, pause, allowDrop });
}

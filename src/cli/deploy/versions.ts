/**
 * @module Versions of the Worker: uploaded, then given the traffic
 * (https://developers.cloudflare.com/workers/versions-and-deployments/). A Worker that does not exist yet has no versions:
 * its first one is deployed as it is uploaded.
 */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTemporaryFolder } from '../core/leftovers.ts';
import { progress, UserError } from '../core/terminal.ts';
import { assertDone, envArgs, type Target } from '../core/wrangler/wrangler.ts';
import type { DeployTools } from './account.ts';

const JWT_SECRET = 'JWT_SECRET';

/** A Worker without a secret for its JWTs gets a random one with its next version. Older secrets stay as they are. */
async function withSecret<T>(
  secrets: readonly string[],
  upload: (options: readonly string[]) => Promise<T>,
): Promise<T> {
  if (secrets.includes(JWT_SECRET)) return upload([]);
  return withTemporaryFolder((folder) => {
    const path = join(folder, 'secrets.json');
    writeFileSync(path, JSON.stringify({ [JWT_SECRET]: randomBytes(32).toString('hex') }), { mode: 0o600 });
    progress(`setting a random ${JWT_SECRET}`);
    return upload(['--secrets-file', path]);
  });
}

/** The first deployment. What wrangler makes besides, such as the bucket, it may ask about. */
export async function deployFirst({ openly, target }: DeployTools): Promise<void> {
  const code = await withSecret([], (options) => openly(['deploy', ...envArgs(target), ...options]));
  if (code !== 0) throw new UserError('wrangler deploy failed');
}

/** @returns the id of the new version, which serves nobody yet. */
export async function uploadVersion({ quietly, target }: DeployTools, secrets: readonly string[]): Promise<string> {
  const done = await withSecret(secrets, (options) => quietly(['versions', 'upload', ...envArgs(target), ...options]));
  assertDone('Uploading the new version', done);
  const [, version] = /Worker Version ID: ([\da-f-]{36})/.exec(done.stdout) ?? [];
  if (!version) throw new UserError(`Uploading the new version: wrangler answered no id:\n${done.stdout}`);
  return version;
}

const routeArgs = (version: string, target: Target): readonly string[] => [
  ...['versions', 'deploy', `${version}@100%`, '--yes'],
  ...envArgs(target),
];

const triggerArgs = (target: Target): readonly string[] => ['triggers', 'deploy', ...envArgs(target)];

const typed = (args: readonly string[]): string => `npx wrangler ${args.join(' ')}`;

/** What to type so that a version serves. */
export const routeCommand = (version: string, target: Target): string => typed(routeArgs(version, target));

/** What to type so that routes and domains are applied. */
export const triggersCommand = (target: Target): string => typed(triggerArgs(target));

/** All traffic goes to a version. */
export async function routeTraffic({ quietly, target }: DeployTools, version: string): Promise<void> {
  assertDone('Giving the new version the traffic', await quietly(routeArgs(version, target)));
}

/** Routes and domains belong to no version. */
export async function applyTriggers({ quietly, target }: DeployTools): Promise<void> {
  assertDone('Applying routes and domains', await quietly(triggerArgs(target)));
}

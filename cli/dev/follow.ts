/**
 * @module Follows the files of a project: changes the tables of the local database, then writes the file that wrangler
 * bundles. On an error the last valid version is still served.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { storedFence } from '../core/sql/fence.ts';
import { progress } from '../core/terminal.ts';
import { writeBuilt } from '../deploy/build.ts';
import { reportMigrated, runAll } from '../migrations/apply.ts';
import { withFences, withRenames } from '../migrations/history-renames.ts';
import { untilWritten } from '../migrations/revisions.ts';
import { describedFiles } from '../project/generate.ts';
import { BUILT_FILE, type DevBundle, devFiles } from '../project/project-file.ts';
import { writeFiles } from '../project/write-files.ts';
import { writeAssets } from '../studio/assets.ts';
import { devAssets } from './dev-bundle.ts';
import { type Push, planPush, readFiles, settle } from './push.ts';
import { localWebhooks } from './secrets.ts';

export interface Followed {
  readonly root: string;
  readonly db: D1Database;
  readonly bundle: DevBundle;
  /** Of the server; empty where it has others on other machines. */
  readonly url: string;
}

/** The settings of the local Worker, where they differ from those of a deployment. */
const localSettings = ({ webhooks, server, ...settings }: Settings, url: string): Settings => ({
  ...settings,
  webhooks: localWebhooks(webhooks),
  server: { ...server, url: server.url === '' ? url : server.url },
});

/** Updates the database and the project file. @throws SchemaError or UserError; then only migrations were applied. */
async function update({ root, db, bundle, url }: Followed, patience: number | undefined) {
  await untilWritten(root, patience);
  const files = await readFiles(root);
  const { sources } = files;
  const [local, applied] = await settle(files.folder, db);
  if (applied > 0) reportMigrated(applied, {});
  const push = await planPush(files, db, local);
  await runAll(db, 'content-types/', push.statements);
  const { registry, files: served } = push.wanted;
  for (const path of writeFiles(root, describedFiles(registry, sources.settings))) progress(`wrote ${path}`);
  const renamed = withRenames(served, sources.settings, files.folder.revisions);
  // The version that is built fits the tables as they are now, and no others.
  const bundled = withFences(renamed, [(await storedFence(db)) ?? '']);
  writeFiles(root, devFiles(root, bundle, bundled, localSettings(sources.settings, url)));
  await writeAssets(root, sources.settings, devAssets(bundle));
  // Editors read it. What a build has written stays.
  if (!existsSync(join(root, BUILT_FILE))) writeBuilt(root, sources, files.folder);
  return { push, registry, settings: sources.settings };
}

export type Content = Readonly<{ registry: Registry; settings: Settings }>;

/**
 * The tables change before the version that fits them serves: `holdingRequests` keeps requests from the former one, and the
 * fence rejects what it is still about to write.
 * @param patience for a migration that is being written, in milliseconds
 */
export function createFollower(followed: Followed, patience?: number) {
  const first = Promise.withResolvers<Content>();
  let isFirst = true;
  let problem: string | undefined;
  let wasDue = false;
  /** Reports changes of the tables, and once that a migration is due. */
  const report = ({ what, isDue }: Push): void => {
    if (what !== undefined) progress(`local database: ${what}`);
    if (isDue && (!wasDue || what !== undefined))
      progress('No migration has these changes yet. When they are done: npx edgewise generate --name <what they do>');
    wasDue = isDue;
  };
  const prepare = async (): Promise<void> => {
    try {
      const { push, ...content } = await update(followed, patience);
      report(push);
      if (problem !== undefined) progress('The files are valid again.');
      problem = undefined;
      first.resolve(content);
    } catch (error) {
      first.reject(error);
      const { message } = error as Error;
      if (!isFirst && message !== problem) progress(`${message}\nThe last valid version is still served.`);
      problem = message;
    }
    isFirst = false;
  };
  let last = Promise.resolve();
  return {
    /** Resolves with the first valid content types and settings. */
    first: first.promise,
    /** Prepares the next bundle, after those that are being prepared. Never rejects. */
    follow(): Promise<void> {
      last = last.then(prepare);
      return last;
    },
  };
}

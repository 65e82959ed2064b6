/**
 * @module A project of a starter, as `npm create edgewise` makes it from the packed packages, with everything installed.
 */
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Commands, commandsIn, done, newerPath } from '../node/first-hour/clone.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface Starter extends Commands {
  readonly root: string;
  /** Seconds that it took to make it. */
  readonly seconds: number;
  remove(): void;
}

/** Makes the project in a folder of its own. */
export async function makeStarter(name: string): Promise<Starter> {
  const folder = mkdtempSync(join(tmpdir(), `edgewise-${name}-`));
  await done(commandsIn(ROOT), `npm pack --silent --workspaces --include-workspace-root --pack-destination ${folder}`);
  const [create = ''] = globSync('create-edgewise-*.tgz', { cwd: folder });
  const [edgewise = ''] = globSync('edgewise-[0-9]*.tgz', { cwd: folder });
  const line = `npx --yes ./${create} my-site --starter ${name} --edgewise ./${edgewise} --no-git --yes`;
  const started = Date.now();
  await done(commandsIn(folder, newerPath), line);
  const seconds = Math.round((Date.now() - started) / 1000);
  const root = join(folder, 'my-site');
  return {
    root,
    seconds,
    ...commandsIn(root, newerPath),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

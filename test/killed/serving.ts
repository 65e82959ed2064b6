/**
 * @module A new project, and the server of one, killed.
 */
import { expect, vi } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { assertFree, writeFolder } from '../../cli/new/folder.ts';
import type { KilledProject } from './project.ts';

export async function makesProject(project: KilledProject): Promise<void> {
  const folder = project.path('site');
  const written = () => (project.has('site') ? project.names('site') : []);
  await project.killedScript('test/killed/child-new.ts', [folder], () =>
    written().some((name) => project.has(`site/${name}/a`)),
  );
  const [left] = written();
  const heard = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  assertFree(folder, 'site');
  expect(heard).toHaveBeenCalledExactlyOnceWith(`starting over: removed ${left}, which a stopped command left\n`);
  heard.mockRestore();
  writeFolder(folder, [
    { path: 'a', text: 'a' },
    { path: 'b', text: 'b' },
  ]);
  expect(written()).toEqual(['a', 'b']);
}

/** A server that is killed leaves nothing that keeps the next one out. */
export async function serves(project: KilledProject): Promise<void> {
  const before = project.content();
  for (const _ of ['once', 'again']) {
    const line = `dev --port ${await freePort()}`;
    await project.killed(line, (said) => said.includes('preparing the local database and the Worker'));
    expect(await project.done('migrate')).toContain('local database: up to date');
    expect(project.content()).toEqual(before);
  }
}

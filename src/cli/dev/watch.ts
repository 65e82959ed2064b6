/**
 * @module Notices that files of the project changed, however they were written: saved in place, put in the place of the
 * old file, or checked out by git, which replaces whole folders.
 */
import { relative, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type FSWatcher, watch } from 'chokidar';
import { MIGRATIONS } from '../migrations/migration-files.ts';
import { CONFIG, CONTENT_TYPES } from '../project/project.ts';

/** Editors write a file in several steps, and git many files one after the other. */
const QUIET = 250;

/** chokidar says that it is ready a moment before it is. */
const SETTLING = 50;

const SOURCES: readonly string[] = [CONTENT_TYPES, CONFIG, MIGRATIONS];

const isSource = (root: string, path: string): boolean => {
  const [first = ''] = relative(root, path).split(sep);
  return first === '' || SOURCES.includes(first);
};

export interface Watching {
  /** Watches more files, such as those that the settings import. */
  include(paths: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Calls `changed` after changes, once it is quiet, and never while it still runs.
 * @returns when everything is being watched.
 */
export async function watchSources(root: string, changed: () => Promise<void>): Promise<Watching> {
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();
  // The whole folder, since what is watched by itself is lost sight of once it was gone.
  const more = new Set<string>();
  const ignored = (path: string) => !isSource(root, path) && !more.has(path);
  const watcher: FSWatcher = watch(root, { ignoreInitial: true, ignored });
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work.then(changed);
    }, QUIET);
  });
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  await pause(SETTLING);
  return {
    include(paths) {
      const fresh = paths.filter((path) => !isSource(root, path) && !more.has(path));
      for (const path of fresh) more.add(path);
      watcher.add(fresh);
    },
    async close() {
      clearTimeout(timer);
      await watcher.close();
      await work;
    },
  };
}

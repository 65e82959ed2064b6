/**
 * @module Disks on which a command ends after some steps, and what is in a folder then.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DISK, type Disk } from '../../../cli/core/disk.ts';

/** Every file and folder, the contents of the files with them. */
export const contentsOf = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .map((entry) => [entry, join(entry.parentPath, entry.name)] as const)
      .map(([entry, path]) => [relative(root, path), entry.isFile() ? readFileSync(path, 'utf8') : '(folder)'] as const)
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );

const KINDS = ['makeFolder', 'write', 'rename', 'remove', 'removeEmptyFolder'] as const;

/** Does so many steps. Of the next one it may do half, and then `end` decides. */
export function endingAfter(steps: number, end: (kind: (typeof KINDS)[number], path: string) => void): Disk {
  let left = steps;
  const counted = KINDS.map((kind) => [
    kind,
    (path: string, ...rest: string[]) => {
      left -= 1;
      if (left < 0) end(kind, path);
      return (DISK[kind] as (...paths: string[]) => unknown)(path, ...rest);
    },
  ]);
  return Object.fromEntries(counted) as unknown as Disk;
}

export class Stopped extends Error {}

/** As SIGKILL does: no step happens any more; a file that is being written is cut. */
export const stoppingAfter = (steps: number): Disk =>
  endingAfter(steps, (kind, path) => {
    if (kind === 'write' && steps % 2 === 0) writeFileSync(path, '{"cut');
    throw new Stopped();
  });

/**
 * @module What must not outlast a command that fails, or that a signal ends: files that are not whole, temporary folders.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
const SIGNALS = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];

const cleanups = new Set<() => void>();

function cleanUp(): void {
  for (const cleanup of cleanups) cleanup();
  cleanups.clear();
}

const end = (signal: NodeJS.Signals): never => process.exit(128 + NUMBERS[signal as keyof typeof NUMBERS]);

/** Calls `cleanup` when the process ends before that is taken back. @returns takes it back. */
export function atExit(cleanup: () => void): () => void {
  if (cleanups.size === 0) {
    process.on('exit', cleanUp);
    for (const signal of SIGNALS) process.on(signal, end);
  }
  cleanups.add(cleanup);
  return () => {
    if (!cleanups.delete(cleanup) || cleanups.size > 0) return;
    process.off('exit', cleanUp);
    for (const signal of SIGNALS) process.off(signal, end);
  };
}

export interface TemporaryFolder {
  readonly folder: string;
  remove(): void;
}

export function temporaryFolder(): TemporaryFolder {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-'));
  const erase = () => rmSync(folder, { recursive: true, force: true });
  const forget = atExit(erase);
  return {
    folder,
    remove() {
      forget();
      erase();
    },
  };
}

/** Calls `work` with a new folder, which is gone afterwards. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const { folder, remove } = temporaryFolder();
  try {
    return await work(folder);
  } finally {
    remove();
  }
}

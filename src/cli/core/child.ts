/**
 * @module Child processes that do not outlast this one, however it ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const SHELL = 'sh';

/** Without a shell, so on Windows, a child outlasts a process that is killed. */
export function endWithProcess(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') return;
  // The system closes the pipe when this process is gone. A Ctrl-C does not reach the watcher in a session of its own.
  const watcher = spawn(SHELL, ['-c', `read -r _; kill ${child.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.on('error', () => undefined);
  watcher.unref();
  (watcher.stdin as Socket).unref();
  child.once('exit', () => watcher.kill());
}

/** Does `work`, of which a library starts processes: they end with this one. */
export async function withChildren<T>(work: () => Promise<T>): Promise<T> {
  const started = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess };
    // It has no id yet when it is reported.
    child.once('spawn', () => child.spawnfile === SHELL || endWithProcess(child));
  };
  subscribe('child_process', started);
  try {
    return await work();
  } finally {
    unsubscribe('child_process', started);
  }
}

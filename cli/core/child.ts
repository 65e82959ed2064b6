/**
 * @module Child processes that do not outlast this one, however it ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const SHELL = 'sh';

function endWithProcess(child: ChildProcess): void {
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

/**
 * Makes all processes that this one starts from now on, libraries included, end with it. Without a shell, so on Windows,
 * a child outlasts a process that is killed.
 */
export function endChildrenWithProcess(): void {
  if (process.platform === 'win32') return;
  subscribe('child_process', (message) => {
    const { process: child } = message as { readonly process: ChildProcess };
    // It has no id yet when it is reported.
    child.once('spawn', () => child.spawnfile === SHELL || endWithProcess(child));
  });
}

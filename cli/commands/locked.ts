/**
 * @module What commands that write have in common: in a project, one at a time runs.
 */
import type { Command } from 'commander';

/** `media check` */
function fullName(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${fullName(parent)} ${command.name()}` : command.name();
}

/** Runs what a command does while no other one writes to the project. @throws UserError if another one goes on */
export async function locked(command: Command, work: () => Promise<void>): Promise<void> {
  const { whileLocked } = await import('../core/lock/project-lock.ts');
  const { removeUnfinished } = await import('../project/unfinished.ts');
  const root = process.cwd();
  await whileLocked(root, fullName(command), async () => {
    removeUnfinished(root);
    await work();
  });
}

/**
 * @module Has the lock of a project until it is stopped: `node child-lock.ts ROOT COMMAND`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { withProjectLock } from '../../../cli/project/project-lock.ts';

const [, , root = '', command = ''] = process.argv;
await withProjectLock(root, command, async () => {
  process.stdout.write('locked\n');
  await pause(60_000);
});

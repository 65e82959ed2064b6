/**
 * @module An archive that is never whole, in a process of its own that can be stopped: `node child-archive.ts PATH`; or that is given
 * up: `node child-archive.ts PATH give-up`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { writeArchive } from '../../../cli/core/archive/archive-writer.ts';
import { temporaryFolder } from '../../../cli/core/leftovers.ts';

const [, , path = '', end] = process.argv;
const archive = writeArchive(path, undefined);
await archive.file('first', Buffer.alloc(100_000, 1));
process.stdout.write(`${temporaryFolder()}\n`);
await (end === 'give-up' ? archive.giveUp() : pause(60_000));

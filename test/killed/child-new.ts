/**
 * @module A new project in a process of its own, that can be killed: it does not come back from the second file.
 */
import { writeFolder } from '../../cli/new/folder.ts';

const [, , folder = ''] = process.argv;
const second = {
  path: 'b',
  get text(): string {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return '';
  },
};
writeFolder(folder, [{ path: 'a', text: 'a' }, second]);

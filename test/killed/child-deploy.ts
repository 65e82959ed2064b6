/**
 * @module A deployment in a process of its own, that can be killed: `node child-deploy.ts PROJECT DATABASE STEP`. It reports each step
 * of wrangler, and does not come back from the one that is named.
 */
import { DatabaseSync } from 'node:sqlite';
import { deploy } from '../../cli/deploy/deploy.ts';
import { emptyAccount, standIn } from '../unit/cli/cloudflare.ts';

const [, , root = '', database = '', step = ''] = process.argv;
process.chdir(root);
const databases = new Map([['test', new DatabaseSync(database)]]);
const account = { ...emptyAccount(), databases, secrets: ['JWT_SECRET'], versions: [], live: undefined };
const { quietly, openly } = standIn(root, account, {
  before: (command) => {
    process.stdout.write(`${command}\n`);
    if (command.startsWith(step)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
await deploy(root, { target: { remote: true }, quietly, openly, allowDrop: true, pause: async () => undefined });

/**
 * @module A command on a deployed database in a process of its own: `node child-claim.ts PROJECT DATABASE`. It reports whether it has
 * claimed the database, and works until its input ends.
 */
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { whileClaimed } from '../../../../cli/core/lock/database-lock.ts';
import { emptyAccount, standIn } from '../cloudflare.ts';

const [, , root = '', database = ''] = process.argv;
const db = new DatabaseSync(database);
// D1 runs batches one after the other, and lets none wait in vain.
db.exec('PRAGMA busy_timeout = 10000');
const account = { ...emptyAccount(), databases: new Map([['magazine-db', db]]) };
const work = async (): Promise<void> => {
  process.stdout.write('claimed\n');
  await once(process.stdin.resume(), 'end');
};
await whileClaimed({ remote: true }, 'restore', work, standIn(root, account).quietly).catch((error: Error) =>
  process.stdout.write(`${error.message}\n`),
);

/**
 * @module The local database by way of the server that has it open. A second process that opened its file would now and
 * then find it locked, and would lock it for the server, even to read.
 */

import { UserError } from '../terminal.ts';
import type { Target } from '../wrangler/wrangler.ts';
import { askServer } from './control.ts';
import { relayedDatabase } from './relayed-database.ts';

/** The database that `npm run dev` serves. */
export const servedDatabase = (root: string, target: Target): D1Database =>
  relayedDatabase(async (statements) => {
    const asked = await askServer(root, target, statements);
    if (!asked) throw new UserError('npm run dev has just stopped; repeat the command');
    if (asked.kind === 'refused') throw new Error(asked.message);
    return asked.rows;
  });

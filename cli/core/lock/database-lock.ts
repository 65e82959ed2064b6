/**
 * @module One command at a time works on a deployed database, whatever machine it runs on. It claims the database by a row, and
 * renews it while it works. The claim of a command that dies expires.
 */
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { COMMAND_TABLE } from '../../../src/schema/names.ts';
import { atExit } from '../leftovers.ts';
import { identifier, literal } from '../sql/sql-text.ts';
import { executeSql } from '../storage/execute-sql.ts';
import { progress, UserError } from '../terminal.ts';
import { databaseName, type Target, type Wrangler, wrangler } from '../wrangler/wrangler.ts';

/** Seconds after its last renewal, by the clock of the database. */
const EXPIRY = 120;
/** Milliseconds between two renewals. */
const RENEWAL = 30_000;

const TABLE = identifier(COMMAND_TABLE);
const NOW = 'unixepoch()';

/** No migration creates the table: the first command on a database needs it. */
const CREATE = `CREATE TABLE IF NOT EXISTS ${TABLE} ("id" integer PRIMARY KEY, "claim" text NOT NULL, "command" text NOT NULL, "user" text NOT NULL, "since" integer NOT NULL, "until" integer NOT NULL)`;

/** Takes the database unless another claim is valid. */
const take = (claim: string, command: string, user: string): string =>
  `INSERT INTO ${TABLE} ("id", "claim", "command", "user", "since", "until") VALUES (1, ${[claim, command, user].map(literal).join(', ')}, ${NOW}, ${NOW} + ${EXPIRY}) ON CONFLICT ("id") DO UPDATE SET ("claim", "command", "user", "since", "until") = ("excluded"."claim", "excluded"."command", "excluded"."user", "excluded"."since", "excluded"."until") WHERE ${TABLE}."until" <= ${NOW}`;

const READ = `SELECT "claim", "command", "user", "since", "until" FROM ${TABLE}`;

const renew = (claim: string): string =>
  `UPDATE ${TABLE} SET "until" = ${NOW} + ${EXPIRY} WHERE "claim" = ${literal(claim)} RETURNING "id"`;

const release = (claim: string): string => `DELETE FROM ${TABLE} WHERE "claim" = ${literal(claim)}`;

interface Claim {
  readonly claim: string;
  readonly command: string;
  readonly user: string;
  /** Seconds since 1970. */
  readonly since: number;
  readonly until: number;
}

const timeText = (seconds: number): string => new Date(seconds * 1_000).toLocaleTimeString('en-GB');

const heldText = ({ command, user, since, until }: Claim, target: Target): string =>
  `edgewise ${command} of ${user} works on the ${databaseName(target)}, since ${timeText(since)}. Nothing was changed: run the command again when it has ended. If it was killed, its claim expires at ${timeText(until)}`;

const expiryText = (target: Target): string =>
  `The claim of the ${databaseName(target)} expires within ${EXPIRY} seconds: other commands are rejected until then`;

/** Ends the process as if it was killed: another command may write by now. */
function endUnclaimed(target: Target): never {
  progress(
    `The ${databaseName(target)} was claimed by another command, since this one could not reach it for ${EXPIRY} seconds. It was stopped where it was: run it again when the other one has ended`,
  );
  process.exit(1);
}

/**
 * Works on a deployed database while no other command does; on a local one, `lockProject` holds off the others of the project.
 * @param command for messages of others: `media check`
 * @throws UserError if another command has claimed it
 */
export async function whileClaimed<T>(
  target: Target,
  command: string,
  work: () => Promise<T>,
  execute: Wrangler = wrangler,
): Promise<T> {
  if (!target.remote) return work();
  const claim = randomUUID();
  const user = `${userInfo().username}@${hostname()}`;
  const [, , [found] = []] = await executeSql([CREATE, take(claim, command, user), READ], target, execute);
  if (found?.claim !== claim) throw new UserError(heldText(found as unknown as Claim, target));
  const remind = atExit(() => progress(expiryText(target)));
  let isOver = false;
  const renewing = setInterval(async () => {
    // A database that cannot be reached is tried again.
    const [renewed] = await executeSql([renew(claim)], target, execute).catch(() => [[{}]]);
    if (!isOver && renewed?.length === 0) endUnclaimed(target);
  }, RENEWAL);
  try {
    return await work();
  } finally {
    isOver = true;
    clearInterval(renewing);
    await executeSql([release(claim)], target, execute).catch(() => progress(expiryText(target)));
    remind();
  }
}

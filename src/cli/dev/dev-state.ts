/**
 * @module What `npm run dev` remembers beside the local database: the demo token, and that the demo content was planted.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UNFINISHED_SQL } from '../import/marker.ts';
import { reportUnfinished } from '../import/unfinished.ts';
import { identifier } from '../migrations/sql-text.ts';
import { createTokenSql, newToken, revokeOtherTokenSql, revokeTokenSql } from '../platform/tokens.ts';
import { executeSql, type Target } from '../platform/wrangler.ts';

const DEMO_NAME = 'demo';
const SEED_NAME = 'demo content (temporary)';
const MINUTES = 60_000;

/** The folder lives and dies with the local database. */
const fileOf = (root: string, { persistTo }: Target, name: string): string =>
  resolve(root, persistTo ?? '.wrangler/state', 'edgewise', name);

/** Where messages are written that would leave by e-mail. */
export const mailFile = (root: string, target: Target): string => fileOf(root, target, 'emails.txt');

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
}

/** The same read-only token at every start. */
function demoToken(root: string, target: Target): string {
  const path = fileOf(root, target, 'demo-token');
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  const token = newToken();
  write(path, `${token}\n`);
  return token;
}

export const isPlanted = (root: string, target: Target): boolean => existsSync(fileOf(root, target, 'planted'));

export const notePlanted = (root: string, target: Target): void =>
  write(fileOf(root, target, 'planted'), 'The demo content was planted, or there was other content.\n');

export interface Prepared {
  readonly demoToken: string;
  /** Full access for a few minutes, to plant the demo content with; absent when a table holds content already. */
  readonly seedToken?: string;
}

/**
 * Makes sure of the demo token, and of a temporary one if `tables` are to be filled and are empty.
 * @throws UserError when the database refuses.
 */
export async function prepareTokens(root: string, tables: readonly string[], target: Target): Promise<Prepared> {
  const now = Date.now();
  const demo = demoToken(root, target);
  const ensure = [
    revokeOtherTokenSql(DEMO_NAME, demo),
    createTokenSql({ name: DEMO_NAME, type: 'read-only' }, demo, now),
  ];
  if (tables.length === 0) {
    const results = await executeSql([...ensure, UNFINISHED_SQL], target);
    reportUnfinished(results.at(-1));
    return { demoToken: demo };
  }
  const seed = newToken();
  const temporary = { name: SEED_NAME, type: 'full-access', expiresAt: now + 10 * MINUTES } as const;
  const filled = tables.map((table) => `SELECT 1 FROM ${identifier(table)} LIMIT 1`);
  const results = await executeSql(
    [...filled, ...ensure, revokeTokenSql(SEED_NAME), createTokenSql(temporary, seed, now), UNFINISHED_SQL],
    target,
  );
  reportUnfinished(results.at(-1));
  const empty = results.slice(0, tables.length).every((rows) => rows.length === 0);
  return empty ? { demoToken: demo, seedToken: seed } : { demoToken: demo };
}

/** Ends the temporary token. */
export async function revokeSeedToken(target: Target): Promise<void> {
  await executeSql([revokeTokenSql(SEED_NAME)], target);
}

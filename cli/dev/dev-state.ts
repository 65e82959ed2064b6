/**
 * @module What `npm run dev` stores beside the local database: its tokens, and whether the demo content was planted.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { filledTables } from '../core/sql/database.ts';
import { runBatch } from '../core/sql/statements.ts';
import {
  createTokenSql,
  newToken,
  permitSql,
  revokeOtherTokenSql,
  revokeTokenSql,
  STUDIO_TOKEN,
} from '../core/sql/tokens.ts';
import { stateFile, writeState } from '../core/storage/state-folder.ts';
import { INTERRUPTED_SQL, reportInterrupted } from '../core/storage/unfinished.ts';
import type { Target } from '../core/wrangler/wrangler.ts';

const DEMO_NAME = 'demo';
const SEED_NAME = 'demo content (temporary)';
const MINUTES = 60_000;

export function devState(root: string, target: Target) {
  const fileOf = (name: string): string => stateFile(root, target, name);
  return {
    mails: fileOf('emails.txt'),
    isPlanted: () => existsSync(fileOf('planted')),
    /** Is the demo content being planted, or was that interrupted? */
    isPlanting: () => existsSync(fileOf('planting')),
    notePlanting: () => writeState(root, target, 'planting', 'Planting the demo content has begun.\n'),
    notePlanted(): void {
      writeState(root, target, 'planted', 'The demo content was planted, or there was other content.\n');
      rmSync(fileOf('planting'), { force: true });
    },
    /** Returns the same token at every start. */
    token(name: 'demo-token' | 'studio-token'): string {
      const path = fileOf(name);
      if (existsSync(path)) return readFileSync(path, 'utf8').trim();
      const token = newToken();
      writeState(root, target, name, `${token}\n`);
      return token;
    },
  };
}

export type DevState = ReturnType<typeof devState>;

/**
 * Creates the demo token, and one with full access and `studioPermissions` for a Studio that writes. Creates a temporary token with full access as
 * well, to plant the demo content, if `tables` are empty or planting was interrupted.
 */
export async function prepareTokens(
  state: DevState,
  db: D1Database,
  tables: readonly string[],
  studioPermissions: readonly string[] | undefined,
) {
  const now = Date.now();
  const demo = state.token('demo-token');
  const studio = studioPermissions ? state.token('studio-token') : undefined;
  const results = await runBatch(db, [
    ...INTERRUPTED_SQL,
    revokeOtherTokenSql(DEMO_NAME, demo),
    createTokenSql({ name: DEMO_NAME, type: 'read-only' }, demo, now),
    ...(studio === undefined || !studioPermissions
      ? [revokeTokenSql(STUDIO_TOKEN)]
      : [
          revokeOtherTokenSql(STUDIO_TOKEN, studio),
          createTokenSql({ name: STUDIO_TOKEN, type: 'full-access' }, studio, now),
          permitSql(STUDIO_TOKEN, studioPermissions),
        ]),
  ]);
  reportInterrupted(results);
  const isEmpty = (await filledTables(db, tables)).length === 0;
  if (tables.length === 0 || !(isEmpty || state.isPlanting())) return { tokens: { demo, studio } };
  const seed = newToken();
  const temporary = { name: SEED_NAME, type: 'full-access', expiresAt: now + 10 * MINUTES } as const;
  await runBatch(db, [revokeTokenSql(SEED_NAME), createTokenSql(temporary, seed, now)]);
  return { tokens: { demo, studio }, seedToken: seed };
}

export const revokeSeedToken = (db: D1Database) => runBatch(db, [revokeTokenSql(SEED_NAME)]);

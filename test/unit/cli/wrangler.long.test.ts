/**
 * @module What the commands say when wrangler fails, with what it writes then.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { executeSql } from '../../../cli/core/storage/execute-sql.ts';
import { assertDone, type Finished } from '../../../cli/core/wrangler/wrangler.ts';

const WORDS =
  "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable for wrangler to work.";
const SENTENCE = 'Not logged in to Cloudflare: npx wrangler login';

const failed = (output: Partial<Finished>): Finished => ({ code: 1, stdout: '', stderr: '', ...output });
const told = (text: string): Finished => failed({ stdout: `\n${JSON.stringify({ error: { text } })}\n` });

/** What the command says that runs SQL on the deployed database. */
async function saidOf(done: Finished): Promise<string> {
  const refusal = await executeSql(['select 1'], { remote: true }, async () => done).catch((error: Error) => error);
  return (refusal as Error).message;
}

describe('a command on the deployed database', () => {
  it.each([
    ['as JSON', told(WORDS)],
    ['on the standard error', failed({ stderr: `✘ [ERROR] ${WORDS}\n` })],
    ['in other words', told('You are not authenticated. Please run `wrangler login`.')],
  ])('says how to log in where wrangler misses a login, told %s', async (_, done) => {
    const said = await saidOf(done);
    expect(said).toContain(SENTENCE);
    expect(said).not.toMatch(/The database refused|non-interactive/);
    expect(() => assertDone('Listing the databases', done)).toThrow(SENTENCE);
  });

  it('says what the database said, where it is the database that refuses', async () => {
    expect(await saidOf(told('near "selec": syntax error'))).toBe('The database refused: near "selec": syntax error');
    expect(await saidOf(told('no such table: articles'))).toContain('npx edgewise migrate');
    expect(() => assertDone('Deploying', failed({ stderr: 'quota exceeded' }))).toThrow(
      'Deploying failed:\nquota exceeded',
    );
  });
});

it('a database answers whatever level the log of wrangler has', async () => {
  const persistTo = mkdtempSync(join(tmpdir(), 'edgewise-log-'));
  vi.stubEnv('WRANGLER_LOG', 'error');
  try {
    expect(await executeSql(['select 1 as "one"'], { persistTo })).toEqual([[{ one: 1 }]]);
    await expect(executeSql(['select 1 from articles'], { persistTo })).rejects.toThrow(
      /^The database refused: no such table: articles.*\nThe database has no tables yet: npx edgewise migrate$/,
    );
  } finally {
    vi.unstubAllEnvs();
    rmSync(persistTo, { recursive: true });
  }
});

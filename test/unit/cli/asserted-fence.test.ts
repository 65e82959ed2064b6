/**
 * @module Which migrations wait until a deployed version checks the fence, and which database belongs to another checkout.
 */
import { describe, expect, it } from 'vitest';
import { fenceSql } from '../../../cli/core/sql/fence.ts';
import type { Wrangler } from '../../../cli/core/wrangler/wrangler.ts';
import { assertFenced } from '../../../cli/migrations/fence.ts';
import { historyOf } from '../../../cli/migrations/history.ts';

const FIRST = '0001-aaaaaaaa';
const INITIAL = { name: '0001_initial.sql', text: `${fenceSql(FIRST)};\n` };
const MOVING = { name: '0002_moving.sql', text: `${fenceSql('0002-bbbbbbbb')};\n` };
const STILL = { name: '0003_still.sql', text: 'SELECT 1;\n' };
const TARGET = { remote: true };

interface World {
  readonly applied?: readonly string[];
  /** Of the database; null: none. */
  readonly fence: string | null;
  /** Is there a Worker? */
  readonly isServing?: boolean;
  readonly migrations?: readonly { readonly name: string; readonly text: string }[];
}

function assertIn({ applied = [INITIAL.name], fence, isServing = true, migrations = [INITIAL, MOVING, STILL] }: World) {
  const none = { code: 1, stdout: '', stderr: 'Worker "site" not found' };
  const execute: Wrangler = async (args) => {
    if (args[0] === 'secret') return isServing ? { code: 0, stdout: '[]', stderr: '' } : none;
    const results = [{ fence }];
    return {
      code: 0,
      stdout: JSON.stringify([{ results: args.join(' ').includes('"fence"') ? results : [] }]),
      stderr: '',
    };
  };
  const history = historyOf(
    migrations,
    applied.map((name) => ({ name })),
  );
  return assertFenced(history, TARGET, execute);
}

describe('pending migrations of a deployed database', () => {
  it('that move values are rejected while a version serves that does not check the fence', async () => {
    const failure: unknown = await assertIn({ fence: null }).catch((error: unknown) => error);
    expect((failure as Error).message.split('\n').filter((line) => line.startsWith('  '))).toEqual([
      '  drizzle/0002_moving.sql',
    ]);
  });

  it.each<readonly [what: string, world: World]>([
    ['the version checks the fence', { fence: '' }],
    ['the fence is one of the project', { fence: FIRST }],
    ['no version serves', { fence: null, isServing: false }],
    ['nothing was ever migrated', { fence: null, applied: [] }],
    ['none moves values', { fence: null, migrations: [INITIAL, STILL] }],
  ])('are applied where %s', async (_, world) => {
    await expect(assertIn(world)).resolves.toBeUndefined();
  });

  it('are rejected where another checkout has set the fence', async () => {
    await expect(assertIn({ fence: '0009-cccccccc' })).rejects.toThrow(
      'The deployed database has the fence 0009-cccccccc, which no migration in drizzle/ sets',
    );
  });
});

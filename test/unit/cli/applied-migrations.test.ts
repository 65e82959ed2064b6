/**
 * @module Which migrations a database has, and which differences from the files are errors.
 */
import { describe, expect, it } from 'vitest';
import { checkHistory, historyOf, missingNotes, readHistory } from '../../../cli/migrations/history.ts';
import { sha256 } from '../../../src/common/digest.ts';

const MIGRATIONS = ['0001_a.sql', '0002_b.sql', '0003_c.sql'].map((name) => ({ name, text: `-- ${name}\n` }));
const rowOf = (name: string, text = `-- ${name}\n`) => ({ name, checksum: sha256(text) });
const [A, B, C] = [rowOf('0001_a.sql'), rowOf('0002_b.sql'), rowOf('0003_c.sql')];
const unnoted = (name: string) => ({ name, checksum: null });

describe('the migrations of a database', () => {
  const failing = (failure: unknown) => async () => Promise.reject(failure);
  const noTable = (name: string) => new Error(`no such table: ${name}: SQLITE_ERROR`);

  it('are none where it was never migrated, and known by name alone where none was noted', async () => {
    expect((await readHistory(MIGRATIONS, failing(noTable('d1_migrations')))).applied).toEqual([]);
    const wranglers = async (statements: readonly unknown[]) =>
      String(statements).includes('edgewise_migrations')
        ? failing(noTable('edgewise_migrations'))()
        : statements.map(() => [{ name: A.name }]);
    const { applied, checksums, pending } = await readHistory(MIGRATIONS, wranglers);
    expect([applied, checksums, pending]).toEqual([['0001_a.sql'], new Map(), MIGRATIONS.slice(1)]);
  });

  it.each([new Error('database is locked'), 'no such table: d1_migrations'])(
    'are not taken for none after another failure: %s',
    async (failure) => {
      const failures = [failure];
      const run = async () => (failures.length > 0 ? failing(failures.pop())() : []);
      await expect(readHistory(MIGRATIONS, run)).rejects.toBe(failure);
    },
  );
});

describe('the files', () => {
  const problems = (rows: Parameters<typeof historyOf>[1], target = {}) => {
    try {
      checkHistory(historyOf(MIGRATIONS, rows), target);
      return [];
    } catch (error) {
      return String((error as Error).message).split('\n');
    }
  };
  const own = (rows: Parameters<typeof historyOf>[1]) => problems(rows).filter((line) => line.startsWith('  drizzle/'));

  it.each<readonly [what: string, rows: Parameters<typeof historyOf>[1], says: readonly string[]]>([
    ['all', [A, B, C], []],
    ['none', [], []],
    ['the first one', [A], []],
    ['all, without notes', [unnoted('0001_a.sql'), unnoted('0002_b.sql'), unnoted('0003_c.sql')], []],
    ['another text', [A, rowOf('0002_b.sql', 'other')], ['  drizzle/0002_b.sql: was changed after it was applied']],
    ['one more', [A, B, C, rowOf('0004_d.sql')], ['  drizzle/0004_d.sql: was applied, and is missing']],
    [
      'one without those before it',
      [A, C],
      ['  drizzle/0002_b.sql: comes before 0003_c.sql, which was applied without it'],
    ],
  ])('match a database that has %s, or are named', (_, rows, says) => {
    expect(own(rows)).toEqual(says);
    expect(problems(rows).length > 0).toBe(says.length > 0);
  });

  it('do not matter for a database from before the first release', () => {
    expect(problems([A, rowOf('0006_link_versions.sql')])).toEqual([
      expect.stringMatching(/^The local database was made by a version from before the first release: /),
    ]);
  });

  it('may be started over with where the database is local', () => {
    const startsOver = (target: object) => problems([A, C], target).some((line) => line.includes('start over'));
    expect([startsOver({}), startsOver({ remote: true })]).toEqual([true, false]);
  });

  it('are noted later where all were applied, and some were not noted', () => {
    const notes = (rows: Parameters<typeof historyOf>[1]) => missingNotes(historyOf(MIGRATIONS, rows));
    expect(notes([A, B, C])).toEqual([]);
    expect(notes([A, unnoted('0002_b.sql')])).toEqual([]);
    const [note, ...others] = notes([A, unnoted('0002_b.sql'), C]);
    expect(others).toEqual([]);
    expect(note).toMatch(/VALUES \('0002_b\.sql', '[0-9a-f]{64}'\)$/);
  });
});

/**
 * @module The sessions that the database of a call opens.
 */
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/content/sql/batch.ts';

const bookmark = (number: number): string => `0000000${number}-00000000-00000000-${'0'.repeat(32)}`;
const STATEMENT = { sql: 'select 1', params: [] };

/** A database whose batches on the primary end as they are told. */
function endingDatabase() {
  const opened: (string | undefined)[] = [];
  const endings: ((end: string | Error) => void)[] = [];
  const withSession = (constraint?: string) => {
    opened.push(constraint);
    let reached: string | null = null;
    const batch = () =>
      new Promise<readonly unknown[]>((resolve, reject) => {
        const end = (at: string | Error) => {
          if (at instanceof Error) return reject(at);
          reached = at;
          resolve([{ results: [], meta: { rows_read: 0, rows_written: 0 } }]);
        };
        if (constraint === 'first-primary') endings.push(end);
        else end(constraint ?? '');
      });
    return { prepare: () => ({ bind: () => ({}) }), batch, getBookmark: () => reached };
  };
  return { database: openDatabase({ withSession } as never, undefined, {}), opened, endings };
}

describe('openDatabase', () => {
  it('reads after concurrent writes at the newest of their bookmarks', async () => {
    const { database, opened, endings } = endingDatabase();
    const writes = [database.write([STATEMENT]), database.write([STATEMENT])];
    endings[1]?.(bookmark(2));
    await writes[1];
    endings[0]?.(bookmark(1));
    await writes[0];
    await database.read([STATEMENT], 'replica');
    await database.read([STATEMENT], 'replica');
    expect(opened).toEqual(['first-primary', 'first-primary', bookmark(2)]);
    expect(database.bookmark()).toBe(bookmark(2));
  });

  it('reads from the primary after a write whose commit outcome is unknown', async () => {
    const { database, opened, endings } = endingDatabase();
    const write = database.write([STATEMENT]).catch(() => 'failed');
    endings[0]?.(new Error('Network connection lost.'));
    expect(await write).toBe('failed');
    const read = database.read([STATEMENT], 'replica');
    endings[1]?.(bookmark(3));
    await read;
    expect(opened).toEqual(['first-primary', 'first-primary']);
  });
});

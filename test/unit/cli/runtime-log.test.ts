import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { runtimeLog } from '../../../cli/core/storage/local-storage.ts';
import { errorText, UserError } from '../../../cli/core/terminal.ts';

/** As workerd writes it. */
const FULL =
  'e = sqlite.c++:1827: failed: SQLite failed; database or disk is full: SQLITE_FULL\nstack: workerd@3fdbce7';
const internal = () => new Error('internal error; reference = lip3r9rmkhn07gsp02dfest6');

describe('the log of workerd', () => {
  it('has the cause of an internal error in one sentence, and is not shown then', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const log = runtimeLog('/p/.wrangler/state/v3');
    const explained = log.explain(internal());
    log.take({ level: 'error', message: FULL });
    log.take({ level: 'error', message: 'another failure' });
    const written = write.mock.calls.map(([text]) => text);
    write.mockRestore();
    expect(errorText(await explained)).toBe('/p/.wrangler/state/v3 cannot be used: there is no space left on the disk');
    expect(written).toEqual(['another failure\n']);
  });

  it('is not needed where the error states the cause', async () => {
    const error = await runtimeLog('/p').explain(new Error('D1_ERROR: disk I/O error: SQLITE_IOERR_SHMSIZE'));
    expect(errorText(error)).toBe('/p cannot be used: the disk failed, or has no space left');
  });

  it('is not needed where the disk is full', async () => {
    const statfs = vi.spyOn(fs, 'statfsSync').mockReturnValue({ bavail: 4, bsize: 4096 } as fs.StatsFs);
    syncBuiltinESMExports();
    const error = await runtimeLog(tmpdir()).explain(internal());
    statfs.mockRestore();
    syncBuiltinESMExports();
    expect(errorText(error)).toBe(`${tmpdir()} cannot be used: there is no space left on the disk`);
  });

  it('explains no other error', async () => {
    const log = runtimeLog('/p');
    log.take({ level: 'error', message: FULL });
    const others = [
      new UserError('The database refused: internal error'),
      new TypeError('ours'),
      Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }),
    ];
    for (const error of others) expect(await log.explain(error)).toBe(error);
    const unexplained = internal();
    expect(await runtimeLog('/p').explain(unexplained)).toBe(unexplained);
  });
});

import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { writeArchive } from '../../../cli/core/archive/archive-writer.ts';
import { OWN_MARK } from '../../../cli/core/leftovers.ts';

const CHILD = join(import.meta.dirname, 'child-archive.ts');
const folder = mkdtempSync(join(tmpdir(), 'edgewise-written-'));
const path = join(folder, 'archive.tar.gz');

beforeEach(() => {
  writeFileSync(path, 'an earlier archive');
});
afterAll(() => rmSync(folder, { recursive: true }));

const present = () => ({ names: readdirSync(folder), text: readFileSync(path, 'utf8') });
const UNCHANGED = { names: ['archive.tar.gz'], text: 'an earlier archive' };

describe('an archive that is being written', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('leaves the earlier one, no part and no folder after %s', async (signal, code) => {
    const child = spawn(process.execPath, ['--no-warnings', CHILD, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    expect(readdirSync(folder)).toEqual([
      'archive.tar.gz',
      expect.stringMatching(/^archive\.tar\.gz\.edgewise-.*\.part$/),
    ]);
    const temporary = String(said).trim();
    expect(existsSync(temporary)).toBe(true);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([code, null]);
    expect(present()).toEqual(UNCHANGED);
    expect(existsSync(temporary)).toBe(false);
  });

  it('is removed with its folder by the next command after SIGKILL, and not while its process runs', async () => {
    const child = spawn(process.execPath, ['--no-warnings', CHILD, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const temporary = String(said).trim();
    const write = () =>
      execFileSync(process.execPath, ['--no-warnings', CHILD, join(folder, 'other.tar.gz'), 'give-up']);
    write();
    expect([readdirSync(folder).length, existsSync(temporary)]).toEqual([2, true]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    write();
    expect(present()).toEqual(UNCHANGED);
    expect(existsSync(temporary)).toBe(false);
  });

  it('replaces the earlier one when it is whole', async () => {
    const archive = writeArchive(path, undefined);
    await archive.file('a', Buffer.from('a'));
    expect(readFileSync(path, 'utf8')).toBe('an earlier archive');
    await archive.finish();
    expect(readdirSync(folder)).toEqual(['archive.tar.gz']);
    expect(readFileSync(path).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  });

  it('leaves the earlier one when it is given up', async () => {
    const archive = writeArchive(path, undefined);
    await archive.file('a', Buffer.from('a'));
    await archive.giveUp();
    expect(present()).toEqual(UNCHANGED);
  });

  it.runIf(existsSync('/dev/full'))('names the file that the disk has no room for, and leaves no part', async () => {
    symlinkSync('/dev/full', `${path}.${OWN_MARK}.part`);
    const archive = writeArchive(path, undefined);
    const fill = async () => {
      for (let index = 0; index < 40; index += 1) await archive.file(`${index}`, randomBytes(100_000));
    };
    await expect(fill()).rejects.toMatchObject({ code: 'ENOSPC', path });
    await archive.giveUp();
    expect(present()).toEqual(UNCHANGED);
  });
});

/**
 * @module One command at a time works on a deployed database, from whatever machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sortSchema } from '../../../../cli/backup/schema.ts';
import { whileClaimed } from '../../../../cli/core/lock/database-lock.ts';
import { emptyAccount, type StandIn, standIn, wranglerToml } from '../cloudflare.ts';
import { hearProgress } from '../heard.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';

const said = hearProgress();
const REMOTE = { remote: true };
const RESOLVE = join(import.meta.dirname, '../../../../cli/resolve-drizzle.mjs');

let project: ScratchProject;
let db: DatabaseSync;
let wrangler: StandIn;
const children: ChildProcess[] = [];

beforeEach(() => {
  said.length = 0;
  project = scratchProject();
  project.write('wrangler.toml', wranglerToml('magazine-db'));
  db = new DatabaseSync(join(project.root, 'deployed.sqlite'), { timeout: 5_000 });
  wrangler = standIn(project.root, { ...emptyAccount(), databases: new Map([['magazine-db', db]]) });
});
afterEach(() => {
  vi.useRealTimers();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  db.close();
  project.remove('.');
});

const claimed = <T>(work: () => Promise<T>) => whileClaimed(REMOTE, 'migrate', work, wrangler.quietly);
const claims = () => db.prepare('SELECT "command", "until" > unixepoch() AS "isValid" FROM edgewise_commands').all();
const nothing = async (): Promise<void> => undefined;

/** Starts another command. @returns its process, and what it has said first */
async function another() {
  const args = ['--no-warnings', '--import', RESOLVE, join(import.meta.dirname, 'child-claim.ts')];
  const child = spawn(process.execPath, [...args, project.root, join(project.root, 'deployed.sqlite')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [first] = await once(child.stdout, 'data');
  return { child, first: String(first) };
}

const REJECTED =
  /^edgewise restore of \S+@\S+ works on the deployed database, since [\d:]+\. Nothing was changed: run the command again when it has ended\. If it was killed, its claim expires at [\d:]+\n?$/;

describe('a command on a deployed database', () => {
  it('is rejected while another process works on it, and works when that has ended', async () => {
    const { child, first } = await another();
    expect(first).toBe('claimed\n');
    const work = vi.fn(nothing);
    await expect(claimed(work)).rejects.toThrow(REJECTED);
    expect(work).not.toHaveBeenCalled();
    child.stdin?.end();
    await once(child, 'exit');
    await claimed(work);
    expect(work).toHaveBeenCalledOnce();
    expect(claims()).toEqual([]);
  });

  it('is one of two that begin at the same moment', async () => {
    const begun = await Promise.all([another(), another()]);
    const texts = begun.map(({ first }) => first).toSorted();
    expect(texts).toEqual(['claimed\n', expect.stringMatching(REJECTED)]);
  });

  it('is rejected after one that was killed, until its claim has expired', async () => {
    const { child } = await another();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect(claimed(nothing)).rejects.toThrow('If it was killed, its claim expires at');
    db.exec('UPDATE edgewise_commands SET "until" = unixepoch()');
    await claimed(nothing);
  });

  it('gives the database back when it fails', async () => {
    await expect(claimed(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(claims()).toEqual([]);
  });

  it('renews its claim, so that it holds for as long as the work takes', async () => {
    vi.useFakeTimers();
    await claimed(async () => {
      db.exec('UPDATE edgewise_commands SET "until" = 0');
      await vi.advanceTimersByTimeAsync(30_000);
      expect(claims()).toEqual([{ command: 'migrate', isValid: 1 }]);
    });
  });

  it('ends where it is when another one has claimed the database meanwhile', async () => {
    vi.useFakeTimers();
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    await claimed(async () => {
      db.exec(`UPDATE edgewise_commands SET "claim" = 'other'`);
      await vi.advanceTimersByTimeAsync(30_000);
      expect(exit).toHaveBeenCalledExactlyOnceWith(1);
    });
    exit.mockRestore();
    expect(said.join('\n')).toContain('was claimed by another command');
    expect(claims()).toHaveLength(1);
  });

  it('claims no local database', async () => {
    await whileClaimed({}, 'migrate', nothing, wrangler.quietly);
    expect(wrangler.commands).toEqual([]);
  });
});

it('the table of claims is in no backup, and stays when a restore replaces all tables', () => {
  const entry = {
    type: 'table',
    name: 'edgewise_commands',
    tbl_name: 'edgewise_commands',
    sql: 'CREATE TABLE',
  } as const;
  expect(sortSchema([entry]).tables).toEqual([]);
});

/**
 * @module Work in a caller's name: a write is done as a whole or not at all, starts again when others come between, is never
 * done twice, and no caller learns what is wrong before the database has confirmed who it is.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { invalid } from '../../../src/common/errors.ts';
import { assumeCredential } from '../../../src/content/credentials/credential.ts';
import { createCaches } from '../../../src/content/runtime/caches.ts';
import type { Call } from '../../../src/content/runtime/call.ts';
import { type AtomicChange, type Caller, withCredential } from '../../../src/content/runtime/caller.ts';
import { CONFLICT, openDatabase } from '../../../src/content/sql/batch.ts';
import { query } from '../../../src/content/sql/compiled.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { createToken, recordedRegistry } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const settings = parseSettings({});

async function callOn(db: D1Database, token?: string): Promise<Call> {
  return {
    registry: recordedRegistry,
    settings,
    features: [],
    credential: await assumeCredential(token && `Bearer ${token}`, settings, undefined, Date.now()),
    database: openDatabase(db, undefined, {}),
    caches: createCaches(settings.memory),
    pathname: '/',
    search: '',
    held: [],
    now: Date.now(),
    query: () => ({}),
    bodiless: false,
    purge: async () => true,
    waitUntil: () => {},
  };
}

const insert = (name: string) => ({
  sql: 'insert into "tags" ("document_id", "locale", "published_at", "name") values (?, ?, 1, ?)',
  params: [name, '', name],
});
const failing = { sql: `select json_extract('{}', ?)`, params: ['UNIQUE.name'] };
const meeting = { sql: `select json_extract('{}', ?)`, params: [CONFLICT] };
const named = (name: string) =>
  query({ sql: 'select "name" from "tags" where "name" = ?', params: [name] }, ([row]) => {
    if (!row) throw new Error('not there');
    return String(row.name);
  });

const changeOf = (name: string, more: Partial<AtomicChange<string>> = {}): AtomicChange<string> => ({
  statements: [insert(name)],
  result: named(name),
  stamps: ['api::tag.tag published'],
  ...more,
});

const write = (call: Call, plan: (caller: Caller) => AtomicChange<string>): Promise<string> =>
  withCredential(call, { source: 'primary' }, async (caller) => caller.write(plan(caller)));

const names = async (): Promise<readonly unknown[]> =>
  (await env.DB.prepare('select "name" from "tags" order by "name"').all()).results.map(({ name }) => name);

/** Does what it is told, and says that it never heard of it. */
function losingDatabase(): D1Database {
  const withSession = (constraint?: string) => {
    const session = env.DB.withSession(constraint);
    const batch = async (statements: D1PreparedStatement[]) => {
      const results = await session.batch(statements);
      if (results.some(({ meta }) => meta.changed_db)) throw new Error('D1_ERROR: Network connection lost.');
      return results;
    };
    return { prepare: (sql: string) => session.prepare(sql), batch, getBookmark: () => session.getBookmark() };
  };
  return { withSession } as never;
}

openMagazine();

beforeEach(() => env.DB.prepare('delete from "tags"').run());

describe('a write', () => {
  it('leaves nothing behind when it fails', async () => {
    const failed = write(await callOn(env.DB), () => changeOf('a', { statements: [insert('a'), failing] }));
    await expect(failed).rejects.toThrow('UNIQUE.name');
    expect(await names()).toEqual([]);
  });

  it('starts again without optimism when it fails, once', async () => {
    const tries: boolean[] = [];
    const failed = withCredential(
      await callOn(env.DB),
      { source: 'primary', optimistic: true },
      async (caller, isOptimistic) => {
        tries.push(isOptimistic);
        return caller.write(changeOf('a', { statements: [insert('a'), failing] }));
      },
    );
    await expect(failed).rejects.toThrow('UNIQUE.name');
    expect(tries).toEqual([true, false]);
  });

  it('fails as it did with optimism, where the limit of statements leaves no room for another attempt', async () => {
    const many = Array.from({ length: 600 }, (_, index) => insert(`a${index}`));
    const tries: boolean[] = [];
    const failed = withCredential(
      await callOn(env.DB),
      { source: 'primary', optimistic: true },
      async (caller, isOptimistic) => {
        tries.push(isOptimistic);
        return caller.write(changeOf('a', { statements: [...many, failing] }));
      },
    );
    await expect(failed).rejects.toThrow('UNIQUE.name');
    expect(tries).toEqual([true, false]);
  });
});

describe('a write that meets another', () => {
  it('is planned again until it comes through', async () => {
    let plans = 0;
    const plan = () => {
      plans += 1;
      return changeOf('a', plans < 4 ? { statements: [meeting, insert('a')] } : {});
    };
    await write(await callOn(env.DB), plan);
    expect(plans).toBe(4);
    expect(await names()).toEqual(['a']);
  });

  it('is a 503 when it never does', async () => {
    const call = await callOn(env.DB);
    const never = write(call, () => changeOf('a', { statements: [insert('a'), meeting] }));
    await expect(never).rejects.toMatchObject({ problem: { kind: 'overloaded' } });
    expect(await names()).toEqual([]);
  });
});

describe('a write whose answer is lost', () => {
  it('is told as failed, and not done twice', async () => {
    const call = await callOn(losingDatabase());
    await expect(write(call, () => changeOf('a'))).rejects.toThrow('Network connection lost');
    expect(await names()).toEqual(['a']);
  });

  it('lets caches drop what it may have made untrue, which a write that was undone does not', async () => {
    const dropped: string[] = [];
    const purging = async (db: D1Database) => ({
      ...(await callOn(db)),
      purge: async (stamps: readonly string[]) => dropped.push(...stamps) > 0,
    });
    const undone = write(await purging(env.DB), () => changeOf('a', { statements: [insert('a'), failing] }));
    await expect(undone).rejects.toThrow('UNIQUE.name');
    expect(dropped).toEqual([]);
    await expect(write(await purging(losingDatabase()), () => changeOf('a'))).rejects.toThrow(
      'Network connection lost',
    );
    expect(dropped).toContain('api::tag.tag published');
  });

  it('has its result all the same where the result proves that it was done, and features learn of it', async () => {
    const call = await callOn(losingDatabase());
    const committed = vi.fn();
    const features = [{ name: 'x', notices: () => ({ before: [], after: [], committed }) }];
    expect(await write({ ...call, features }, () => changeOf('a', { canRecoverOutcome: true }))).toBe('a');
    expect(await names()).toEqual(['a']);
    expect(committed).toHaveBeenCalledOnce();
  });
});

describe('a caller', () => {
  it('who is not known is confirmed before anything is written', async () => {
    await expect(write(await callOn(env.DB, 'made-up'), () => changeOf('a'))).rejects.toThrow('invalid credentials');
    expect(await names()).toEqual([]);
  });

  it('who is known is believed until the batch, which the token aborts once it is gone', async () => {
    await createToken('leaving', 'full-access');
    await write(await callOn(env.DB, 'leaving'), () => changeOf('a'));
    const counted = countedDatabase(env.DB);
    await write(await callOn(counted.database, 'leaving'), () => changeOf('b'));
    expect(counted.answering()).toHaveLength(1);
    await env.DB.prepare(`delete from strapi_api_tokens where name = 'leaving'`).run();
    await expect(write(await callOn(env.DB, 'leaving'), () => changeOf('c'))).rejects.toThrow('invalid credentials');
    expect(await names()).toEqual(['a', 'b']);
  });

  it('whose token is gone is told that, and not what is wrong with the write', async () => {
    await createToken('curious', 'full-access');
    await write(await callOn(env.DB, 'curious'), () => changeOf('a'));
    await env.DB.prepare(`delete from strapi_api_tokens where name = 'curious'`).run();
    const refused = write(await callOn(env.DB, 'curious'), () => {
      throw invalid('a secret of the content');
    });
    await expect(refused).rejects.toThrow('invalid credentials');
  });

  it('of whom planning asks more than the token allows is refused, though the token was not known', async () => {
    await createToken('partly', 'custom', ['api::tag.tag.create']);
    const curious = write(await callOn(env.DB, 'partly'), ({ grants }) => {
      if (!grants.allows('api::tag.tag.create')) throw invalid('may not create');
      if (!grants.allows('api::tag.tag.delete')) throw invalid('may not delete');
      return changeOf('a');
    });
    await expect(curious).rejects.toThrow('may not delete');
    expect(await names()).toEqual([]);
  });
});

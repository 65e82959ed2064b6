/**
 * @module Several writes as one: together or not at all, planned again when others come between, and never done twice.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assumeCredential } from '../../../src/auth/credential.ts';
import { parseSettings } from '../../../src/config.ts';
import { invalid } from '../../../src/errors.ts';
import type { Call } from '../../../src/execute/call.ts';
import { type Change, commit, type Write } from '../../../src/execute/commit.ts';
import { QuestionMemory } from '../../../src/execute/question-memory.ts';
import { readMemory } from '../../../src/execute/read-memory.ts';
import { CONFLICT, openDatabase } from '../../../src/sql/batch.ts';
import { asked, known, mapped } from '../../../src/sql/compiled.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { createTables, createToken, recordedRegistry } from '../../support/recorded.ts';

const settings = parseSettings({});

async function callOn(db: D1Database, token?: string): Promise<Call> {
  return {
    registry: recordedRegistry,
    settings,
    credential: await assumeCredential(token && `Bearer ${token}`, settings, undefined),
    database: openDatabase(db, undefined),
    memory: readMemory(settings.memory),
    questions: new QuestionMemory(),
    pathname: '/',
    search: '',
    held: [],
    now: Date.now(),
    query: () => ({}),
    bodiless: false,
    purge: () => {},
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
  asked({ sql: 'select "name" from "tags" where "name" = ?', params: [name] }, ([row]) => {
    if (!row) throw new Error('not there');
    return String(row.name);
  });

const changeOf = (name: string, more: Partial<Change<string>> = {}): Change<string> => ({
  statements: [insert(name)],
  result: named(name),
  touched: [{ uid: 'api::tag.tag', documentId: name, locale: '', operation: 'create' }],
  ...more,
});

const writing = (plan: () => Change<string>): Write<string> => ({ ask: () => known(plan) });

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

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
});
beforeEach(() => env.DB.prepare('delete from "tags"').run());

describe('writes of one commit', () => {
  it('leave nothing behind when one of them fails', async () => {
    const call = await callOn(env.DB);
    const writes = [writing(() => changeOf('a')), writing(() => changeOf('b', { statements: [insert('b'), failing] }))];
    await expect(commit(call, writes)).rejects.toThrow('UNIQUE.name');
    expect(await names()).toEqual([]);
  });

  it('leave nothing behind when one of them is refused', async () => {
    const call = await callOn(env.DB);
    const refused = writing(() => {
      throw invalid('no');
    });
    await expect(commit(call, [writing(() => changeOf('a')), refused])).rejects.toThrow('no');
    expect(await names()).toEqual([]);
  });

  it('are one batch, with a result each and all that they touched', async () => {
    const counted = countedDatabase(env.DB);
    const call = await callOn(counted.database);
    const { results, touched } = await commit(call, [writing(() => changeOf('a')), writing(() => changeOf('b'))]);
    expect(results).toEqual(['a', 'b']);
    expect(touched.map(({ documentId }) => documentId)).toEqual(['a', 'b']);
    expect(counted.batches).toHaveLength(1);
  });

  it('get the rows of their own questions', async () => {
    const call = await callOn(env.DB);
    await commit(call, [writing(() => changeOf('a'))]);
    const copy = (from: string): Write<string> => ({
      ask: () => mapped(named(from), (name) => () => changeOf(`${name}2`)),
    });
    await commit(call, [writing(() => changeOf('b'))]);
    expect((await commit(call, [copy('a'), copy('b')])).results).toEqual(['a2', 'b2']);
  });
});

describe('a write that meets another', () => {
  it('is planned again until it comes through', async () => {
    let plans = 0;
    const plan = () => {
      plans += 1;
      return changeOf('a', plans < 4 ? { statements: [meeting, insert('a')] } : {});
    };
    await commit(await callOn(env.DB), [writing(plan)]);
    expect(plans).toBe(4);
    expect(await names()).toEqual(['a']);
  });

  it('is a 503 when it never does', async () => {
    const call = await callOn(env.DB);
    const never = writing(() => changeOf('a', { statements: [insert('a'), meeting] }));
    await expect(commit(call, [never])).rejects.toMatchObject({ problem: { kind: 'overloaded' } });
    expect(await names()).toEqual([]);
  });
});

describe('a write whose answer is lost', () => {
  it('is told as failed, and not done twice', async () => {
    const call = await callOn(losingDatabase());
    await expect(commit(call, [writing(() => changeOf('a'))])).rejects.toThrow('Network connection lost');
    expect(await names()).toEqual(['a']);
  });

  it('lets caches drop what it may have made untrue, which a write that was undone does not', async () => {
    const dropped: string[] = [];
    const purging = async (db: D1Database) => ({
      ...(await callOn(db)),
      purge: (stamps: readonly string[]) => dropped.push(...stamps),
    });
    const undone = writing(() => changeOf('a', { statements: [insert('a'), failing] }));
    await expect(commit(await purging(env.DB), [undone])).rejects.toThrow('UNIQUE.name');
    expect(dropped).toEqual([]);
    const lost = writing(() => changeOf('a'));
    await expect(commit(await purging(losingDatabase()), [lost])).rejects.toThrow('Network connection lost');
    expect(dropped).toContain('api::tag.tag published');
  });

  it('has its result all the same where the result proves that it was done', async () => {
    const call = await callOn(losingDatabase());
    expect((await commit(call, [writing(() => changeOf('a', { provable: true }))])).results).toEqual(['a']);
    expect(await names()).toEqual(['a']);
  });
});

describe('a caller', () => {
  it('who is not known is confirmed before anything is planned', async () => {
    let planned = false;
    const plan = () => {
      planned = true;
      return changeOf('a');
    };
    await expect(commit(await callOn(env.DB, 'made-up'), [writing(plan)])).rejects.toThrow('invalid credentials');
    expect(planned).toBe(false);
  });

  it('who is known is believed until the batch, which the token aborts once it is gone', async () => {
    await createToken('leaving', 'full-access');
    await commit(await callOn(env.DB, 'leaving'), [writing(() => changeOf('a'))]);
    const counted = countedDatabase(env.DB);
    await commit(await callOn(counted.database, 'leaving'), [writing(() => changeOf('b'))]);
    expect(counted.answering()).toHaveLength(1);
    await env.DB.prepare(`delete from strapi_api_tokens where name = 'leaving'`).run();
    await expect(commit(await callOn(env.DB, 'leaving'), [writing(() => changeOf('c'))])).rejects.toThrow(
      'invalid credentials',
    );
    expect(await names()).toEqual(['a', 'b']);
  });

  it('whose token is gone is told that, and not what is wrong with the write', async () => {
    await createToken('curious', 'full-access');
    await commit(await callOn(env.DB, 'curious'), [writing(() => changeOf('a'))]);
    await env.DB.prepare(`delete from strapi_api_tokens where name = 'curious'`).run();
    const refused = writing(() => {
      throw invalid('a secret of the content');
    });
    await expect(commit(await callOn(env.DB, 'curious'), [refused])).rejects.toThrow('invalid credentials');
  });

  it('of whom planning asks more than the token allows is refused, though the token was not known', async () => {
    await createToken('partly', 'custom', ['api::tag.tag.create']);
    const curious: Write<string> = {
      ask: ({ grants }) => {
        if (!grants.allows('api::tag.tag.create')) throw invalid('may not create');
        return known(({ grants: later }) => {
          if (!later.allows('api::tag.tag.delete')) throw invalid('may not delete');
          return changeOf('a');
        });
      },
    };
    await expect(commit(await callOn(env.DB, 'partly'), [curious])).rejects.toThrow('may not delete');
    expect(await names()).toEqual([]);
  });
});

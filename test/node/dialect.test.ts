/**
 * @module What `render.ts` makes of a query is what Drizzle's own dialect makes of it: the same text but for white
 * space, and the same parameters in the same order.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Placeholder, type SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { EVERYTHING } from '../../src/access/grants.ts';
import { tokenQuery, userQuery } from '../../src/content/credentials/sql/credentials.ts';
import { withTime } from '../../src/content/operations/response.ts';
import { planList, planOne } from '../../src/content/plan/read/plan-read.ts';
import { parseQueryParams } from '../../src/content/request/query-params.ts';
import { parseQueryString } from '../../src/content/request/query-string.ts';
import { ANY_DOCUMENT } from '../../src/content/sql/pieces.ts';
import { compileRead } from '../../src/content/sql/read/select.ts';
import { currentStamps, rotateStamps, stampsMoved } from '../../src/content/sql/stamps.ts';
import type { Statement } from '../../src/content/sql/statement.ts';
import { single } from '../../src/schema/document-ref.ts';
import type { ContentType } from '../../src/schema/model.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { askingOf } from '../fuzz/queries.ts';
import { queryOn, searchOf } from '../generators/queries.ts';
import { READS } from '../support/golden-reads.ts';
import { recordedRegistry, typeAt } from '../support/recorded-registry.ts';
import { samplesOf } from '../support/tier.ts';

interface Pair {
  readonly query: SQL;
  readonly statement: Statement;
}

const { rendered } = vi.hoisted(() => ({ rendered: [] as Pair[] }));

vi.mock('../../src/content/sql/render.ts', async (original) => {
  const render = await original<typeof import('../../src/content/sql/render.ts')>();
  const toStatement = (query: SQL): Statement => {
    const statement = render.toStatement(query);
    rendered.push({ query, statement });
    return statement;
  };
  return { ...render, toStatement };
});

/** Renders each statement at once, which is else rendered on its first use. */
vi.mock('../../src/content/sql/prepared.ts', async (original) => {
  const module = await original<typeof import('../../src/content/sql/prepared.ts')>();
  const prepared = (...[build]: Parameters<typeof module.prepared>) => {
    const statement = module.prepared(build);
    // Without values for its placeholders it throws, after it was rendered.
    try {
      statement({});
    } catch {}
    return statement;
  };
  return { ...module, prepared };
});

// Statements of one shape, which their modules declare.
await import('../../src/features/users/sql/users.ts');
await import('../../src/content/credentials/sql/roles.ts');
await import('../../src/features/users/sql/sessions.ts');
await import('../../src/features/files/sql/files.ts');
const prepared = [...rendered];

const dialect = new SQLiteSyncDialect();
const squeezed = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([()]) ?/g, '$1')
    .trim();

const isList = (statement: Statement): boolean => statement.sql.includes("(?1->>'$[0]')");

/** With every parameter in its place, as before those that are too many became a list. */
function unpacked(statement: Statement): Statement {
  if (!isList(statement)) return statement;
  const [list, ...filledIn] = statement.params;
  const params: unknown[] = JSON.parse(String(list));
  let place = 0;
  const text = statement.sql.replaceAll(/\(\?1->>'\$\[(\d+)\]'\)|\?2/g, (mark, index) => {
    if (mark === '?2') params[place] = filledIn[0];
    else expect(Number(index)).toBe(place);
    place += 1;
    return '?';
  });
  return { sql: text, params };
}

function expectSame({ query, statement }: Pair): void {
  const own = unpacked(statement);
  const { sql: text, params } = dialect.sqlToQuery(query);
  expect(squeezed(own.sql)).toBe(squeezed(text));
  expect(own.params).toEqual(params);
}

// Large enough for generated requests.
const limits = { populateLists: 10, searchedTexts: 1_000 };
const settings = parseSettings({ api: { rest: { publicDrafts: true, limits } } });
const reader = { registry: recordedRegistry, settings, grants: EVERYTHING };
const paramsOf = (search: string, kind: 'list' | 'one') =>
  parseQueryParams(parseQueryString(search, settings.api.rest.limits), kind, settings);

const compileList = (type: ContentType, search: string) =>
  compileRead(planList(paramsOf(search, 'list'), type, reader)).statements;

function compilePath(path: string): readonly Statement[] {
  const [place = '', search = ''] = path.split('?');
  const [route = '', document] = place.split('/');
  const type = typeAt(route);
  if (type.kind === 'collectionType' && document === undefined) return compileList(type, search);
  const which = document === undefined ? single(type) : ANY_DOCUMENT;
  return compileRead(withTime(planOne(paramsOf(search, 'one'), type, which, reader))).statements;
}

const compileMeasured = (statement: Statement) => statement.kind === 'page' && statement.measured?.();

const goldenText = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../golden/${name}.txt`), 'utf8').replaceAll('\n', ' ');

beforeEach(() => {
  rendered.length = 0;
});

describe("is rendered as by Drizzle's own dialect", () => {
  it.each(Object.entries(READS))('%s', (name, path) => {
    for (const statement of compilePath(path)) {
      expect(goldenText(name)).toContain(statement.sql);
      compileMeasured(statement);
    }
    expect(rendered.length).toBeGreaterThan(0);
    for (const pair of rendered) expectSame(pair);
  });

  it('what generated requests are compiled to', () => {
    const types = [...recordedRegistry.routes.values()].filter(({ kind }) => kind === 'collectionType');
    const asked = fc
      .constantFrom(...types)
      .chain((type) =>
        queryOn(type, askingOf(recordedRegistry), { depth: 3, width: 5, list: 100 }).map((query) => ({ type, query })),
      );
    let lists = 0;
    for (const { type, query } of fc.sample(asked, { numRuns: samplesOf(2_000), seed: 1 })) {
      compileList(type, searchOf(query)).forEach(compileMeasured);
      for (const pair of rendered) expectSame(pair);
      lists += rendered.filter(({ statement }) => isList(statement)).length;
      rendered.length = 0;
    }
    expect(lists).toBeGreaterThan(2);
  });

  it('a query about a credential, and one about stamps', () => {
    const permissions = [
      { kind: 'stored', type: null, permissions: '[]' },
      { kind: 'assumed', types: ['full-access'], granted: ['a'] },
    ] as const;
    const tokens = permissions.map((needed) => tokenQuery({ key: 'k', needed, now: 1 }));
    const needs = { id: 1, issuedAt: 1_000, now: 1_000, mustBeConfirmed: true, roles: ['r'] };
    const ofUsers = [
      { session: null, grant: null },
      { session: 's', grant: null },
      { session: null, grant: 'g' },
    ].map((own) => userQuery({ ...needs, ...own }));
    for (const query of [...tokens, ...ofUsers]) {
      query.guard();
      query.assertion();
    }
    currentStamps(['a', 'b'], []);
    stampsMoved(['a', 'b'], ['x', 'y']);
    rotateStamps(['a', 'b'], ['0002-1b2c3d4e']);
    expect(rendered).toHaveLength(18);
    for (const pair of rendered) expectSame(pair);
  });

  it('every prepared statement', () => {
    expect(prepared.length).toBeGreaterThan(12);
    for (const pair of prepared) expectSame(pair);
    expect(prepared.flatMap(({ statement }) => statement.params).some((param) => param instanceof Placeholder)).toBe(
      true,
    );
  });
});

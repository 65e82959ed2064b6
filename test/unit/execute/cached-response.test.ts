/**
 * @module What a cached read sends to the database, and what it makes of stamps, tags and windows of time.
 */
import { describe, expect, it } from 'vitest';
import { type Grants, only } from '../../../src/access/grants.ts';
import type { Credential, Preview } from '../../../src/content/credentials/credential.ts';
import { filledWork } from '../../../src/content/runtime/cached-plan.ts';
import { cachedRead, type ReadResponse } from '../../../src/content/runtime/cached-response.ts';
import { createCaches } from '../../../src/content/runtime/caches.ts';
import type { Call } from '../../../src/content/runtime/call.ts';
import type { ResponseWork } from '../../../src/content/runtime/response-work.ts';
import { constant, query } from '../../../src/content/sql/compiled.ts';
import { stampsMoved } from '../../../src/content/sql/stamps.ts';
import { MAX_GUARDED, type Results, type Statement } from '../../../src/content/sql/statement.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const settings = parseSettings({});
const registry = registryOf([contentType('note', { text: { type: 'string' } })]);
const FREE: Grants = only(['find']);
const LIMITED: Grants = { ...FREE, rule: () => ({ key: 'own', caller: { user: undefined, now: 0 } }) };
const publicWith = (grants: Grants): Credential => ({ kind: 'public', grants });

interface Options {
  /** The statement of the content. */
  readonly content?: string;
  readonly isPrivate?: true;
  readonly isMapped?: boolean;
}

/** An isolate whose database has the stamps and the text of `state`. */
function openIsolate({ content = 'content', isPrivate, isMapped }: Options = {}) {
  const state = { stamps: 's1', text: 'one', window: 7 };
  const sent: string[][] = [];
  const send = async (statements: readonly Statement[]): Promise<Results> => {
    sent.push(statements.map(({ sql }) => sql));
    return statements.map((each) => [each.kind === 'value' ? { stamps: state.stamps } : { text: state.text }]);
  };
  const call: Call = {
    ...{ registry, settings, features: [], credential: publicWith(FREE), caches: createCaches(settings.memory) },
    ...{ pathname: '/', search: '', held: [], now: 1, query: () => ({}), bodiless: false },
    database: {
      ...{ read: send, write: send, note: async () => {}, hasRoom: () => true, bookmark: () => null },
      ...{ spent: { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 }, costly: [] },
    },
    purge: async () => true,
    waitUntil: () => {},
  };
  const run = cachedRead<Call>({
    keysOf: () => ({ responseKey: 'key', planKey: 'plan', named: null, isMapped }),
    plan(_, { grants }): ResponseWork {
      grants.allows('find');
      const work = query({ sql: content, params: [] }, ([row]) => ({ body: row?.text }));
      return { names: ['api::note.note published'], work, ...(isPrivate && { isPrivate }) };
    },
  });
  const read = (more: Partial<Call> = {}): Promise<ReadResponse> => run({ ...call, ...more });
  /** Signed addresses, which change with the window. */
  const features = [{ addresses: { signer: () => undefined, window: () => state.window } }];
  return { state, sent, read, features };
}

const textOf = ({ bytes }: ReadResponse): unknown => bytes && JSON.parse(new TextDecoder().decode(bytes));
const isGuarded = (sent: readonly string[][]) => sent.at(-1)?.at(-1)?.includes('limit iif(');

describe('a cached read', () => {
  it('has a condition for its content as soon as there is a response to compare', async () => {
    const { sent, read } = openIsolate();
    const { etag = '' } = await read({ held: ['"another"'] });
    expect(sent.at(-1)?.slice(1)).toEqual(['content']);
    for (const held of [[], [etag]]) {
      expect(await read({ held })).toMatchObject({ etag, cached: true });
      expect(isGuarded(sent)).toBe(true);
    }
    const other = openIsolate();
    expect(await other.read({ held: [etag] })).toEqual(expect.objectContaining({ etag, cached: true }));
    expect(isGuarded(other.sent)).toBe(true);
  });

  it.each([
    [0, true],
    [1, false],
  ])('with a statement of %i characters more than fit has it: %s', async (more, guarded) => {
    const room = MAX_GUARDED - stampsMoved(['api::note.note published'], ['s1']).sql.length;
    const { sent, read } = openIsolate({ content: 'x'.repeat(room + more) });
    await read();
    expect(await read()).toMatchObject({ cached: true });
    expect(isGuarded(sent)).toBe(guarded);
  });

  it('gives no older response to a caller that holds the current one', async () => {
    const { state, read } = openIsolate();
    const { etag = '' } = await read();
    state.stamps = 's2';
    const current = await read({ held: [etag.replace('s1', 's2.of another form')] });
    expect([current.cached, current.bytes]).toEqual([true, undefined]);
  });

  it.each([
    [{}, undefined],
    [{ isMapped: true }, true],
    [{ isPrivate: true }, true],
  ] as const)('of %j is kept from shared caches: %s', async (options, isUnshared) => {
    const { read } = openIsolate(options);
    expect([(await read()).isUnshared, (await read()).isUnshared]).toEqual([isUnshared, isUnshared]);
  });

  it('of HEAD has no tag, and leaves the response to GET to be computed', async () => {
    const { read } = openIsolate();
    expect(await read({ bodiless: true })).toEqual({
      ...{ bytes: expect.anything(), cached: false, names: ['api::note.note published'] },
      isSigned: false,
    });
    expect(await read()).toMatchObject({ cached: false, etag: expect.any(String) });
  });
});

describe('a tag', () => {
  it('of a caller with rules follows the body, and reveals no stamps', async () => {
    const { state, read } = openIsolate();
    const credential = publicWith(LIMITED);
    const { etag = '' } = await read({ credential });
    expect(etag).not.toContain('s1');
    expect(await read({ credential, held: [etag] })).toMatchObject({ etag, cached: true });
    state.stamps = 's2';
    expect(await read({ credential, held: [etag] })).toMatchObject({ etag, cached: true });
    state.stamps = 's3';
    expect(await read({ credential, held: [] })).toMatchObject({ etag, cached: false });
    const guess = `${etag.split('.')[0]}.s1"`;
    const guessed = await openIsolate().read({ credential, held: [guess] });
    expect([guessed.etag, guessed.cached, textOf(guessed)]).toEqual([etag, false, 'one']);
  });

  it('is that of a caller with rules, though the isolate has not seen the credential before', async () => {
    const preview = (isCached: boolean, grants: Grants): Preview => ({
      ...{ kind: 'preview', isCached, grants, forContent: () => preview(isCached, grants) },
      confirmation: () => ({
        guard: () => ({ sql: '1', params: [] }),
        assertion: () => ({ sql: '1', params: [], kind: 'assertion' }),
        row: query({ sql: 'credential', params: [], kind: 'credential', columns: [] }, () => ({
          ...{ credential: preview(true, LIMITED), holds: true },
        })),
      }),
    });
    const first = await openIsolate().read({ credential: preview(false, FREE) });
    expect(first.etag).toBe((await openIsolate().read({ credential: publicWith(LIMITED) })).etag);
  });
});

describe('signed addresses', () => {
  const SIGNED = 'https://files.example/a?expires=1&signature=b';

  it('make a response that ends with their window of time', async () => {
    const { state, read, features } = openIsolate();
    state.text = SIGNED;
    const first = await read({ features });
    expect(first).toMatchObject({ cached: false, isSigned: true, etag: expect.stringContaining('s1~7"') });
    const held = [first.etag ?? ''];
    expect(await read({ features })).toEqual({ ...first, cached: true });
    expect(await openIsolate().read({ features, held })).toEqual({ ...first, cached: true, bytes: undefined });
    state.window = 8;
    const later = await read({ features, held });
    expect(later).toMatchObject({ cached: false, isSigned: true, etag: expect.stringContaining('s1~8"') });
  });

  it('that a response lacks leave it without an end', async () => {
    const { state, read, features } = openIsolate();
    const first = await read({ features });
    expect(first).toMatchObject({ cached: false, isSigned: false, etag: expect.stringContaining('s1"') });
    state.window = 8;
    expect(await read({ features })).toEqual({ ...first, cached: true });
  });

  it('are expected of HEAD, which has no text, wherever a response may have them', async () => {
    const { state, read, features } = openIsolate();
    expect(await read({ features, bodiless: true })).toMatchObject({ isSigned: true });
    state.text = SIGNED;
    expect(await read({ bodiless: true })).toMatchObject({ isSigned: false });
    expect(await read()).toMatchObject({ isSigned: false });
  });
});

it('the work of a plan that leaves nothing to a request is used as it is', () => {
  const work = constant({ body: null });
  const plan = { names: [], work, digest: '', isTimed: false, trace: { granted: [], denied: [] } };
  expect(filledWork(plan, { named: null, now: 1 })).toBe(work);
});

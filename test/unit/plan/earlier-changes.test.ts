/**
 * @module What the requests before another in a batch create, take, free and change.
 */
import { describe, expect, it } from 'vitest';
import type { WriteOp, WrittenRow } from '../../../src/content/plan/model/write-plan.ts';
import type { Current, WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import { EarlierWrites } from '../../../src/content/plan/write/earlier-writes.ts';
import type { Preconditions } from '../../../src/content/plan/write/preconditions.ts';
import { namedDocument } from '../../../src/schema/document-ref.ts';
import type { ScalarAttribute } from '../../../src/schema/model.ts';
import { refusal } from './support.ts';
import {
  attributeOf,
  currentOf,
  present,
  requestOf,
  target,
  typeNamed,
  versionOf,
  registry as worlds,
} from './write-support.ts';

type Change = Parameters<EarlierWrites['add']>;
const row = (name: string, documentId: string, more: object = {}): WrittenRow => ({
  ...{ type: typeNamed(name), document: namedDocument(documentId), locale: '', status: 'published' },
  ...more,
});
const update = (name: string, documentId: string): WriteOp => ({
  kind: 'update',
  row: row(name, documentId),
  values: new Map(),
  now: 5,
});

/** Plans a request after others. */
function planAfter(
  changes: readonly Change[],
  request: Partial<WriteRequest>,
  current: Partial<Current>,
  read: Partial<Preconditions> = {},
) {
  const earlier = new EarlierWrites(worlds);
  for (const change of changes) earlier.add(...change);
  const none = { links: [], sharedLinks: [], ...read } as unknown as Preconditions;
  const before = earlier.before(
    requestOf('note', { rank: null }, request),
    none,
    currentOf({ targets: new Map(), ...current }),
  );
  return { before, isUncertain: earlier.isUncertain };
}

describe('what earlier requests of a batch create', () => {
  const insert = (name: string, documentId: string, more: object = {}): Change => [
    0,
    [{ kind: 'insert', row: row(name, documentId, more), values: new Map(), now: 5 }],
    true,
  ];

  it('are targets beside those that exist', () => {
    const existing = target('a', 1);
    const targets = new Map([
      ['api::tag.tag', [existing]],
      ['api::topic.topic', [existing]],
    ]);
    const changes = [insert('tag', 'n'), insert('tag', 'm', { status: 'draft', locale: 'fr' }), insert('note', 'o')];
    const { before } = planAfter(changes, {}, { targets, innerTargets: targets, row: versionOf('note') });
    const created = (documentId: string, more: object = {}) => ({
      id: Number.NaN,
      documentId,
      locale: '',
      published: true,
      ...more,
    });
    const tags = [existing, created('n'), created('m', { locale: 'fr', published: false })];
    for (const all of [before.targets, before.innerTargets]) {
      expect(all.get('api::tag.tag')).toEqual(tags);
      expect(all.get('api::topic.topic')).toEqual([existing]);
      expect(all.get('api::note.note')).toEqual([created('o')]);
    }
    expect(before.row?.documentId).toBe('d');
  });

  it('have unique values, which are taken by later ones of the same type and locale', () => {
    const code = typeNamed('note').attributes.get('code') as ScalarAttribute;
    const assertion = (of: WrittenRow): WriteOp => ({ kind: 'assert-unique', row: of, attribute: code, code: 'x' });
    const own = row('note', 'n');
    const created: Change = [
      0,
      [{ kind: 'insert', row: own, values: new Map([[code, 'x']]), now: 5 }, assertion(own)],
      true,
    ];
    const updated: Change = [
      0,
      [{ kind: 'update', row: own, values: new Map([[code, 'x']]), now: 5 }, assertion(own)],
      false,
    ];
    const kept: Change = [
      0,
      [update('note', 'n'), assertion(own)],
      false,
      currentOf({ row: versionOf('note', { code: 'x' }) }),
    ];
    const drafted: Change = [0, [{ kind: 'insert', row: own, values: new Map([[code, 'x']]), now: 5 }], true];
    const takenAfter = (change: Change, value: string, more: Partial<WriteRequest> = {}) => [
      ...planAfter([change], { data: { code: value, rank: null } as never, ...more }, {}).before.taken,
    ];
    for (const change of [created, updated, kept]) expect(takenAfter(change, 'x')).toEqual(['code']);
    expect(takenAfter(created, 'y')).toEqual([]);
    expect(takenAfter(created, 'x', { locale: 'fr' })).toEqual([]);
    expect(takenAfter(created, 'x', { type: typeNamed('story') })).toEqual([]);
    expect(takenAfter(drafted, 'x')).toEqual([]);
  });

  it('have unique values in components', () => {
    const path = { key: 'card.code' };
    const op = {
      kind: 'assert-free',
      row: row('note', 'n'),
      values: [{ path, values: ['k'], withOwn: false }],
      code: 'x',
    };
    const takenAt = new Map([
      ['card.code', new Set<unknown>(['j'])],
      ['other', new Set<unknown>()],
    ]);
    const at = (code: string, change: Change = [0, [op as unknown as WriteOp], true]) =>
      planAfter([change], { data: { rank: null, card: { code } } as never }, { takenAt }).before.takenAt;
    expect([...(at('k').get('card.code') ?? [])]).toEqual(['j', 'k']);
    expect([...(at('l').get('card.code') ?? [])]).toEqual(['j']);
    expect([...at('l').keys()]).toEqual(['card.code', 'other']);
    expect([...(at('k', [0, [], true]).get('card.code') ?? [])]).toEqual(['j']);
  });
});

describe('values that were taken before a batch', () => {
  const taken = new Set(['code']);
  const changed: Change = [0, [update('note', 'n')], false];

  it.each<readonly [string, Change, Partial<Current>, readonly string[], boolean]>([
    ['are taken', [0, [], false], { taken }, ['code'], false],
    ['are taken after a change of another type', [0, [update('tag', 'n')], false], { taken }, ['code'], false],
    ['may be free after a change of their type', changed, { taken }, [], true],
    [
      'may be free after a deletion',
      [0, [{ kind: 'delete', rows: { kind: 'ids', type: typeNamed('note'), ids: [1] } }], false],
      { taken },
      [],
      true,
    ],
    ['may be free in components', changed, { takenAt: new Map([['card.code', new Set(['j'])]]) }, [], true],
    ['are none, and none is free', changed, { takenAt: new Map([['card.code', new Set()]]) }, [], false],
  ])('%s', (_, change, current, expected, isUncertain) => {
    const result = planAfter([change], {}, current);
    expect([...result.before.taken]).toEqual(expected);
    expect(result.isUncertain).toBe(isUncertain);
    if (isUncertain) expect(result.before.takenAt.size).toBe(0);
  });
});

describe('a request of a batch is rejected', () => {
  const tags = attributeOf('note', 'tags');
  const none = { source: false, target: false };
  const table = (more: object = {}) => ({ name: 't', exclusive: none, ...more });
  const lookup = (more: object = {}, attribute = tags) => ({ attribute, tables: [table(more)] });
  const linkChange = (positioned: readonly string[], removed: 'others' | readonly string[] = []): WriteOp =>
    ({
      kind: 'link',
      tables: [{ name: 't' }],
      change: {
        positioned: positioned.map((documentId) => ({ documentId })),
        removed: removed === 'others' ? removed : removed.map((documentId) => ({ documentId })),
      },
    }) as never;
  const linked = (positioned: readonly string[], removed?: 'others' | readonly string[]): Change => [
    4,
    [linkChange(positioned, removed)],
    false,
  ];
  const toA = new Map([[tags, [present('a', 1)]]]);
  const home = { kind: 'document', type: typeNamed('home'), document: { kind: 'single' } } as const;

  it.each<readonly [string, Change, object, Partial<Current>]>([
    ['whose own links one changes', linked(['d']), { links: [lookup()] }, {}],
    ['whose own links one removes', linked([], ['d']), { links: [lookup()] }, {}],
    [
      'whose source has such',
      linked(['s']),
      { links: [lookup()] },
      { source: versionOf('note', {}, { documentId: 's' }) },
    ],
    ['whose shared links one changes', linked(['d']), { sharedLinks: [lookup()] }, {}],
    ['whose target one changes', [4, [update('tag', 'a')], false], { links: [lookup()] }, { links: toA }],
    [
      'whose target one deletes',
      [4, [{ kind: 'delete', rows: { kind: 'ids', type: typeNamed('tag'), ids: [1] } }], false],
      { links: [lookup()] },
      { links: toA },
    ],
    [
      'whose shared target one changes',
      [4, [update('tag', 'a')], false],
      { sharedLinks: [lookup()] },
      { originalLinks: toA },
    ],
    [
      'whose inherited target one changes',
      [4, [update('tag', 'a')], false],
      { sharedLinks: [lookup()] },
      { sourceLinks: toA },
    ],
    [
      'whose exclusive source one links',
      linked(['a']),
      { links: [lookup({ exclusive: { source: true, target: false } })] },
      { links: toA },
    ],
    [
      'whose exclusive target one links',
      linked(['a']),
      { links: [lookup({ exclusive: { source: false, target: true } })] },
      { links: toA },
    ],
    [
      'whose single type one deletes',
      [4, [{ kind: 'delete', rows: home }], false],
      {},
      { innerTargets: new Map([['api::home.home', [target('h', 1)]]]) },
    ],
    [
      'whose component names what one changes',
      [4, [update('tag', 'a')], false],
      {},
      { innerTargets: new Map([['api::tag.tag', [target('a', 1)]]]) },
    ],
  ])('%s', (_, change, read, current) => {
    expect(refusal(() => planAfter([change], {}, current, read as never))).toMatchObject({
      ...{ status: 400, message: expect.stringContaining('request 4 of the batch changes'), details: { dependsOn: 4 } },
    });
  });

  it.each<readonly [string, Change, object, Partial<Current>]>([
    ['that links another document', linked(['x'], 'others'), { links: [lookup()] }, {}],
    ['that links it in another table', linked(['d']), { links: [lookup({ name: 'u' })] }, {}],
    ['that links a target of a table that is not exclusive', linked(['a']), { links: [lookup()] }, { links: toA }],
    ['that changes another target', [4, [update('tag', 'b')], false], { links: [lookup()] }, { links: toA }],
    [
      'that changes a document of the same id of another type',
      [4, [update('topic', 'a')], false],
      { links: [lookup()] },
      { links: toA },
    ],
    ['that creates a document', [4, [update('tag', 'a')], true], { links: [lookup()] }, { links: toA }],
    [
      'that changes links in another list',
      [4, [update('tag', 'a')], false],
      { sharedLinks: [lookup()] },
      { links: toA },
    ],
  ])('only if it depends on it, not after one %s', (_, change, read, current) => {
    expect(() => planAfter([change], {}, current, read as never)).not.toThrow();
  });

  it('with the latest of those that it depends on', () => {
    const changes: readonly Change[] = [
      [1, [linkChange(['d', 'x'])], false],
      [2, [linkChange(['d'])], false],
      [3, [linkChange(['y'])], false],
    ];
    expect(() => planAfter(changes, {}, {}, { links: [lookup()] } as never)).toThrow('request 2 of the batch');
    expect(() => planAfter(changes, { documentId: 'x' }, {}, { links: [lookup()] } as never)).toThrow(
      'request 1 of the batch',
    );
  });
});

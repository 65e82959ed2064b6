/**
 * @module What follows from a plan: the version stamps that it rotates, and the changes that others hear of.
 */
import { describe, expect, it } from 'vitest';
import type { WriteOp } from '../../../src/content/plan/model/write-plan.ts';
import { changesOf, removalsOf, rowsMade, sharedChangesOf } from '../../../src/content/plan/write/changes.ts';
import { rotatedStamps } from '../../../src/content/plan/write/invalidation.ts';
import { stampName } from '../../../src/schema/names.ts';

const type = (uid: string, more: object = {}) => ({ uid, draftAndPublish: true, localized: true, ...more });
const document = { kind: 'named', documentId: 'd' };
const row = { type: type('own'), document, locale: 'en', status: 'draft' };
const published = { ...row, status: 'published' };
const plain = { ...published, type: type('plain', { draftAndPublish: false, localized: false }) };
const tables = [{ source: type('source'), target: type('target') }];
const ends = [{ tables }];
const all = { kind: 'document', type: type('own'), document };
const some = { ...all, status: 'published' };

describe('the version stamps that are rotated', () => {
  it.each<readonly [object, readonly string[]]>([
    [{ kind: 'insert', row }, ['own draft']],
    [{ kind: 'update', row: published }, ['own published']],
    [{ kind: 'share', row, tables }, ['own draft', 'source draft', 'target draft']],
    [{ kind: 'inherit', row, tables }, ['source draft', 'target draft']],
    [{ kind: 'delete', rows: all }, ['own draft', 'own published']],
    [{ kind: 'delete', rows: some }, ['own published']],
    [{ kind: 'discard', draft: row, ends }, ['own draft', 'source draft', 'target draft']],
    [{ kind: 'publish', draft: row, ends }, ['own published', 'source published', 'target published']],
    [{ kind: 'link', row, tables, status: 'published' }, ['source published', 'target published']],
    [{ kind: 'attach', table: tables[0] }, ['source draft', 'source published']],
    [{ kind: 'unlink', ends, rows: all }, ['source draft', 'source published', 'target draft', 'target published']],
    [{ kind: 'unlink', ends, rows: some }, ['source published', 'target published']],
    [{ kind: 'leave-links', ends, rows: some }, ['source published', 'target published']],
    [{ kind: 'assert-unique', row }, []],
    [{ kind: 'assert-free', row }, []],
    [{ kind: 'discount', rows: all }, []],
    [{ kind: 'recount', rows: all }, []],
  ])('by %j are %j', (op, stamps) => {
    const names = stamps.map((stamp) => stampName(...(stamp.split(' ') as [string, 'draft'])));
    expect(rotatedStamps([op as WriteOp])).toEqual(names);
  });
});

describe('the changes of a plan', () => {
  const values = new Map();
  const plan = [
    { kind: 'discount', rows: all },
    { kind: 'insert', row, values },
    { kind: 'update', row: plain, values },
    { kind: 'publish', draft: row, values },
    { kind: 'discard', draft: row, values },
    { kind: 'share', row, tables, attributes: [] },
    { kind: 'share', row: published, tables, attributes: [] },
    { kind: 'share', row: plain, tables, attributes: [] },
    { kind: 'delete', rows: all },
    { kind: 'delete', rows: some },
    { kind: 'delete', rows: { ...some, type: plain.type } },
  ] as unknown as readonly WriteOp[];

  it('are those of the rows that it makes', () => {
    const change = { uid: 'own', documentId: 'd', locale: 'en', version: 'draft' };
    expect(changesOf(plan)).toEqual([
      { ...change, operation: 'create' },
      { operation: 'update', uid: 'plain', documentId: 'd', locale: null, version: 'published' },
      { ...change, operation: 'publish', version: 'published' },
      { ...change, operation: 'discardDraft' },
    ]);
    expect(rowsMade(plan).map((made) => made.row)).toEqual([row, plain, published, row]);
  });

  it('are those of other locales, where a published one is published anew', () => {
    expect(sharedChangesOf(plan)).toEqual([
      { operation: 'update', row },
      { operation: 'publish', row: published },
      { operation: 'update', row: plain },
    ]);
  });

  it('are removals, of published versions alone or of all', () => {
    expect(removalsOf(plan).map(({ operation }) => operation)).toEqual(['delete', 'unpublish', 'delete']);
    expect(removalsOf(plan)[1]?.rows).toEqual(some);
  });
});

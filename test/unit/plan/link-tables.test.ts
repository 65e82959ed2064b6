/**
 * @module The link tables of relations, from both of their sides.
 */
import { describe, expect, it } from 'vitest';
import {
  endKey,
  endsAfter,
  endsOf,
  linkEndOf,
  linkEnds,
  linkStatus,
  tableOf,
  targetUids,
  writtenStatuses,
} from '../../../src/content/plan/model/link-tables.ts';
import { targetUid } from '../../../src/content/plan/model/links.ts';
import type { ContentType, LinkAttribute, TypedLinkAttribute } from '../../../src/schema/model.ts';
import { draft, registry, x, y } from './linked-types.ts';

const attributeOf = (type: ContentType, name: string) => type.attributes.get(name) as LinkAttribute;

describe('a link table', () => {
  it.each<readonly [string, string, boolean, boolean, boolean, boolean]>([
    ['one', 'xs_one_lnk', false, true, false, false],
    ['oneBoth', 'xs_one_both_lnk', true, true, true, true],
    ['many', 'xs_many_lnk', false, true, false, false],
    ['manyBoth', 'xs_many_both_lnk', true, true, false, true],
    ['list', 'xs_list_lnk', false, false, false, false],
    ['listBoth', 'xs_list_both_lnk', true, false, false, false],
    ['cover', 'xs_cover_lnk', false, false, false, false],
    ['covers', 'xs_covers_lnk', false, false, false, false],
    ['any', 'xs_any_mph', false, false, false, false],
    ['anyOne', 'xs_any_one_mph', false, true, false, true],
  ])('of %s is %s: mutual %s, single %s, exclusive %s and %s', (name, table, mutual, single, source, target) => {
    const end = linkEndOf(attributeOf(x, name), x, registry);
    expect(end?.owner).toBe(true);
    expect(end?.tables[0]).toMatchObject({ name: table, source: x, mutual, single, exclusive: { source, target } });
  });

  it.each([
    ['backOne', 'xs_one_both_lnk', undefined],
    ['backMany', 'xs_many_both_lnk', undefined],
    ['backList', 'xs_list_both_lnk', undefined],
    ['marks', 'xs_any_mph', 'api::y.y'],
  ])('of %s is that of the other side: %s', (name, table, targetType) => {
    const end = linkEndOf(attributeOf(y, name), y, registry);
    expect(end).toMatchObject({ owner: false, tables: [{ name: table, source: x, target: y }] });
    expect(end?.tables[0].targetType).toBe(targetType);
  });

  it('is none where a type is missing', () => {
    const rest = { ...registry, contentTypes: new Map([...registry.contentTypes].filter(([, type]) => type !== y)) };
    expect(tableOf(attributeOf(x, 'one') as TypedLinkAttribute, x, rest)).toBeUndefined();
    expect(linkEndOf(attributeOf(x, 'one'), x, rest)).toBeUndefined();
    expect(endsOf([attributeOf(x, 'one'), attributeOf(x, 'cover')], x, rest).map(endKey)).toEqual(['xs_cover_lnk']);
    const inverse = { ...attributeOf(y, 'backOne'), inverse: 'title' } as TypedLinkAttribute;
    expect(tableOf(inverse, y, registry)).toBeUndefined();
  });

  it('leads to one type, or to all that polymorphic relations may name', () => {
    expect(targetUids(attributeOf(x, 'one'), registry)).toEqual(['api::y.y']);
    expect(targetUids(attributeOf(x, 'cover'), registry)).toEqual(['plugin::upload.file']);
    const uids = targetUids(attributeOf(x, 'any'), registry);
    for (const uid of ['api::x.x', 'plugin::upload.file', 'plugin::users-permissions.user'])
      expect(uids).toContain(uid);
    expect(uids).not.toContain('plugin::users-permissions.role');
    expect(linkEndOf(attributeOf(x, 'any'), x, registry)?.tables.map(({ target }) => target.uid)).toEqual(uids);
    expect([targetUid(attributeOf(x, 'any')), targetUid(attributeOf(x, 'any'), 'api::y.y')]).toEqual(['', 'api::y.y']);
  });

  it('is at an end of its source and its target', () => {
    const keys = [
      '-xs_any_mph',
      '-xs_any_one_mph',
      '-xs_list_both_lnk',
      '-xs_list_lnk',
      '-xs_many_both_lnk',
      '-xs_many_lnk',
      '-xs_one_both_lnk',
      '-xs_one_lnk',
    ];
    expect(linkEnds(y, registry).map(endKey).toSorted()).toEqual(keys);
    expect(linkEnds(x, registry).map(endKey)).toContain('xs_one_lnk');
    expect(endsAfter('', y, registry).map(endKey)).toEqual(keys);
    expect(endsAfter('-xs_list_lnk', y, registry).map(endKey)).toEqual(keys.slice(4));
  });

  it.each<readonly [ContentType, ContentType, 'draft' | 'published', readonly string[]]>([
    [x, y, 'published', ['published']],
    [x, draft, 'draft', ['draft', 'published']],
    [draft, y, 'draft', ['draft', 'published']],
  ])('has versions if a side has drafts: %#', (source, target, status, statuses) => {
    const table = { ...(linkEndOf(attributeOf(x, 'one'), x, registry)?.tables[0] as object), source, target } as never;
    expect(linkStatus(table, 'draft')).toBe(status);
    expect(linkStatus(table, 'published')).toBe('published');
    expect(writtenStatuses(x, [table])).toEqual(statuses);
    expect(writtenStatuses(draft, [table])).toEqual(['draft']);
  });
});

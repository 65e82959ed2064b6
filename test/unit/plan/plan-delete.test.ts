/**
 * @module Which rows a delete chooses, and what it becomes.
 */
import { describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/access/grants.ts';
import { endKey, linkEnds } from '../../../src/content/plan/model/link-tables.ts';
import type { DeletedRows } from '../../../src/content/plan/model/write-plan.ts';
import { MAX_ENDS, planDelete, planUnpublish, rowsToDelete } from '../../../src/content/plan/write/plan-delete.ts';
import { parseQueryParams } from '../../../src/content/request/query-params.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { namedDocument } from '../../../src/schema/document-ref.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { printCondition, readerOf, refusal } from './support.ts';
import { registry, typeNamed } from './write-support.ts';

const document = namedDocument('d');
const noDrafts: Grants = { allows: (action) => !action.endsWith('.readDrafts') };

function chosen(name: string, search: string, grants?: Grants) {
  const reader = readerOf({ registry, ...(grants && { grants }) });
  const params = parseQueryParams(parseQueryString(search, reader.settings.api.rest.limits), 'write', reader.settings);
  return rowsToDelete(params, typeNamed(name), document, reader);
}

describe('the rows to delete', () => {
  it.each<readonly [string, string, string | readonly string[] | undefined]>([
    ['note', '', ''],
    ['note', 'locale=fr', ''],
    ['note', 'locale[]=fr&locale[]=de', ''],
    ['place', '', 'en'],
    ['place', 'locale=fr', 'fr'],
    ['place', 'locale[]=fr&locale[]=de', ['fr', 'de']],
    ['place', 'locale[]=zz&locale[]=*', ['zz', '*']],
    ['place', 'locale=*', undefined],
  ])('of a %s with "%s" are in the locale "%s"', (name, search, locale) => {
    const rows = { kind: 'document', type: typeNamed(name), document, ...(locale !== undefined && { locale }) };
    expect(chosen(name, search)).toStrictEqual({ rows });
  });

  it('are chosen among those of the document by filters', () => {
    const { rows, chosen: among } = chosen('story', 'filters[title]=a');
    expect(among?.rows).toBe(rows);
    expect(printCondition(among?.where)).toBe('title $eq "a"');
  });

  it.each([
    [
      'story',
      'status=draft',
      400,
      "Invalid parameter at 'status'. A draft cannot be deleted by itself, received: draft",
    ],
    ['note', 'fields=nope', 400, 'Invalid key nope'],
    ['note', 'sort=nope', 400, 'Invalid key nope'],
    ['note', 'filters[nope]=1', 400, 'Invalid key nope'],
  ])('of a %s are rejected with "%s"', (name, search, status, message) => {
    expect(refusal(() => chosen(name, search))).toMatchObject({ status, message: expect.stringContaining(message) });
  });

  it('of a type without drafts may be named as one', () => {
    expect(() => chosen('note', 'status=draft')).not.toThrow();
    expect(() => chosen('story', 'status=published')).not.toThrow();
  });

  it('are chosen by filters only if the caller may read drafts', () => {
    expect(refusal(() => chosen('story', 'filters[title]=a', noDrafts)).status).toBe(403);
    expect(() => chosen('story', '', noDrafts)).not.toThrow();
    expect(() => chosen('note', 'filters[title]=a', noDrafts)).not.toThrow();
  });
});

describe('a delete', () => {
  const manyOf = (count: number) =>
    registryOf([
      contentType('hub', {}),
      contentType(
        'many',
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`to${index}`, relation('manyToMany', 'hub')])),
        { plural: 'manys' },
      ),
    ]);

  it.each<readonly [number, readonly string[]]>([
    [0, ['discount', 'delete', 'unlink 0', 'recount']],
    [2, ['discount', 'delete', 'unlink 2', 'recount']],
    [MAX_ENDS, ['discount', 'delete', 'unlink 400', 'recount']],
    [MAX_ENDS + 1, ['discount', 'delete', 'unlink 400', 'leave-links 1', 'recount']],
  ])('of a row with %i kinds of links is planned', (count, expected) => {
    const some = manyOf(count);
    const type = some.contentTypes.get('api::hub.hub') as ContentType;
    const plan = planDelete({ kind: 'document', type, document }, some);
    expect(plan.map((op) => ('ends' in op ? `${op.kind} ${op.ends.length}` : op.kind))).toEqual(expected);
    const keys = linkEnds(type, some).map(endKey).sort();
    for (const op of plan) {
      if (op.kind === 'unlink') expect(op.ends.map(endKey)).toEqual(keys.slice(0, MAX_ENDS));
      if (op.kind === 'leave-links')
        expect([op.after, op.ends.map(endKey)]).toEqual([keys[MAX_ENDS - 1], keys.slice(MAX_ENDS)]);
    }
  });

  const type = typeNamed('story');

  it.each<readonly [DeletedRows, object]>([
    [
      { kind: 'document', type, document, locale: 'en' },
      { kind: 'document', type, document },
    ],
    [
      { kind: 'idsOfDocument', type, document, ids: [1] },
      { kind: 'document', type, document },
    ],
    [
      { kind: 'ids', type, ids: [1, 2] },
      { kind: 'ids', type, ids: [1, 2] },
    ],
  ])('counts the other rows, too: $kind', (rows, counted) => {
    const [discount, removal, , recount] = planDelete(rows, registry);
    expect([discount, removal, recount]).toStrictEqual([
      { kind: 'discount', rows: counted },
      { kind: 'delete', rows },
      { kind: 'recount', rows: counted },
    ]);
  });

  it('of published rows leaves their links', () => {
    const rows = { kind: 'ids', type, ids: [1] } as const;
    expect(planUnpublish(rows)).toStrictEqual([
      { kind: 'discount', rows },
      { kind: 'delete', rows: { ...rows, status: 'published' } },
      { kind: 'recount', rows },
    ]);
  });
});

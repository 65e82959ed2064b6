/**
 * @module Which operations a write of each kind of document becomes, and when it is rejected.
 */
import { describe, expect, it } from 'vitest';
import { MAX_ROW_BYTES } from '../../../src/common/d1-limits.ts';
import { isInsert, isPublish, isUpdate } from '../../../src/content/plan/model/op-kinds.ts';
import type { Current, WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import { refusal } from './support.ts';
import { errorsOf, planOf, printPlan, row, target, versionOf } from './write-support.ts';

const CREATE = { operation: 'create' } as const;
const DRAFT = { status: 'draft' } as const;
const OTHER = { documentId: 'source', locale: 'en' } as const;

describe('a write is planned', () => {
  const COVER = 'inherit en:';

  it.each<readonly [string, string, object, Partial<WriteRequest>, Partial<Current>, readonly string[]]>([
    ['a create', 'note', { rank: null }, CREATE, {}, ['insert published', 'recount']],
    [
      'with unique values',
      'note',
      { code: 'x', rank: 2 },
      CREATE,
      {},
      ['insert published', 'assert-unique', 'assert-unique', 'recount'],
    ],
    ['with a unique default', 'note', {}, CREATE, {}, ['insert published', 'assert-unique', 'recount']],
    ['with one in a component', 'home', { card: { code: 'x' } }, CREATE, {}, ['insert published', 'recount']],
    [
      'with one in a component',
      'note',
      { rank: null, card: { code: 'x' } },
      CREATE,
      {},
      ['insert published', 'assert-free', 'recount'],
    ],
    ['of components', 'coded', { part: {} }, CREATE, {}, ['insert published', 'assert-free', 'recount']],
    ['of components', 'coded', { part: {} }, {}, row('coded'), ['update published']],
    [
      'of a new locale with unique values',
      'place',
      {},
      {},
      { source: versionOf('place', { code: 'x', card: JSON.stringify({ id: 1, code: 'y' }) }, OTHER) },
      [
        ...['discount', 'insert published', `${COVER} places_cover_lnk`, 'share published'],
        'assert-unique',
        'assert-free',
        'recount',
      ],
    ],
    [
      'a draft with unique values',
      'story',
      { card: { code: 'y' } },
      { ...CREATE, ...DRAFT },
      {},
      ['insert draft', 'recount'],
    ],
    ['a draft without what is required', 'issue', {}, { ...CREATE, ...DRAFT }, {}, ['insert draft', 'recount']],
    ['an update', 'note', { title: 'a' }, {}, row('note', { rank: 1 }), ['update published']],
    ['with a unique value', 'note', { code: 'x' }, {}, row('note'), ['update published', 'assert-unique']],
    ['of a single type that does not exist', 'home', {}, {}, {}, ['insert published', 'recount']],
    ['a draft', 'story', { code: 'x' }, { ...CREATE, ...DRAFT }, {}, ['insert draft', 'recount']],
    ['a create that publishes', 'story', {}, CREATE, {}, ['insert draft', 'publish', 'recount']],
    [
      'with unique values',
      'story',
      { code: 'x', card: { code: 'y' } },
      CREATE,
      {},
      ['insert draft', 'publish', 'assert-unique', 'assert-free', 'recount'],
    ],
    ['an update of a draft', 'story', {}, DRAFT, row('story'), ['update draft']],
    ['of that of a published one', 'story', {}, DRAFT, row('story', {}, { isPublished: true }), ['update draft']],
    ['that publishes', 'story', {}, {}, row('story'), ['discount', 'update draft', 'publish', 'recount']],
    ['that publishes again', 'story', {}, {}, row('story', {}, { isPublished: true }), ['update draft', 'publish']],
    [
      'with links',
      'note',
      { rank: null, tags: ['a'], topics: ['t'] },
      CREATE,
      {},
      [
        'insert published',
        'link notes_tags_lnk published',
        'link notes_topics_lnk draft',
        'link notes_topics_lnk published',
        'recount',
      ],
    ],
    [
      'without links to remove',
      'note',
      { rank: null, tags: [], tag: null },
      CREATE,
      {},
      ['insert published', 'recount'],
    ],
    [
      'that removes all links',
      'note',
      { tags: [] },
      {},
      row('note'),
      ['update published', 'link notes_tags_lnk published'],
    ],
    [
      'of a new locale',
      'place',
      {},
      {},
      { source: versionOf('place', {}, OTHER) },
      ['discount', 'insert published', `${COVER} places_cover_lnk`, 'share published', 'recount'],
    ],
    [
      'with its own files',
      'place',
      { cover: 'f' },
      {},
      { source: versionOf('place', {}, OTHER) },
      ['discount', 'insert published', 'link places_cover_lnk published', 'share published', 'recount'],
    ],
    [
      'as the first locale has it',
      'place',
      {},
      {},
      { source: versionOf('place', {}, OTHER), original: versionOf('place', {}, OTHER) },
      ['discount', 'insert published', `${COVER} places_cover_lnk`, 'recount'],
    ],
    [
      'of a locale like the first',
      'place',
      { title: 'a' },
      {},
      { ...row('place'), original: versionOf('place', {}, OTHER) },
      ['update published'],
    ],
    [
      'unlike the first',
      'place',
      { code: 'x' },
      {},
      { ...row('place'), original: versionOf('place', {}, OTHER) },
      ['update published', 'share published', 'assert-unique'],
    ],
    [
      'of a new locale that publishes',
      'page',
      {},
      {},
      { source: versionOf('page', {}, OTHER) },
      ['discount', 'insert draft', `${COVER} pages_cover_lnk`, 'publish', 'share published', 'recount'],
    ],
    ['of the only locale', 'page', {}, CREATE, {}, ['insert draft', 'publish', 'recount']],
  ])('%s of a %s with %j', (_, name, data, more, current, kinds) => {
    expect(printPlan(planOf(name, data, more, current))).toEqual(kinds);
  });

  it.each<readonly [string, Partial<WriteRequest>, Partial<Current>, string]>([
    ['note', { documentId: 'sent' }, row('note'), 'd'],
    ['place', { documentId: 'sent' }, { source: versionOf('place', {}, OTHER) }, 'source'],
    ['home', { documentId: 'sent' }, {}, 'sent'],
    ['note', { ...CREATE, documentId: 'sent' }, {}, 'sent'],
  ])('as a %s with %j under its documentId', (name, more, current, documentId) => {
    const [op] = planOf(name, {}, more, current).filter((each) => isInsert(each) || isUpdate(each));
    expect(op?.row.document).toEqual({ kind: 'named', documentId });
  });

  it('at a later time than that of the row', () => {
    const times = [
      {},
      row('note', {}, { updatedAt: 4 }),
      row('note', {}, { updatedAt: 5 }),
      row('note', {}, { updatedAt: 9 }),
    ].map((current, index) => {
      const [op] = planOf('note', {}, index === 0 ? CREATE : {}, current);
      return op && 'now' in op && op.now;
    });
    expect(times).toEqual([5, 5, 6, 10]);
  });

  it('with the values of the row in what it publishes, and in place of them those that were sent', () => {
    const stored = versionOf('story', {
      title: 'old',
      code: 'c',
      card: JSON.stringify({ id: 1, label: 'l', topic: [{ documentId: 'u' }, { documentId: 't' }] }),
    });
    const innerTargets = new Map([['api::topic.topic', [target('t', 4), target('u', 5, { published: false })]]]);
    const plan = planOf('story', { title: 'new' }, {}, { row: stored, source: stored, innerTargets });
    const [update] = plan.filter(isUpdate);
    expect([...(update?.values ?? [])].map(([{ name }, value]) => [name, value])).toEqual([['title', 'new']]);
    const [publish] = plan.filter(isPublish);
    const [card] = [...(publish?.values.values() ?? [])].map((value) => JSON.parse(String(value)));
    expect(card).toEqual({
      id: expect.any(Number),
      label: 'l',
      code: undefined,
      topic: [{ documentId: 't', locale: '' }],
    });
    expect(card.id).toBeGreaterThan(99);
  });
});

describe('a write is rejected', () => {
  it('for a target that does not exist, before anything else', () => {
    expect(errorsOf('note', { tags: ['x'] }, {}, {}).message).toBe('Document with id "x", locale "null" not found');
  });

  it('if the document does not exist', () => {
    expect(refusal(() => planOf('note', {}, {}, {})).status).toBe(404);
    expect(refusal(() => planOf('place', {}, {}, {})).status).toBe(404);
  });

  it('for its positions last', () => {
    const topics = { connect: [{ documentId: 't', position: { after: 'u' } }] };
    expect(errorsOf('note', { topics }, {}, row('note')).message).toMatch(/^There was a problem connecting/);
    expect(errorsOf('note', { topics, title: 5 }, {}, row('note')).message).toMatch(/^title must be a `string`/);
  });

  it('for a row that is too large together with what is stored', () => {
    const large = row('story', { title: 'x'.repeat(3_000_000) });
    expect(errorsOf('story', { code: 'a' }, DRAFT, large).message).toMatch(/^The document is too large/);
    expect(() => planOf('story', { title: 'small' }, DRAFT, large)).not.toThrow();
    // Beside the text, a component that is null, and no spilled values.
    const longest = MAX_ROW_BYTES - 10_000 - 4 - 2;
    expect(() => planOf('coded', { body: 'x'.repeat(longest) }, CREATE, {})).not.toThrow();
    expect(() => planOf('coded', { body: 'x'.repeat(longest + 1) }, CREATE, {})).toThrow('The document is too large');
  });

  it('for what it publishes, with the path and value of each', () => {
    const taken = new Set(['code']);
    const UNIQUE = 'This attribute must be unique';
    expect(errorsOf('note', { code: 'x', title: 5 }, CREATE, { taken }).errors).toEqual([
      ['title', 'title must be a `string` type, but the final value was: `5`.', 5],
      ['code', UNIQUE, 'x'],
    ]);
    const source = versionOf('place', { code: 'x' }, OTHER);
    expect(errorsOf('place', {}, {}, { source, taken }).errors).toEqual([['code', UNIQUE, 'x']]);
    const inCard = versionOf('place', { card: JSON.stringify({ id: 1, code: 'y' }) }, OTHER);
    const takenAt = new Map([['card.code', new Set(['y'])]]);
    expect(errorsOf('place', {}, {}, { source: inCard, takenAt }).errors).toEqual([['card.code', UNIQUE, 'y']]);
    const city = versionOf('city', { kind: 'k' }, OTHER);
    expect(errorsOf('city', {}, {}, { source: city }).errors).toEqual([['extra', 'extra must be defined.', undefined]]);
    expect(() => planOf('page', {}, DRAFT, { source: versionOf('page', { code: 'x' }, OTHER), taken })).not.toThrow();
    expect(errorsOf('page', {}, {}, { source: versionOf('page', { code: 'x' }, OTHER), taken }).errors).toEqual([
      ['code', UNIQUE, 'x'],
    ]);
  });

  it.each<readonly [string, object]>([
    ['note', { rank: 1, publishedAt: '1970-01-01T00:00:00.005Z' }],
    ['story', { publishedAt: null }],
    ['place', { publishedAt: '1970-01-01T00:00:00.005Z', locale: 'fr' }],
  ])('for ids without a row, with all values of a %s', (name, more) => {
    const { errors } = errorsOf(name, { title: 'a', tags: [99], locale: 'x' }, CREATE, {});
    const message = '1 relation(s) of type api::tag.tag associated with this entity do not exist';
    expect(errors).toEqual([['', message, { title: 'a', tags: { set: [{ id: 99 }] }, ...more }]]);
  });
});

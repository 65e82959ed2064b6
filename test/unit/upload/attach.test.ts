/**
 * @module Which attribute a new file may become that of.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, type Grants, only } from '../../../src/access/grants.ts';
import { rulesOf } from '../../../src/access/rule.ts';
import { AssertionFailed } from '../../../src/content/sql/batch.ts';
import { constant } from '../../../src/content/sql/compiled.ts';
import { attachmentOf, withAttachment } from '../../../src/features/files/attach.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([
  contentType('gadget', { cover: { type: 'media' }, proof: { type: 'media', writable: false } }),
]);

const settings = parseSettings({});

const attached = (field: string) =>
  attachmentOf(
    new Map([
      ['ref', ['api::gadget.gadget']],
      ['refId', ['1']],
      ['field', [field]],
    ]),
    { registry, settings },
    { grants: EVERYTHING },
  ).decode([]);

describe('a file with ref, refId and field', () => {
  it('becomes that of a media attribute', () => {
    expect(attached('cover')).toMatchObject({ row: { id: 1 }, multiple: false, table: { name: 'gadgets_cover_lnk' } });
  });

  it.each([
    ['0', { kind: 'id', id: 0 }],
    [7, { kind: 'id', id: 7 }],
    ['-1', undefined],
    ['abc', undefined],
  ])('names a row by its id: %j', (refId, row) => {
    const fields = { ref: ['api::gadget.gadget'], refId: ['other', refId], field: ['cover'] };
    const read = attachmentOf(new Map(Object.entries(fields)), { registry, settings }, { grants: EVERYTHING });
    if (row) expect(read.decode([])).toMatchObject({ row, refId: String(refId) });
    else
      expect(() => read.decode([[{ exists: 0 }]])).toThrow(
        'Invalid refId. Expected the id or documentId of a document',
      );
  });

  it.each(['ref', 'refId', 'field'])('is attached to nothing without %s', (name) => {
    const fields = { ref: ['api::gadget.gadget'], refId: ['1'], field: ['cover'], [name]: [null] };
    const read = attachmentOf(new Map(Object.entries(fields)), { registry, settings }, { grants: EVERYTHING });
    expect(read.decode([])).toBeUndefined();
  });

  it.each([
    ['api::nope.nope', 'cover', EVERYTHING, 'Invalid ref. Expected the uid of a content type'],
    ['plugin::upload.file', 'related', EVERYTHING, 'Invalid ref. Expected the uid of a content type'],
    ['plugin::users-permissions.role', 'name', EVERYTHING, 'Invalid ref. Expected the uid of a content type'],
    ['plugin::users-permissions.user', 'username', EVERYTHING, 'Invalid field. Expected a media attribute of plugin::'],
    ['api::gadget.gadget', 'nope', EVERYTHING, 'Invalid field. Expected a media attribute of api::gadget.gadget'],
    ['api::gadget.gadget', 'cover', only(['api::gadget.gadget.find']), 'Forbidden'],
  ])('of %s, %s is rejected', (ref, field, grants, message) => {
    const fields = new Map(Object.entries({ ref: [ref], refId: ['1'], field: [field] }));
    expect(() => attachmentOf(fields, { registry, settings }, { grants })).toThrow(message);
  });

  it('is rejected for an attribute that no request may set', () => {
    expect(() => attached('proof')).toThrow('Invalid field. Expected a media attribute of api::gadget.gadget');
  });
});

describe('a file with the documentId of a document', () => {
  const cover = { type: 'media' };
  const both = registryOf([
    contentType('page', { cover, team: { type: 'string' } }, { localized: true, drafts: true }),
    contentType('place', { cover }, { localized: true }),
    contentType('story', { cover }, { drafts: true, plural: 'stories' }),
  ]);
  const document = 'a'.repeat(24);
  const localeOf = (code: string) => ({ code, name: code, isDefault: code === 'de' });
  const attachedTo = (name: string, grants: Grants = EVERYTHING) =>
    attachmentOf(
      new Map(Object.entries({ ref: [`api::${name}.${name}`], refId: [document], field: ['cover'] })),
      { registry: both, settings: parseSettings({ i18n: { locales: ['de', 'en'].map(localeOf) } }) },
      { grants },
    );

  it.each([
    ['page', 'de', 'draft'],
    ['place', 'de', 'published'],
    ['story', '', 'draft'],
  ])('is that of the version of a %s that writes change', (name, locale, status) => {
    expect(attachedTo(name).decode([[{ exists: 1 }]])).toMatchObject({ row: { kind: 'version', locale, status } });
  });

  it.each([
    ['is attached to one that it sees', [{ id: 1, locale: 'de', visible: 1, allowed: 1, published: 0 }], undefined],
    ['is attached to none', [], 'Invalid refId'],
    [
      'is attached to none that is hidden',
      [{ id: 1, locale: 'de', visible: 0, allowed: 1, published: 0 }],
      'Invalid refId',
    ],
    [
      'is attached to none that is hidden in the default locale',
      [
        { id: 1, locale: 'de', visible: 0, allowed: 1, published: 0 },
        { id: 2, locale: 'en', visible: 1, allowed: 1, published: 0 },
      ],
      'Invalid refId',
    ],
  ])('by a caller who sees some alone %s', (_, rows, error) => {
    const [update, find] = ['api::page.page.update', 'api::page.page.find'] as const;
    const rule = rulesOf([{ action: find, where: { team: 'a' } }])?.({ user: undefined, now: 0 });
    const grants: Grants = { ...only([update, find]), ...(rule && { rule }) };
    const read = attachedTo('page', grants);
    expect(read.statements).toHaveLength(2);
    if (error === undefined) expect(read.decode([rows, [{ exists: 1 }]])?.guards.length).toBeGreaterThan(0);
    else expect(() => read.decode([rows, [{ exists: 1 }]])).toThrow(error);
  });
});

describe('a change of a file that is attached', () => {
  const attachment = (refId: string) => {
    const fields = { ref: ['api::gadget.gadget'], refId: [refId], field: ['cover'] };
    const read = attachmentOf(new Map(Object.entries(fields)), { registry, settings }, { grants: EVERYTHING });
    const found = read.decode([[{ exists: 1 }]]);
    if (!found) throw new Error('there is no attachment');
    return found;
  };
  const [change, guard] = ['change', 'guard'].map((sql) => ({ sql, params: [] }) as never) as [never, never];
  const plan = { kind: 'update' } as never;
  const changed = (refId: string) =>
    withAttachment(
      { documentIds: ['f'], statements: [change], effectsOf: [plan], result: constant(1) },
      { ...attachment(refId), guards: [guard] },
    );

  it.each([
    ['7', 0],
    ['a'.repeat(24), 1],
  ])('of %s asserts what the link needs behind the change and before the link', (refId, assertions) => {
    const { statements, effectsOf, documentIds } = changed(refId);
    expect(documentIds).toEqual(['f']);
    expect(statements.slice(0, 2)).toEqual([change, guard]);
    const texts = statements.slice(2).map((statement) => JSON.stringify(statement));
    expect(texts.map((text) => text.includes('REF_ID'))).toEqual([...Array(assertions).fill(true), false, false]);
    expect(effectsOf).toEqual([
      plan,
      { kind: 'attach', table: expect.anything(), row: expect.anything(), files: ['f'], isList: false },
    ]);
  });

  it('has only its own effects if the change has none', () => {
    const { effectsOf } = withAttachment({ documentIds: ['f'], statements: [], result: constant(1) }, attachment('7'));
    expect(effectsOf?.map(({ kind }) => kind)).toEqual(['attach']);
  });

  it('explains only that its row is gone', () => {
    const { explain } = changed('a'.repeat(24));
    const [gone, conflict, other] = [
      new AssertionFailed('REF_ID'),
      new AssertionFailed('CONFLICT'),
      new Error('REF_ID'),
    ];
    expect(explain?.(gone)).toMatchObject({ message: expect.stringMatching(/^Invalid refId/) });
    for (const failure of [conflict, other, Object.assign(other, { code: 'REF_ID' })])
      expect(explain?.(failure)).toBe(failure);
  });
});

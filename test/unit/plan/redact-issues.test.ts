/**
 * @module What a refusal tells of values that nobody may read.
 */
import { describe, expect, it } from 'vitest';
import { ApiError, toErrorBody } from '../../../src/common/errors.ts';
import type { StoredValues } from '../../../src/content/plan/model/write-plan.ts';
import type { WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import { planWrite } from '../../../src/content/plan/write/plan-write.ts';
import type { Stored } from '../../../src/schema/fields.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';

const hidden = { note: { type: 'string', private: true, minLength: 99 }, pin: { type: 'password', maxLength: 4 } };
const registry = registryOf(
  [
    contentType(
      'thing',
      {
        ...hidden,
        name: { type: 'string', minLength: 9 },
        code: { type: 'string', unique: true, private: true },
        kind: { type: 'enumeration', enum: ['a'], private: true },
        fallback: { type: 'string', private: true, default: 'canary by default' },
        other: { type: 'relation', relation: 'oneToOne', target: 'api::thing.thing' },
        part: { type: 'component', component: 'parts.part' },
        parts: { type: 'component', component: 'parts.part', repeatable: true, min: 3 },
        extra: { type: 'json' },
        linked: { type: 'component', component: 'parts.linked' },
        secretPart: { type: 'component', component: 'parts.open', private: true },
        zone: { type: 'dynamiczone', components: ['parts.part', 'parts.open', 'parts.linked'], min: 3 },
      },
      { drafts: true },
    ),
  ],
  [
    component('parts.part', { ...hidden, label: { type: 'string', minLength: 9 } }),
    component('parts.linked', { to: { type: 'relation', relation: 'oneToMany', target: 'api::thing.thing' } }),
    component('parts.open', { label: { type: 'string', minLength: 99 } }),
  ],
);
const type = registry.contentTypes.get('api::thing.thing');
if (!type) throw new Error('the type was not built');

const means = { time: 5, nextId: () => 1, hashPassword: () => 'scrypt$canary' };

/** Errors of a write to a draft that holds these columns. */
function errorsOf(
  data: Readonly<Record<string, unknown>>,
  columns: Readonly<Record<string, Stored>>,
  taken = '',
  operation = 'update',
) {
  const values = new Map([...(type?.attributes.values() ?? [])].map((item) => [item, columns[item.name] ?? null]));
  const row = { documentId: 'a', locale: '', status: 'draft', values: values as never as StoredValues, updatedAt: 1 };
  const request = {
    registry,
    strictRelations: true,
    allIssues: false,
    type,
    documentId: 'a',
    locale: '',
    defaultLocale: 'en',
    status: 'published',
    operation,
    data,
  } as WriteRequest;
  const current = {
    row,
    ...{ taken: new Set([taken]), equalEnds: new Set(), targets: new Map(), links: new Map() },
  } as never;
  try {
    planWrite(request, current, means);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { errors } = toErrorBody(error.problem).error.details ?? {};
    return errors as readonly { path: string[]; message: string; value?: unknown }[];
  }
  return [];
}

const PART = { id: 1, label: 'short', note: 'canary note', pin: 'scrypt$canary' };
const about = (errors: ReturnType<typeof errorsOf>, ...path: string[]) =>
  errors.find((error) => error.path.join('.') === path.join('.'));

describe('a refusal to publish', () => {
  it.each([
    ['a private text that is too short', { note: 'canary' }, ['note']],
    ['a private text of the wrong value', { kind: 'canary' }, ['kind']],
    ['a private text in a component', { part: JSON.stringify(PART) }, ['part', 'note']],
    ['a private text in a list of components', { parts: JSON.stringify([PART]) }, ['parts', '0', 'note']],
    [
      'a private text in a zone',
      { zone: JSON.stringify([{ ...PART, __component: 'parts.part' }]) },
      ['zone', '0', 'note'],
    ],
    [
      'a text in a private component',
      { secretPart: JSON.stringify({ id: 1, label: 'canary' }) },
      ['secretPart', 'label'],
    ],
  ])('tells the rule of %s, and not the value', (_, columns, path) => {
    const errors = errorsOf({}, columns);
    expect(Object.keys(about(errors, ...path) ?? {}).toSorted()).toEqual(['message', 'name', 'path']);
    expect(JSON.stringify(errors)).not.toContain('canary');
  });

  it('tells that a private value is taken, and not the value', () => {
    const errors = errorsOf({}, { code: 'canary' }, 'code');
    expect(about(errors, 'code')?.message).toBe('This attribute must be unique');
    expect(JSON.stringify(errors)).not.toContain('canary');
  });

  it('shows components that are too few without what is private in them', () => {
    const zone = JSON.stringify([{ ...PART, __component: 'parts.part' }]);
    const errors = errorsOf({}, { parts: JSON.stringify([PART]), zone });
    expect(about(errors, 'parts')?.value).toEqual([{ id: 1, label: 'short' }]);
    expect(about(errors, 'zone')?.value).toEqual([{ id: 1, label: 'short', __component: 'parts.part' }]);
    expect(JSON.stringify(errors)).not.toContain('canary');
  });

  it('shows values that everybody may read', () => {
    expect(about(errorsOf({}, { name: 'short' }), 'name')?.value).toBe('short');
  });

  it('tells no private value or hash for which the body has another in its place', () => {
    const sent = [{ id: 1, note: 'mine', pin: 'mine' }, { id: 1 }];
    const errors = errorsOf(
      { parts: sent, part: { id: 1, pin: 'mine' } },
      { parts: JSON.stringify([PART]), part: JSON.stringify(PART) },
    );
    expect(about(errors, 'parts')?.value).toEqual([{ id: 1, label: 'short' }]);
    expect(JSON.stringify(errors)).not.toContain('canary');
  });

  it('has no rule for a password that is hashed, wherever it stands', () => {
    const parts = JSON.stringify([PART, PART, PART].map((part) => ({ ...part, note: null, label: 'long enough' })));
    expect(errorsOf({}, { pin: 'scrypt$canary', parts })).toEqual([]);
  });
});

describe('a refusal of a draft', () => {
  it('shows what the client itself has sent', () => {
    expect(about(errorsOf({ kind: 'mine' }, { kind: 'canary' }), 'kind')?.value).toBe('mine');
  });

  it('shows relations of components as those of the type', () => {
    const errors = errorsOf({ other: '', linked: { to: [] }, zone: [{ __component: 'parts.linked', to: [] }] }, {});
    expect(about(errors)?.value).toEqual({
      other: { set: [{ documentId: '' }] },
      linked: { to: { set: [] } },
      zone: [{ __component: 'parts.linked', to: { set: [] } }],
      publishedAt: null,
    });
  });

  it.each([
    ['JSON as it was sent', { extra: '{"a":1}' }, { extra: '{"a":1}' }],
    ['lists of targets in one', { other: [[]] }, { other: { set: [] } }],
    ['a component that is named by a number', { zone: [{ __component: 5 }] }, { zone: [{ __component: '5' }] }],
    ['nothing for what is no component', { zone: ['x'] }, { zone: [null] }],
  ])('shows %s', (_, data, value) => {
    const errors = errorsOf({ linked: { to: '' }, ...data }, {});
    expect(about(errors)?.value).toMatchObject(value);
  });

  it.each([
    [null, ['must be a `string` type, but the final value was: `null`.', 'must be one of']],
    [{}, ['must be a `string` type, but the final value was: `{}`.', 'must be one of']],
    ['', ['must be one of']],
    [undefined, ['is a required field']],
  ])('tells what is wrong with %j as the name of a component', (uid, messages) => {
    const errors = errorsOf({ zone: [{ __component: uid }] }, {});
    const told = errors.filter(({ path }) => path.at(-1) === '__component').map(({ message }) => message);
    expect(told).toEqual(messages.map((text) => expect.stringContaining(`zone[0].__component ${text}`)));
  });

  it('shows the input without private defaults', () => {
    const errors = errorsOf({ other: '', name: 'sent' }, {}, '', 'create');
    expect(errors[0]).toMatchObject({ path: [], message: 'Invalid relations', value: { name: 'sent' } });
    expect(JSON.stringify(errors)).not.toContain('canary');
  });
});

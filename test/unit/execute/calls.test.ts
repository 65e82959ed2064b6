/**
 * @module What follows from a call alone: its actor, its keys in caches, its right to source maps.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, type Grants, only } from '../../../src/access/grants.ts';
import type { Credential } from '../../../src/content/credentials/credential.ts';
import { documentKeys, listKeys, lookupKeys } from '../../../src/content/runtime/cache-keys.ts';
import { actorOf, type Call, rejectsMixedRelations } from '../../../src/content/runtime/call.ts';
import type { ContentCall, Format } from '../../../src/content/runtime/content-call.ts';
import { withGrantedSourceMaps, withoutLostMaps } from '../../../src/content/runtime/granted-source-maps.ts';
import { namedDocument } from '../../../src/schema/document-ref.ts';
import type { Lookup } from '../../../src/schema/lookup.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([
  contentType('note', { code: { type: 'string', unique: true } }),
  contentType('story', {}, { drafts: true, plural: 'stories' }),
]);
const callOf = (uid = 'api::note.note', more: Partial<ContentCall> = {}): ContentCall =>
  ({
    format: 'v5',
    pathname: '/api/x',
    search: '?sort=a',
    type: registry.contentTypes.get(uid),
    ...more,
  }) as ContentCall;

describe('the actor of a write', () => {
  const TOKEN = { kind: 'token', key: 'k' } as Credential;
  const CODE: Credential = { kind: 'code', grants: EVERYTHING };
  const schedule = { madeBy: 'somebody' };
  it.each([
    ['an account', { credential: TOKEN }, TOKEN],
    ['an account, also in a schedule', { credential: TOKEN, schedule }, TOKEN],
    ['code of the project', { credential: CODE }, CODE],
    ['a schedule', { credential: CODE, schedule }, { kind: 'schedule', madeBy: 'somebody' }],
  ])('is %s', (_, call, actor) => {
    expect(actorOf(call as Call)).toEqual(actor);
  });

  it('is never a preview', () => {
    expect(() => actorOf({ credential: { kind: 'preview' } } as unknown as Call)).toThrow('A preview makes no writes');
  });
});

it.each([
  [undefined, 'strapi', false],
  [false, 'strapi', false],
  [true, 'strapi', true],
  [undefined, 'reject', true],
] as const)('a tool (%s) with mixedRelations %j rejects mixed relations: %s', (isOfTool, mixedRelations, rejects) => {
  const settings = parseSettings({ api: { documents: { mixedRelations } } });
  expect(rejectsMixedRelations({ settings, isOfTool })).toBe(rejects);
});

describe('keys of caches', () => {
  const lookup = (name: string, value: string) => ({ attribute: { name }, value }) as unknown as Lookup;
  const document = namedDocument('a');
  it('are one plan for all documents, and another for each attribute, shape, format and query', () => {
    const plans = [
      listKeys(callOf()),
      listKeys(callOf('api::story.story')),
      listKeys(callOf(undefined, { format: 'v4' })),
      listKeys(callOf(undefined, { search: '' })),
      documentKeys({ ...callOf(), document }),
      lookupKeys({ ...callOf(), lookup: lookup('code', 'a') }),
      lookupKeys({ ...callOf(), lookup: lookup('slug', 'a') }),
      lookupKeys({ ...callOf(), lookup: undefined }),
    ].map(({ planKey }) => planKey);
    expect(new Set(plans).size).toBe(plans.length);
    expect(documentKeys({ ...callOf(), document: namedDocument('b') }).planKey).toBe(plans[4]);
    expect(lookupKeys({ ...callOf(), lookup: lookup('code', 'b') }).planKey).toBe(plans[5]);
  });

  it('have what the path names', () => {
    expect(listKeys(callOf()).named).toBeNull();
    expect(documentKeys({ ...callOf(), document }).named).toBe('a');
    expect(lookupKeys({ ...callOf(), lookup: lookup('code', 'b') }).named).toBe('b');
    expect(lookupKeys({ ...callOf(), lookup: undefined }).named).toBeNull();
  });

  it.each<[Format, true | undefined]>([
    ['v5', undefined],
    ['v4', undefined],
    ['v5-mapped', true],
  ])('of %s say that it has source maps: %s', (format, isMapped) => {
    expect(listKeys(callOf(undefined, { format })).isMapped).toBe(isMapped);
  });
});

describe('source maps', () => {
  const [note, story] = ['api::note.note', 'api::story.story'];
  const previewWith = (drafts: boolean): Grants => ({
    ...only([]),
    rule: () => ({ key: '', caller: { user: undefined, now: 0 }, drafts }),
    previewed: story,
  });
  it.each<readonly [string, string, Grants, boolean]>([
    ['may read drafts', story, only([`${story}.readDrafts`]), true],
    ['may only update', story, only([`${story}.update`]), false],
    ['may update a type without drafts', note, only([`${note}.update`]), true],
    ['may only read a type without drafts', note, only([`${note}.readDrafts`, `${note}.find`]), false],
    ['has a preview of a draft', story, previewWith(true), true],
    ['has a preview of what is published', story, previewWith(false), false],
  ])('of a caller who %s', (_, uid, grants, isGranted) => {
    const call = callOf(uid, { format: 'v5-mapped' });
    expect(withGrantedSourceMaps(call, { grants })).toEqual(isGranted ? call : { ...call, format: 'v5' });
    const stored = { title: 'a' };
    expect(withoutLostMaps(call, { grants }, stored) === stored).toBe(isGranted);
  });

  it.each(['v4', 'v5'] as const)('that nobody asked for leave %s as it is', (format) => {
    const call = callOf(note, { format });
    expect(withGrantedSourceMaps(call, { grants: only([]) })).toBe(call);
  });
});

/**
 * @module Keys of a body that no write may set.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, type Grants } from '../../../src/access/grants.ts';
import { checkKeys } from '../../../src/content/plan/validate/validate-keys.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { recordedRegistry, typeAt } from '../../support/recorded-registry.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { refusal } from './support.ts';

const tags = typeAt('tags');
const articles = typeAt('articles');
const keysOf = (data: Record<string, unknown>, type: ContentType, registry = recordedRegistry) =>
  checkKeys(data, type, registry, EVERYTHING, { isRestoring: false, emptySetClears: false });
const refused = (data: Record<string, unknown>) => refusal(() => keysOf(data, tags));

describe('keys of a body', () => {
  it.each(['id', 'documentId'])('%s is refused without a path', (key) => {
    expect(refused({ name: 'a', [key]: 1 })).toEqual({
      status: 400,
      name: 'ValidationError',
      message: `Invalid key ${key}`,
      details: { key, source: 'body' },
    });
  });

  it.each(['createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'localizations'])(
    '%s is refused with its path',
    (key) => {
      expect(refused({ [key]: 1 })).toMatchObject({
        message: `Invalid key ${key}`,
        details: { key, path: key, source: 'body' },
      });
    },
  );

  it.each(['nope', 'status', 'Name', '__proto__', 'constructor', ''])('%j is unknown and refused', (key) => {
    const data = JSON.parse(`{${JSON.stringify(key)}: 1}`) as Record<string, unknown>;
    expect(refused(data)).toMatchObject({ message: `Invalid key ${key}`, details: { key, path: null } });
  });

  it('are told one at a time: identifiers, then what the server sets, then what is unknown', () => {
    expect(refused({ nope: 1, createdAt: 1, id: 1 }).details).toMatchObject({ key: 'id' });
    expect(refused({ nope: 1, createdAt: 1 }).details).toMatchObject({ key: 'createdAt' });
    expect(refused({ nope: 1, neither: 1 }).details).toMatchObject({ key: 'nope' });
  });

  it('are told in the order of the body, those of targets among them', () => {
    const first = (data: Record<string, unknown>) => refusal(() => keysOf(data, articles)).details;
    expect(first({ author: { x: 1 }, nope: 1 })).toMatchObject({ key: 'x', path: 'author' });
    expect(first({ nope: 1, author: { x: 1 } })).toMatchObject({ key: 'nope', path: null });
  });

  it('may name publishedAt and locale', () => {
    expect(() => keysOf({ publishedAt: null, locale: 'fr' }, tags)).not.toThrow();
  });

  it('may name private attributes and passwords, which are written though never shown', () => {
    expect(() => keysOf({ internalNotes: 'a', accessCode: 'b', editorRank: 1 }, articles)).not.toThrow();
  });
});

describe('keys that no body may set', () => {
  const closed = { type: 'string', writable: false };
  const registry = registryOf(
    [
      contentType('gadget', {
        serial: closed,
        part: { type: 'component', component: 'gear.part' },
        parts: { type: 'component', component: 'gear.part', repeatable: true },
        zone: { type: 'dynamiczone', components: ['gear.part'] },
        sealed: { type: 'component', component: 'gear.part', writable: false },
        picture: { type: 'media', writable: false },
        twin: { type: 'relation', relation: 'oneToOne', target: 'api::gadget.gadget', writable: false },
        maker: { type: 'relation', relation: 'manyToOne', target: 'api::gadget.gadget' },
      }),
    ],
    [component('gear.part', { number: closed, serial: { type: 'string' } })],
  );
  const gadget = registry.contentTypes.get('api::gadget.gadget');
  const check = (data: Record<string, unknown>) => gadget && keysOf(data, gadget, registry);

  it.each([
    [{ serial: null }, 'serial'],
    [{ twin: { connect: [] } }, 'twin'],
    [{ picture: 1 }, 'picture'],
    [{ sealed: { serial: 'a' } }, 'sealed'],
    [{ part: { number: '1' } }, 'part.number'],
    [{ parts: [{ serial: 'a' }, { number: '1' }] }, 'parts.number'],
    [{ zone: [{ __component: 'gear.part', number: '1' }] }, 'zone.number'],
    [{ nope: 1, part: { nope: 1, number: 1 } }, 'part.number'],
  ])('are refused in a type and in its components: %j', (data, path) => {
    expect(refusal(() => check(data)).details).toEqual({ key: path.split('.').at(-1), path, source: 'body' });
  });

  it('may be keys of what stands elsewhere', () => {
    expect(() => check({ part: { serial: 'a' }, maker: { serial: 'a', documentId: 'b' } })).not.toThrow();
  });

  it('may be set by a restored version', () => {
    const options = { isRestoring: true, emptySetClears: false };
    expect(() => gadget && checkKeys({ serial: 'a' }, gadget, registry, EVERYTHING, options)).not.toThrow();
  });
});

describe('keys of relations', () => {
  const TAG = 'api::tag.tag';
  const A = { __type: TAG, documentId: 'a' };
  const SECRET = { __type: 'api::secret.secret', documentId: 'a' };
  const registry = registryOf(
    [
      contentType('thing', {
        list: { type: 'relation', relation: 'morphToMany' },
        one: { type: 'relation', relation: 'morphToOne' },
        tag: relation('manyToOne', 'tag'),
        secret: relation('manyToOne', 'secret'),
        cover: { type: 'media' },
        extra: { type: 'json' },
        part: { type: 'component', component: 'parts.part' },
        zone: { type: 'dynamiczone', components: ['parts.part'] },
      }),
      contentType('tag', { title: { type: 'string' } }),
      contentType('secret', { title: { type: 'string' } }),
    ],
    [component('parts.part', { title: { type: 'string' }, secret: relation('oneToOne', 'secret') })],
  );
  const thing = registry.contentTypes.get('api::thing.thing') as ContentType;
  const grants: Grants = { allows: (action) => !action.startsWith('api::secret.') };

  /** Returns the rejected key with its path; undefined for none. */
  function rejected(data: Record<string, unknown>, emptySetClears = false): string | undefined {
    const check = () => checkKeys(data, thing, registry, grants, { isRestoring: false, emptySetClears });
    try {
      check();
    } catch {
      const { key, path } = refusal(check).details as { key: string; path: string | null };
      return path?.endsWith(key) ? path : `${path ?? ''}: ${key}`;
    }
    return undefined;
  }

  it.each<readonly [unknown, string | undefined]>([
    [[A], undefined],
    [[], undefined],
    [[{ __type: 'plugin::users-permissions.user', id: 1 }], undefined],
    [[{ documentId: 'a' }], 'list'],
    [[{ ...A, __type: 5 }], 'list'],
    [[{ ...A, __type: 'admin::session' }], 'list'],
    [[SECRET], 'list'],
    [[A, SECRET], 'list'],
    [[[A]], 'list'],
    [{ connect: [A] }, undefined],
    [{ disconnect: [A] }, undefined],
    [{ set: [A] }, undefined],
    [{ connect: [A], disconnect: null }, undefined],
    [{ connect: A }, 'list'],
    [{ connect: [A], disconnect: [SECRET] }, 'list'],
    [{ connect: [A], set: [SECRET] }, 'list'],
    [{ connect: [SECRET], set: [A] }, 'list'],
    [{ options: {} }, undefined],
    [{ connect: [A], options: null }, undefined],
    [{ connect: [A], options: 5 }, 'list'],
    [{ connect: [A], options: { strict: false } }, undefined],
    [{ connect: [A], options: { strict: 5 } }, 'list: strict'],
    [{ connect: [A], options: { strict: true, loose: true } }, 'list: loose'],
    [A, 'list'],
    [{ ...A, options: {} }, undefined],
    [{ ...A, options: {}, set: [] }, 'list'],
    [null, 'list'],
    [true, undefined],
    [false, 'list'],
    ['a', 'list'],
    [{ connect: [{ ...A, position: { before: 'b' } }] }, undefined],
    [{ connect: [{ ...A, position: { before: 'b', __type: null } }] }, undefined],
    [{ connect: [{ ...A, position: { before: 'b', __type: TAG } }] }, undefined],
    [{ connect: [{ ...A, position: { before: 'b', __type: SECRET.__type } }] }, 'list'],
    [[{ ...A, id: 1, title: 'a', connect: [], options: {} }], undefined],
    [[{ ...A, nope: 1 }], 'list: nope'],
    [[{ __type: 'api::nope.nope', nope: 1 }], 'list: nope'],
  ])('of several types are checked in a list: %j: %s', (list, key) => {
    expect(rejected({ list })).toBe(key);
  });

  it.each<readonly [unknown, string | undefined]>([
    [A, undefined],
    [[A], undefined],
    [null, undefined],
    [{ ...A, connect: [] }, undefined],
    [{ connect: [A] }, undefined],
    [{ set: A }, 'one'],
    [true, 'one'],
    ['a', 'one'],
    [SECRET, 'one'],
    [{ ...A, nope: 1 }, 'one: nope'],
    [{ nope: 1 }, 'one'],
  ])('of several types are checked in a single one: %j: %s', (one, key) => {
    expect(rejected({ one })).toBe(key);
  });

  it('of several types may be null in a list, where that clears it', () => {
    expect(rejected({ list: null }, true)).toBeUndefined();
  });

  it.each<readonly [Record<string, unknown>, string | undefined]>([
    [{ tag: { id: 1, documentId: 'a', title: 'b' } }, undefined],
    [{ tag: { connect: [], disconnect: [], set: [], options: {} } }, undefined],
    [{ tag: [null, 5, 'a'] }, undefined],
    [{ tag: ['a', { nope: 1 }] }, 'tag: nope'],
    [{ cover: { id: 1, name: 'a' } }, undefined],
    [{ cover: { nope: 1 } }, 'cover: nope'],
    [{ extra: { nope: 1 } }, undefined],
    [{ part: { id: 1, documentId: 'a', title: 'b' } }, undefined],
    [{ part: { __component: 'parts.part' } }, 'part: __component'],
    [{ zone: [{ __component: 'parts.part', id: 1 }] }, undefined],
    [{ zone: [{ __component: 'parts.part', nope: 1 }] }, 'zone: nope'],
    [{ zone: [{ __component: 'parts.nope', nope: 1 }] }, undefined],
    [{ secret: 'a' }, 'secret'],
    [{ part: { secret: 'a' } }, 'part.secret'],
    [{ zone: [{ __component: 'parts.part', secret: null }] }, 'zone.secret'],
  ])('and of components are checked: %j: %s', (data, key) => {
    expect(rejected(data)).toBe(key);
  });
});

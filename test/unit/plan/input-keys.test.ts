/**
 * @module Keys of a body that no write may set.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING } from '../../../src/access/grants.ts';
import { checkKeys } from '../../../src/content/plan/validate/validate-keys.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { recordedRegistry, typeAt } from '../../support/recorded-registry.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
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
});

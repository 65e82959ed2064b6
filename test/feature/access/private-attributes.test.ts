/**
 * @module `private=true`: private attributes of one document, for callers who are granted `readPrivate` by its name.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { createToken } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const secret = { type: 'string', private: true };
const part = { type: 'component', component: 'kit.part' };
const registry = registryOf(
  [
    contentType(
      'note',
      {
        ...{ title: { type: 'string' }, secret, pin: { type: 'password' }, part },
        zone: { type: 'dynamiczone', components: ['kit.part'] },
        other: relation('oneToOne', 'other'),
        keeper: relation('oneToOne', 'other', { private: true }),
      },
      { drafts: true },
    ),
    contentType('other', { title: { type: 'string' }, secret, part }),
  ],
  [component('kit.part', { text: { type: 'string' }, hint: secret, pin: { type: 'password' } })],
);
const READS = ['api::note.note.find', 'api::note.note.findOne'];
const READ_PRIVATE = 'api::note.note.readPrivate';
const { client: full, send } = openWorld(registry);
const PART = { text: 'seen', hint: 'hidden hint', pin: 'hidden pin' };
const OTHER = { title: 'other', secret: 'hidden of other', part: { ...PART, hint: 'hidden hint of other' } };
let path = '';

beforeAll(async () => {
  await createToken('named', 'full-access', [READ_PRIVATE]);
  await createToken('reader', 'read-only', [READ_PRIVATE]);
  await createToken('custom', 'custom', [...READS, READ_PRIVATE, 'api::other.other.find']);
  const [other, keeper] = await Promise.all(
    [OTHER, { title: 'keeper' }].map(async (data) => (await documentOf(full.create('/api/others', data))).documentId),
  );
  const data = { title: 'note', secret: 'hidden', pin: 'hidden pin', part: PART, other, keeper };
  const zone = [{ __component: 'kit.part', ...PART }];
  path = `/api/notes/${(await documentOf(full.create('/api/notes', { ...data, zone }))).documentId}`;
});

const PARTS = 'populate[part]=true&populate[zone][on][kit.part]=true';
const ALL = `${PARTS}&populate[other][populate]=*&populate[keeper]=true`;

describe('with private=true', () => {
  it.each(['named', 'reader', 'custom'])('%s, which names readPrivate, sees all but passwords', async (token) => {
    const client = clientOf(send, token);
    const response = await client.get(`${path}?private=true&${ALL}`);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const { secret: shown, pin, part: own, zone, other, keeper } = await documentOf(Promise.resolve(response));
    expect({ shown, pin, own, zone }).toMatchObject({
      ...{ shown: 'hidden', pin: undefined, own: { text: 'seen', hint: 'hidden hint' } },
      zone: [{ text: 'seen', hint: 'hidden hint' }],
    });
    expect(keeper).toMatchObject({ title: 'keeper' });
    expect(other).toMatchObject({ title: 'other', part: { text: 'seen' } });
    expect(JSON.stringify([own, zone, other])).not.toMatch(/of other|scrypt|hidden pin/);
  });

  it.each([
    ['a list', () => '/api/notes?private=true', 'Invalid key private'],
    ['another value', () => `${path}?private=yes`, "Invalid parameter at 'private'. Expected 'true' or 'false'"],
    ['fields of a password', () => `${path}?private=true&fields=pin`, 'Invalid key pin'],
  ])('%s is rejected', async (_, at, message) => {
    expect(await errorOf(clientOf(send, 'named').get(at()))).toMatchObject({ status: 400, message });
  });
});

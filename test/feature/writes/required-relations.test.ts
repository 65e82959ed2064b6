/**
 * @module Required relations and files of types without drafts, which are checked with each write, and of a locale that
 * is new to its document.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { TWO_LOCALES } from '../../support/locales.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { uploadOne } from '../../support/uploads.ts';
import { openWorld } from '../../support/world.ts';

const relation = (kind: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target: 'api::tag.tag', required: true },
  ...more,
});
const image = { type: 'media', multiple: false, required: true };
const inLocales = { pluginOptions: { i18n: { localized: true } } };

const registry = registryOf([
  contentType('tag', { name: { type: 'string' } }),
  contentType('note', { main: relation('manyToOne'), tags: relation('manyToMany') }),
  contentType('sign', { page: { ...relation('manyToOne'), target: 'api::page.page' } }, { drafts: true }),
  contentType('card', { image, text: { type: 'string', ...inLocales } }, { localized: true }),
  contentType('page', { image, text: { type: 'string', ...inLocales } }, { localized: true, drafts: true }),
]);
const { client, send } = openWorld(registry, TWO_LOCALES);
let tag = '';
let file = 0;

beforeAll(async () => {
  tag = (await documentOf(client.create('/api/tags', { name: 'one' }))).documentId;
  file = (await uploadOne(send, { name: 'a.txt', type: 'text/plain', bytes: 'a' })).id;
});

/** What is said of a write, or its status. */
async function saidOf(response: Promise<Response>): Promise<string> {
  const answer = await response;
  if (answer.ok) return String(answer.status);
  const { error } = (await answer.json()) as { error: { message: string } };
  return error.message;
}

describe.each(['main', 'tags'])('a required relation, %s', (name) => {
  const whole = () => ({ main: tag, tags: [tag] });
  const missing = `${name} must be defined.`;

  it.each([undefined, null, [], { connect: [] }, { set: [] }, {}, { disconnect: [] }])(
    'that a new document has as %j',
    async (value) => {
      expect(await saidOf(client.create('/api/notes', { ...whole(), [name]: value }))).toBe(missing);
    },
  );

  it.each([null, [], { set: [] }])('that is emptied by %j', async (value) => {
    const { documentId } = await documentOf(client.create('/api/notes', whole()));
    expect(await saidOf(client.update(`/api/notes/${documentId}`, { [name]: value }))).toBe(missing);
  });

  it('that loses its only target', async () => {
    const { documentId } = await documentOf(client.create('/api/notes', whole()));
    const input = { [name]: { disconnect: [tag] } };
    expect(await saidOf(client.update(`/api/notes/${documentId}`, input))).toBe(missing);
  });

  it.each([
    ['', 'Invalid relations'],
    [{ documentId: null }, 'Invalid relations'],
    [99_999, '1 relation(s) of type api::tag.tag associated with this entity do not exist'],
  ])('whose target %j is none, which alone is told', async (value, message) => {
    expect(await saidOf(client.create('/api/notes', { ...whole(), [name]: value }))).toBe(message);
    const { documentId } = await documentOf(client.create('/api/notes', whole()));
    expect(await saidOf(client.update(`/api/notes/${documentId}`, { [name]: value }))).toBe(message);
  });
});

it.each(['cards', 'pages'])('a required file is there in a locale that is new to one of the %s', async (plural) => {
  const { documentId } = await documentOf(client.create(`/api/${plural}`, { image: file, text: 'One' }));
  const path = `/api/${plural}/${documentId}?locale=fr&populate=image`;
  expect(await documentOf(client.update(path, { text: 'Une' }))).toMatchObject({ text: 'Une', image: { id: file } });
  expect(await saidOf(client.update(path, { image: null }))).toBe('image must be defined.');
});

it('a required relation is there when it is named by the number of the draft', async () => {
  const { documentId } = await documentOf(client.create('/api/pages', { image: file }));
  const { id } = await documentOf(client.get(`/api/pages/${documentId}?status=draft`));
  expect(await saidOf(client.create('/api/signs', { page: id }))).toBe('200');
  expect(await saidOf(client.create('/api/signs', { page: documentId }))).toBe('200');
});

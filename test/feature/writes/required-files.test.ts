/**
 * @module A required file is checked in a locale that is new to its document, too.
 */
import { beforeAll, expect, it } from 'vitest';
import { documentOf, errorOf } from '../../support/client.ts';
import { TWO_LOCALES } from '../../support/locales.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { uploadOne } from '../../support/uploads.ts';
import { openWorld } from '../../support/world.ts';

const attributes = {
  image: { type: 'media', multiple: false, required: true },
  text: { type: 'string', pluginOptions: { i18n: { localized: true } } },
};
const registry = registryOf([
  contentType('card', attributes, { localized: true }),
  contentType('page', attributes, { localized: true, drafts: true }),
]);
const { client, send } = openWorld(registry, TWO_LOCALES);
let file = 0;

beforeAll(async () => {
  file = (await uploadOne(send, { name: 'a.txt', type: 'text/plain', bytes: 'a' })).id;
});

it.each(['cards', 'pages'])('a required file is there in a locale that is new to one of the %s', async (plural) => {
  const { documentId } = await documentOf(client.create(`/api/${plural}`, { image: file, text: 'One' }));
  const path = `/api/${plural}/${documentId}?locale=fr&populate=image`;
  expect(await documentOf(client.update(path, { text: 'Une' }))).toMatchObject({ text: 'Une', image: { id: file } });
  expect((await errorOf(client.update(path, { image: null }))).message).toBe('image must be defined.');
});

/**
 * @module The schemas of the content-type-builder, as far as no recorded content type has them.
 */
import { expect, it } from 'vitest';
import { builderSchemas } from '../../../src/features/description/content-type-builder.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

it.each([
  [false, { configurable: false }],
  [true, {}],
])('says of a media attribute that it is locked: configurable %j', (configurable, more) => {
  const { contentTypes } = builderSchemas(
    registryOf([contentType('note', { cover: { type: 'media', configurable } })]),
  );
  const note = contentTypes.find(({ uid }) => uid === 'api::note.note');
  const cover = { type: 'media', multiple: false, required: false, private: false, ...more };
  expect(note?.schema.attributes).toEqual({ cover });
});

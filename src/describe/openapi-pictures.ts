/**
 * @module Pictures on request in the OpenAPI document.
 */
import type { PartDescription } from './granted-operation.ts';
import { text } from './json-schema.ts';

const upTo = (maximum: number) => ({ type: 'integer', minimum: 1, maximum });
const pictureParameter = (name: string, schema: object, description: string) => ({
  name,
  in: 'query',
  schema,
  description,
});

export const PICTURES: PartDescription = {
  documentPaths: () => [],
  bytesParameters: [
    pictureParameter('w', upTo(99_999), 'Width of a picture, rounded up to one of `upload.widths`'),
    pictureParameter('h', upTo(99_999), 'Height, with `w`; the ratio is rounded'),
    pictureParameter(
      'fit',
      { ...text, enum: ['cover', 'contain'], default: 'contain' },
      '`cover` crops around the focal point',
    ),
    pictureParameter('f', { ...text, enum: ['webp', 'avif', 'jpeg'], default: 'webp' }, 'Format'),
    pictureParameter('q', { ...upTo(100), default: 75 }, 'Quality, rounded'),
  ],
};

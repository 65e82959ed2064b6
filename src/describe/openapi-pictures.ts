/**
 * @module Pictures on request in the OpenAPI document.
 */
import type { PartDescription } from './granted-operation.ts';
import { text } from './json-schema.ts';

const upTo = (maximum: number) => ({ type: 'integer', minimum: 1, maximum });
const oneOf = (...names: readonly string[]) => ({ ...text, enum: names });

export const PICTURES: PartDescription = {
  documentPaths: () => [],
  bytesParameters: Object.entries({
    w: upTo(99_999),
    h: upTo(99_999),
    fit: oneOf('cover', 'contain'),
    f: oneOf('webp', 'avif', 'jpeg'),
    q: upTo(100),
  }).map(([name, schema]) => ({ name, in: 'query', schema, description: 'Of a picture' })),
};

/**
 * @module Pictures on request in the OpenAPI document.
 */

import type { PartDescription } from '../../../describe/granted-operation.ts';
import { integerSchema, text } from '../../../describe/json-schema.ts';
import { PICTURE_FITS, PICTURE_FORMATS } from '../../../schema/settings/derived.ts';

const oneOf = (...names: readonly string[]) => ({ ...text, enum: names });

export const PICTURES: PartDescription = {
  bytesParameters: Object.entries({
    w: integerSchema,
    h: integerSchema,
    fit: oneOf(...PICTURE_FITS),
    f: oneOf(...PICTURE_FORMATS),
    q: integerSchema,
  }).map(([name, schema]) => ({ name, in: 'query', schema })),
};

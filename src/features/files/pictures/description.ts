/**
 * @module Pictures on request in the OpenAPI document.
 */

import { PICTURE_FITS, PICTURE_FORMATS } from '../../../schema/settings/picture-values.ts';
import type { FeatureDescription } from '../../description/granted-operation.ts';
import { integerSchema, text } from '../../description/json-schema.ts';

const oneOf = (...names: readonly string[]) => ({ ...text, enum: names });

export const PICTURES: FeatureDescription = {
  bytesParameters: Object.entries({
    w: integerSchema,
    h: integerSchema,
    fit: oneOf(...PICTURE_FITS),
    f: oneOf(...PICTURE_FORMATS),
    q: integerSchema,
  }).map(([name, schema]) => ({ name, in: 'query', schema })),
};

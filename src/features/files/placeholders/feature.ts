/**
 * @module Placeholders of pictures: a ThumbHash and a dominant colour.
 */
import type { Feature } from '../../../http/deployment.ts';
import { placeholdersOf } from './placeholders.ts';

export const placeholders: Feature = { isOn: ({ upload }) => upload.placeholders, placeholdersOf };

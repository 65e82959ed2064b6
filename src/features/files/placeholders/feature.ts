/**
 * @module Placeholders of pictures: a ThumbHash and a dominant colour.
 */
import type { Part } from '../../../routes/deployment.ts';
import { placeholdersOf } from './placeholders.ts';

export const placeholders: Part = { placeholdersOf };

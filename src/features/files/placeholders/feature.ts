/**
 * @module Placeholders of pictures: a ThumbHash and a dominant colour.
 */
import type { Part } from '../../../http/deployment.ts';
import { placeholdersOf } from './placeholders.ts';

export const placeholders: Part = { placeholdersOf };

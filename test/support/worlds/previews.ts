/**
 * @module The world of previews, in which authors may make them.
 */
import { opener } from '../world.ts';
import { PREVIEWS, previewRegistry } from './previews-model.ts';

export const openPreviews = opener(previewRegistry, PREVIEWS);

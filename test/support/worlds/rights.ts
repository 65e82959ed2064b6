/**
 * @module The world of conditional grants: documents of several people and teams.
 */
import { TWO_LOCALES } from '../locales.ts';
import { opener } from '../world.ts';
import { guardedRegistry } from './rights-model.ts';

export const openRights = opener(guardedRegistry, TWO_LOCALES);

/**
 * @module All steps of a chain.
 */

import type { Model } from '../generators/models.ts';
import type { Dice } from '../support/dice.ts';
import {
  backUpAndRestore,
  exportAndImport,
  importInPieces,
  importOnlyFiles,
  importWithoutContent,
  importWithoutFiles,
  readAll,
  resumeImport,
} from './steps/archives.ts';
import { checkMedia, pruneHistory } from './steps/media.ts';
import { toggleSingle, turnDraftsOff, turnDraftsOn, turnLocalesOff, turnLocalesOn } from './steps/options.ts';
import { removeType } from './steps/removal.ts';
import { renameAttribute, renameComponent, renameType } from './steps/renames.ts';
import { timePasses } from './steps/schedule.ts';
import { type NewStep, ofChain, type Step } from './steps/step.ts';
import { removeAttribute, retype } from './steps/values.ts';

const STEPS: readonly NewStep[] = [
  ...[renameAttribute, renameAttribute, renameType, renameComponent, retype, retype, removeAttribute, removeType],
  ...[turnLocalesOff, turnLocalesOn, turnDraftsOff, turnDraftsOn, toggleSingle, timePasses],
  ...[exportAndImport, importInPieces, importOnlyFiles, importWithoutContent],
  ...[importWithoutFiles, resumeImport, backUpAndRestore, readAll, checkMedia, pruneHistory],
];

/** The next step of a chain, which changes the model. */
export function randomStep(model: Model, dice: Dice): Step {
  for (;;) {
    const step = ofChain(STEPS, dice)(model, dice);
    if (step) return step;
  }
}

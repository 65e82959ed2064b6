/**
 * @module Checks `populates` of the settings against the content types.
 */
import { EVERYTHING } from '../../src/access/grants.ts';
import { ApiError } from '../../src/common/errors.ts';
import { suggestion } from '../../src/common/near-words.ts';
import { planSelection } from '../../src/content/plan/read/plan-read.ts';
import { NO_PARAMS } from '../../src/content/request/plain-params.ts';
import { parsePopulate } from '../../src/content/request/populate.ts';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';

function problemOf(name: string, type: ContentType, registry: Registry, settings: Settings): string | undefined {
  const populate = parsePopulate(`@${name}`);
  try {
    planSelection({ ...NO_PARAMS, ...(populate && { populate }) }, type, { registry, settings, grants: EVERYTHING });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** Returns a line for each uid without a type, for each populate that no request could name, and for `@deep` that none could use. */
export function presetProblems(registry: Registry, settings: Settings): readonly string[] {
  const uids = [...registry.contentTypes.keys()];
  const all = Object.entries(settings.populates);
  const { extensions, deepPopulate } = settings.api.rest;
  if (deepPopulate && !extensions)
    return ['api.rest.deepPopulate: no request can use it while api.rest.extensions is false'];
  if (all.length > 0 && !extensions) return ['populates: no request can name them while api.rest.extensions is false'];
  return all.flatMap(([uid, presets]) => {
    const type = registry.contentTypes.get(uid);
    if (!type) return [`populates.${uid}: no content type has this uid${suggestion(uid, uids)}`];
    return Object.keys(presets).flatMap((name) => {
      const problem = problemOf(name, type, registry, settings);
      return problem === undefined ? [] : [`populates.${uid}.${name}: ${problem}`];
    });
  });
}

/**
 * @module The parameters that Strapi does not have change no request without them: with and without `api.rest.extensions`,
 * every recorded read has the same plan, or the same error.
 */
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/common/errors.ts';
import { buildRegistry } from '../../../src/schema/build.ts';
import type { Registry } from '../../../src/schema/model.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { type Corpus, MAGAZINE, MORPH } from '../../conformance/embedded.ts';
import { recordedRegistry } from '../../support/recorded-registry.ts';
import { listPlan, onePlan } from './support.ts';

const settingsWith = (extensions: boolean) =>
  parseSettings({ api: { rest: { extensions, deepPopulate: extensions } } });

/** Names of the parameters below a populate. */
const EXTENSION = /populate[^&]*\[(limit|start|withCount)\]/;

interface Read {
  readonly segment: string;
  readonly document: string | undefined;
  readonly search: string;
}

function readsOf({ scenarios, lenientScenarios }: Corpus): readonly Read[] {
  const paths = [...scenarios, ...lenientScenarios].flatMap(({ steps }) =>
    steps.flatMap(({ request }) => (request.method === 'GET' ? request.path : [])),
  );
  return [...new Set(paths)].flatMap((path) => {
    const [, segment, document, search = ''] = /^\/api\/([\w-]+)(?:\/([^/?]+))?(?:\?(.*))?$/.exec(path) ?? [];
    return segment === undefined ? [] : [{ segment, document, search }];
  });
}

/** The plan, or the error. */
function planned({ segment, document, search }: Read, registry: Registry, extensions: boolean): unknown {
  const types = [...registry.contentTypes.values()];
  const type = types.find(({ pluralName, singularName }) => segment === pluralName || segment === singularName);
  if (!type) return undefined;
  const options = { settings: settingsWith(extensions), registry };
  try {
    return document === undefined ? listPlan(type, search, options) : onePlan(type, search, options);
  } catch (error) {
    if (error instanceof ApiError) return error.problem;
    throw error;
  }
}

describe.each([
  ['the magazine', MAGAZINE, recordedRegistry],
  ['polymorphic relations', MORPH, buildRegistry(MORPH.schemaFiles, CHECKED)],
])('each recorded read of %s', (_, corpus, registry) => {
  const reads = readsOf(corpus);

  it('has the same plan without the parameters', () => {
    const without = reads.filter(({ search }) => !EXTENSION.test(search));
    expect(without.length).toBeGreaterThan(100);
    for (const read of without)
      expect(planned(read, registry, true), JSON.stringify(read)).toEqual(planned(read, registry, false));
  });

  it('has another one with them, if they stand at a list', () => {
    const others = reads.filter(({ search }) => EXTENSION.test(search) && !/\[(on|pagination)\]/.test(search));
    expect(others.length).toBeGreaterThan(0);
    for (const read of others)
      expect(planned(read, registry, true), JSON.stringify(read)).not.toEqual(planned(read, registry, false));
  });
});

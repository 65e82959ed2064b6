/**
 * @module The description of an API with the features that its settings switch on.
 */
import type { Grants } from '../../src/access/grants.ts';
import { describeOpenApi, type OpenApiDocument } from '../../src/features/description/openapi.ts';
import { descriptionsOf } from '../../src/features.ts';
import type { Registry } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';

export const describeApi = (registry: Registry, settings: Settings, grants?: Grants): OpenApiDocument =>
  describeOpenApi(registry, settings, descriptionsOf(settings), grants);

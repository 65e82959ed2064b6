/**
 * @module The optional parts that settings switch on, as `.edgewise/project.ts` has them.
 */
import { descriptionsOf, partNames } from '../../cli/project/parts.ts';
import type { Grants } from '../../src/access/grants.ts';
import { describeOpenApi, type OpenApiDocument } from '../../src/features/description/openapi.ts';
import { folders } from '../../src/features/files/folders/feature.ts';
import { pictures } from '../../src/features/files/pictures/feature.ts';
import { placeholders } from '../../src/features/files/placeholders/feature.ts';
import { privacy } from '../../src/features/files/private/feature.ts';
import { history } from '../../src/features/history/feature.ts';
import { mcp } from '../../src/features/mcp/feature.ts';
import { preview } from '../../src/features/preview/feature.ts';
import { publication } from '../../src/features/publication/feature.ts';
import { webhooks } from '../../src/features/webhooks/feature.ts';
import type { Part } from '../../src/http/deployment.ts';
import type { Registry } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';

const PARTS: Readonly<Record<string, Part>> = {
  ...{ publication, preview, history, mcp, pictures, placeholders, folders, privacy, webhooks },
};

/** Settings with their parts, for a deployment. */
export const withParts = (settings: Settings) => ({
  settings,
  parts: partNames(settings).flatMap((name) => PARTS[name] ?? []),
});

/** Describes the API with the parts that are on. */
export const describeApi = (registry: Registry, settings: Settings, grants?: Grants): OpenApiDocument =>
  describeOpenApi(registry, settings, descriptionsOf(settings), grants);

/**
 * @module The optional parts of a Worker, and which of them the settings switch on.
 */

import type { PartDescription } from '../../src/features/description/granted-operation.ts';
import { FOLDERS } from '../../src/features/files/folders/description.ts';
import { PICTURES } from '../../src/features/files/pictures/description.ts';
import { PRIVATE_FILES } from '../../src/features/files/private/description.ts';
import { HISTORY } from '../../src/features/history/description.ts';
import { PREVIEW_LINK } from '../../src/features/preview/description.ts';
import { PUBLICATION } from '../../src/features/publication/description.ts';
import type { Settings } from '../../src/schema/settings/config.ts';

interface OptionalPart {
  readonly isOn: (settings: Settings) => boolean;
  readonly description?: PartDescription;
}

/** By the name of their module in `src/parts/`, and of what it exports. */
const PARTS: Readonly<Record<string, OptionalPart>> = {
  publication: { isOn: ({ api }) => api.rest.publication, description: PUBLICATION },
  preview: {
    isOn: ({ preview }) => preview !== null,
    description: PREVIEW_LINK,
  },
  history: { isOn: ({ history }) => history !== null, description: HISTORY },
  mcp: { isOn: ({ mcp }) => mcp },
  pictures: { isOn: ({ upload }) => upload.widths.length > 0, description: PICTURES },
  placeholders: { isOn: ({ upload }) => upload.placeholders },
  folders: { isOn: ({ upload }) => upload.folders, description: FOLDERS },
  privacy: { isOn: ({ upload }) => upload.private !== false, description: PRIVATE_FILES },
  webhooks: { isOn: (settings) => settings.webhooks.length > 0 },
};

/** Returns the names of the parts that are on, in the order in which they run. */
export const partNames = (settings: Settings): readonly string[] =>
  Object.keys(PARTS).filter((name) => PARTS[name]?.isOn(settings));

export const descriptionsOf = (settings: Settings): readonly PartDescription[] =>
  partNames(settings).flatMap((name) => PARTS[name]?.description ?? []);

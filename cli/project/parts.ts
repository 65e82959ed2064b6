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
  /** Its folder in `src/features/`. */
  readonly folder: string;
  readonly isOn: (settings: Settings) => boolean;
  readonly description?: PartDescription;
}

/** By the name of what `feature.ts` in their folder exports. */
const PARTS: Readonly<Record<string, OptionalPart>> = {
  publication: { folder: 'publication', isOn: ({ api }) => api.rest.publication, description: PUBLICATION },
  preview: {
    folder: 'preview',
    isOn: ({ preview }) => preview !== null,
    description: PREVIEW_LINK,
  },
  history: { folder: 'history', isOn: ({ history }) => history !== null, description: HISTORY },
  mcp: { folder: 'mcp', isOn: ({ mcp }) => mcp },
  pictures: { folder: 'files/pictures', isOn: ({ upload }) => upload.widths.length > 0, description: PICTURES },
  placeholders: { folder: 'files/placeholders', isOn: ({ upload }) => upload.placeholders },
  folders: { folder: 'files/folders', isOn: ({ upload }) => upload.folders, description: FOLDERS },
  privacy: { folder: 'files/private', isOn: ({ upload }) => upload.private !== false, description: PRIVATE_FILES },
  webhooks: { folder: 'webhooks', isOn: (settings) => settings.webhooks.length > 0 },
};

/** Returns the names of the parts that are on, in the order in which they run. */
export const partNames = (settings: Settings): readonly string[] =>
  Object.keys(PARTS).filter((name) => PARTS[name]?.isOn(settings));

/** Returns the imports of the parts that are on. @param from the folder of the features, or the package */
export const partImports = (settings: Settings, moduleOf: (folder: string) => string): string =>
  partNames(settings)
    .map((name) => `import { ${name} } from '${moduleOf(PARTS[name]?.folder ?? '')}';\n`)
    .join('');

export const descriptionsOf = (settings: Settings): readonly PartDescription[] =>
  partNames(settings).flatMap((name) => PARTS[name]?.description ?? []);

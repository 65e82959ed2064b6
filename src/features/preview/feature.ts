/**
 * @module Previews: links to a document, whose tokens read its draft, and source maps of responses.
 */

import type { Feature } from '../../http/deployment.ts';
import { PREVIEW_LINK } from './description.ts';
import { readPreview } from './preview-token.ts';
import { respondPreviewLink } from './routes.ts';
import { sourceMapper } from './source-maps.ts';

export const preview: Feature = {
  isOn: ({ preview }) => preview !== null,
  actions: { previewLink: respondPreviewLink },
  readPreview,
  sourceMapper: (plan, { preview }) => sourceMapper(plan, new Set(preview?.sourceMaps.exclude)),
  description: PREVIEW_LINK,
};

/**
 * @module Previews: links to a document, whose tokens read its draft, and source maps of responses.
 */
import { readPreview } from '../auth/preview-token.ts';
import { PREVIEW_LINK } from '../describe/openapi-preview.ts';
import { sourceMapper } from '../document/source-maps.ts';
import type { Part } from '../routes/deployment.ts';
import { respondPreviewLink } from '../routes/preview.ts';

export const preview: Part = {
  actions: { previewLink: respondPreviewLink },
  readPreview,
  sourceMapper: (plan, { preview }) => sourceMapper(plan, new Set(preview?.sourceMaps.exclude)),
  description: PREVIEW_LINK,
};

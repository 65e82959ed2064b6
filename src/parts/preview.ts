/**
 * @module Previews: links to a document, whose tokens read its draft.
 */
import { readPreview } from '../auth/preview-token.ts';
import { PREVIEW_LINK } from '../describe/openapi-preview.ts';
import type { Part } from '../routes/deployment.ts';
import { respondPreviewLink } from '../routes/preview.ts';

export const preview: Part = { actions: { previewLink: respondPreviewLink }, readPreview, description: PREVIEW_LINK };

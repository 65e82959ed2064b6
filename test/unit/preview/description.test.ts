/**
 * @module Links to previews in the OpenAPI document.
 */
import { expect, it } from 'vitest';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { describeApi } from '../../support/describe-api.ts';
import { PREVIEWS, previewRegistry } from '../../support/worlds/previews-model.ts';

it('the description has links to previews of the types of the settings, and all that a link has', () => {
  const { paths } = describeApi(previewRegistry, parseSettings(PREVIEWS)) as unknown as {
    readonly paths: Readonly<Record<string, unknown>>;
  };
  const links = Object.keys(paths).filter((path) => path.endsWith('/actions/preview-link'));
  expect(links.toSorted()).toEqual([
    '/api/dossiers/{documentId}/actions/preview-link',
    '/api/front/actions/preview-link',
    '/api/stories/{documentId}/actions/preview-link',
  ]);
  expect(JSON.stringify(paths[links[0] ?? ''])).toContain('"required":["url","token","expiresAt"]');
});

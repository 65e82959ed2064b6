/**
 * @module A test of one's own, to begin with: what the public sees of an article. Each file of this folder has a database
 * and a bucket for itself; docs/testing.md says what `project` can do.
 */

import { openProject, type Project } from 'edgewise/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { registry, settings } from '../../.edgewise/project.ts';
import { buildRegistry, TRUSTED } from '../../src/schema/build.ts';

let project: Project;
beforeAll(async () => {
  project = await openProject({ files: registry, settings });
});

const ARTICLE = 'api::article.article';
/** The demo has such articles. A test of your own content types needs no such condition. */
const hasArticles =
  buildRegistry(registry, TRUSTED).contentTypes.get(ARTICLE)?.draftAndPublish === true &&
  settings.roles.public?.includes(`${ARTICLE}.findOne`) === true;

describe.runIf(hasArticles)('an article', () => {
  it('is shown to the public when it is published, and not before', async () => {
    // A body that the rules of the content type accept: only what a test is about has to be said.
    const body = await project.bodyOf(ARTICLE, 'required');
    const { documentId } = await project.data<{ documentId: string }>('POST', '/api/articles?status=draft', body);
    expect((await project.fetchPublic(`/api/articles/${documentId}`)).status).toBe(404);

    // A PUT without `status=draft` publishes.
    await project.data('PUT', `/api/articles/${documentId}`, {});
    expect((await project.fetchPublic(`/api/articles/${documentId}`)).status).toBe(200);
  });

  it('is not deleted without a token', async () => {
    const { documentId } = await project.create(ARTICLE);
    const { status } = await project.fetchPublic(`/api/articles/${documentId}`, { method: 'DELETE' });
    expect(status).toBe(403);
  });
});

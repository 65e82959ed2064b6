/**
 * @module A test of your own, to begin with. Each file of this folder has a database and a bucket for itself.
 */
import { openProject, type Project } from 'edgewise/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { registry, settings } from '../.edgewise/project.ts';

let project: Project;
beforeAll(async () => {
  project = await openProject({ files: registry, settings });
});

describe('the API', () => {
  it('rejects a token that does not exist', async () => {
    const { status } = await project.fetchPublic('/api/users/me', { headers: { authorization: 'Bearer unknown' } });
    expect(status).toBe(401);
  });
{{example}}});

/**
 * @module Drafts are not for the public, unless a setting opens them. test/advisories/drafts.test.ts has everything else.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { createToken, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const roles = { public: ['api::issue.issue.find', 'api::issue.issue.findOne', 'api::tag.tag.find'] };
const { send: closed } = openMagazine({ roles });
const open = serve({ roles, api: { rest: { publicDrafts: true } } });
const FORBIDDEN = { status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} };
let path = '';

beforeAll(async () => {
  await createToken('reads', 'read-only');
  const { documentId } = await documentOf(
    clientOf(closed, 'full').create('/api/issues?status=draft', { title: 'Hidden draft' }),
  );
  path = `/api/issues/${documentId}`;
});

describe('drafts', () => {
  it.each(['status=draft', 'status=', 'status'])('are refused to the public (%s)', async (search) => {
    for (const target of ['/api/issues', path]) expect(await errorOf(closed(`${target}?${search}`))).toEqual(FORBIDDEN);
  });

  it.each(['_q=Hidden', 'filters[title]=Hidden draft'])('are not found by the public with %s', async (search) => {
    const response = await closed(`/api/issues?${search}`);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('Hidden draft');
  });

  it.each(['publicationFilter=modified', 'publicationFilter=never-published', 'hasPublishedVersion=false'])(
    'are nothing that the public may ask about with %s',
    async (search) => {
      expect(await errorOf(closed(`/api/issues?${search}`))).toEqual(FORBIDDEN);
    },
  );

  it('are read with a token', async () => {
    for (const token of ['full', 'reads'])
      expect(await documentOf(clientOf(closed, token).get(`${path}?status=draft`))).toMatchObject({
        title: 'Hidden draft',
      });
  });

  it('are open to the public where the settings say so', async () => {
    expect(await documentOf(open(`${path}?status=draft`))).toMatchObject({ title: 'Hidden draft' });
  });

  it('are no matter on types without them', async () => {
    expect((await closed('/api/tags?status=draft')).status).toBe(200);
  });
});

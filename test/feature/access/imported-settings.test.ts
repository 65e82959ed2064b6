/**
 * @module Roles and locales that an import brought are shown as they were on the other server.
 */
import { describe, expect, it } from 'vitest';
import { bearer } from '../../support/recorded.ts';
import { register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const TIME = '2026-01-02T03:04:05.678Z';
const EDITOR = { documentId: 'editorofanotherserver', name: 'Éditeur', description: 'Reads more' };
const FRENCH = {
  code: 'fr',
  name: 'French',
  documentId: 'frenchofanotherserver',
  createdAt: TIME,
  updatedAt: TIME,
  publishedAt: TIME,
};

const { send } = openMagazine({
  i18n: { locales: [FRENCH] },
  roles: { editor: ['api::tag.tag.find'] },
  users: { defaultRole: 'editor', roleDetails: { editor: EDITOR } },
});

const bodyOf = async (path: string, token = 'full') => (await send(path, bearer(token))).json();

describe('what another server has shown', () => {
  it('of a locale is shown here', async () => {
    expect(await bodyOf('/api/i18n/locales')).toMatchObject([{ ...FRENCH, isDefault: false }]);
  });

  it('of a role is shown here, and its users may do what it allows', async () => {
    const { jwt } = await register(send, 'anna');
    expect(await bodyOf('/api/users?populate=role')).toMatchObject([{ role: { ...EDITOR, type: 'editor' } }]);
    expect((await send('/api/tags', bearer(jwt))).status).toBe(200);
    expect((await send('/api/authors', bearer(jwt))).status).toBe(403);
  });
});

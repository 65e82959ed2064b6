/**
 * @module The settings of the worlds of the non-interference test.
 */
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { settingsOf } from '../../generators/features.ts';
import { rolesOf } from '../callers.ts';
import { registry, uidOf } from './model.ts';

/** Types whose drafts a preview shows, beside that of its document. */
export const PREVIEWED_TYPES = ['board', 'plan'].map(uidOf);

export const SETTINGS = {
  ...settingsOf(registry),
  mcp: { anonymous: true },
  oauth: true,
  i18n: {
    locales: [
      { code: 'en', name: 'en', isDefault: true },
      { code: 'fr', name: 'fr', fallback: ['en'] },
      { code: 'de', name: 'de', fallback: ['fr', 'en'] },
    ],
  },
  roles: rolesOf('interference'),
  users: { jwtExpiresIn: '400d', register: { allowedFields: ['nickname', 'team', 'favorites'] } },
  rateLimit: { auth: { enabled: false } },
  preview: {
    [uidOf('story')]: { url: 'https://site.example/{slug}?token={token}', populate: PREVIEWED_TYPES },
  },
  api: { rest: { deepPopulate: true, limits: { answerRows: 100 } } },
} satisfies SettingsInput;

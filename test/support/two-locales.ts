/**
 * @module Settings with English, which is meant where a request says nothing, and French.
 */
import type { SettingsInput } from '../../src/schema/settings/config.ts';

export const TWO_LOCALES: SettingsInput = {
  i18n: {
    locales: [
      { code: 'en', name: 'en', isDefault: true },
      { code: 'fr', name: 'fr' },
    ],
  },
};

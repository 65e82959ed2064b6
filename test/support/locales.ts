/**
 * @module Settings with locales.
 */
import type { SettingsInput } from '../../src/schema/settings/config.ts';

/** These locales, of which the first is the default. */
export const localesOf = (...codes: readonly string[]) => ({
  locales: codes.map((code, index) => ({ code, name: code, isDefault: index === 0 })),
});

export const TWO_LOCALES: SettingsInput = { i18n: localesOf('en', 'fr') };

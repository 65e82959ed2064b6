/**
 * @module Warns of content that a change of locales in the settings hides. It never deletes anything.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Settings } from '../../config.ts';
import type { Registry } from '../../registry/model.ts';
import { defaultLocale } from '../../settings.ts';
import { readValue } from '../core/read-value.ts';
import { META, readJson } from '../migrations/revisions.ts';

export const LOCALES = `${META}/_locales.json`;

const locales = z.readonly(z.object({ default: z.string(), codes: z.readonly(z.array(z.string())) }));

/** The locales of the last `npm run generate`. */
export type Locales = z.infer<typeof locales>;

export const localesOf = (settings: Settings): Locales => ({
  default: defaultLocale(settings),
  codes: settings.i18n.locales.map(({ code }) => code),
});

/** The locales of the last generation; undefined before the first. @throws UserError for a damaged file. */
export const readLocales = (root: string): Locales | undefined =>
  existsSync(join(root, LOCALES)) ? readValue(locales, readJson(root, LOCALES), LOCALES) : undefined;

const removed = (code: string, types: string): string =>
  `i18n.locales: "${code}" was removed. GET /api/i18n/locales no longer names it. Nothing is deleted: what ${types} have in "${code}" is still returned for locale=${code}, locale=* and populate=localizations; to delete it, DELETE each document with ?locale=${code}`;

const moved = (before: string, now: string, types: string): string =>
  `i18n.locales: the default locale was "${before}" and is "${now}". Requests that name no locale no longer show what ${types} have in "${before}": ask for it with locale=${before}`;

/** Returns a warning for each removed locale and for a new default. */
export function localeWarnings(before: Locales | undefined, now: Locales, registry: Registry): readonly string[] {
  const localized = [...registry.contentTypes.values()].filter((type) => type.localized);
  if (!before || localized.length === 0) return [];
  const types = localized.map(({ pluralName }) => pluralName).join(', ');
  const gone = before.codes.filter((code) => !now.codes.includes(code)).map((code) => removed(code, types));
  return before.default === now.default ? gone : [...gone, moved(before.default, now.default, types)];
}

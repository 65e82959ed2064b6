/**
 * @module Warns of content that a change of locales in the settings hides, and of what `wrangler.toml` lacks: crons for scheduled
 * publications and webhooks, and the folder of Studio, as in projects of earlier versions.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Registry } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { defaultLocale } from '../../src/schema/settings/derived.ts';
import { readValue } from '../core/read-value.ts';
import { WRANGLER_TOML } from '../core/wrangler/wrangler.ts';
import { META, readJson } from '../migrations/revisions.ts';
import { ASSETS } from '../studio/assets.ts';

export const LOCALES = `${META}/_locales.json`;

const locales = z.readonly(z.object({ default: z.string(), codes: z.readonly(z.array(z.string())) }));

/** The locales of the last `npx edgewise generate`. */
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

const CRONS = /^\s*crons\s*=\s*\[\s*["']/m;
const NO_ASSETS = `${WRANGLER_TOML}: no [assets] has the folder of Studio, so it is not served. Add: [assets] directory = "${ASSETS}", or set studio: false in edgewise.config.ts`;
const DIRECTORY = /^[^#\n]*directory\s*=\s*["'](\.\/)?\.edgewise\/assets\/?["']/m;

/** Does the file, if there is one, lack the pattern? */
function lacks(root: string, pattern: RegExp): boolean {
  const path = join(root, WRANGLER_TOML);
  return existsSync(path) && !pattern.test(readFileSync(path, 'utf8'));
}

/** Returns warnings for what waits for the cron trigger, in a project whose Worker has none. */
export function cronWarnings(root: string, { contentTypes }: Registry, settings: Settings): readonly string[] {
  if (!lacks(root, CRONS)) return [];
  const schedules = settings.api.rest.publication && [...contentTypes.values()].some((type) => type.draftAndPublish);
  const warning = (lost: string) =>
    `${WRANGLER_TOML}: no [triggers] has crons, so ${lost}. Add: [triggers] crons = ["* * * * *"]`;
  return [
    ...(schedules ? [warning('scheduled publications are never carried out')] : []),
    ...(settings.webhooks.length > 0 ? [warning('messages that a webhook did not take are never sent again')] : []),
    ...(settings.history ? [warning('former versions keep the names of deleted users, and never grow too old')] : []),
    ...(settings.upload.folders ? [warning('a folder with many files leaves their bytes when it is deleted')] : []),
  ];
}

/** Does `wrangler.toml` name the folder of Studio? */
export const hasAssets = (root: string): boolean => !lacks(root, DIRECTORY);

/** Returns a warning for a project whose Worker has no assets. */
export const assetWarnings = (root: string, { studio }: Settings): readonly string[] =>
  studio === false || hasAssets(root) ? [] : [NO_ASSETS];

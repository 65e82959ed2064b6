/**
 * @module Warnings about what `wrangler.toml` lacks: crons for scheduled publications and webhooks, and the folder of Studio,
 * as in projects of earlier versions.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config.ts';
import type { Registry } from '../../registry/model.ts';
import { WRANGLER_TOML } from '../core/wrangler/wrangler.ts';
import { ASSETS } from '../studio/assets.ts';

const CRONS = /^\s*crons\s*=\s*\[\s*["']/m;
const DIRECTORY = /^[^#\n]*directory\s*=\s*["'](\.\/)?\.edgewise\/assets\/?["']/m;

/** Does the file, if there is one, lack the pattern? */
function lacks(root: string, pattern: RegExp): boolean {
  const path = join(root, WRANGLER_TOML);
  return existsSync(path) && !pattern.test(readFileSync(path, 'utf8'));
}

/** Returns warnings for types with drafts, and for webhooks, in a project whose Worker no cron trigger calls. */
export function cronWarnings(root: string, { contentTypes }: Registry, settings: Settings): readonly string[] {
  if (!lacks(root, CRONS)) return [];
  const schedules = settings.api.rest.publication && [...contentTypes.values()].some((type) => type.draftAndPublish);
  const lost = [
    ...(schedules ? ['scheduled publications are never carried out'] : []),
    ...(settings.webhooks.length > 0 ? ['messages that a webhook did not take are never sent again'] : []),
  ];
  return lost.map(
    (text) => `${WRANGLER_TOML}: no [triggers] has crons, so ${text}. Add: [triggers] crons = ["* * * * *"]`,
  );
}

/** Returns a warning for a project whose Worker has no assets. */
export const assetWarnings = (root: string, { studio }: Settings): readonly string[] =>
  studio !== false && lacks(root, DIRECTORY)
    ? [
        `${WRANGLER_TOML}: no [assets] has the folder of Studio, so it is not served. Add: [assets] directory = "${ASSETS}", or set studio: false in edgewise.config.ts`,
      ]
    : [];

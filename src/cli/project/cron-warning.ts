/**
 * @module Warns where scheduled publications would never be carried out.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config.ts';
import type { Registry } from '../../registry/model.ts';

const TOML = 'wrangler.toml';
const CRONS = /^\s*crons\s*=\s*\[\s*["']/m;

/** Returns a warning for types with drafts in a project whose Worker no cron trigger calls. */
export function cronWarnings(root: string, { contentTypes }: Registry, settings: Settings): readonly string[] {
  const path = join(root, TOML);
  const isUsed = settings.api.rest.publication && [...contentTypes.values()].some((type) => type.draftAndPublish);
  if (!isUsed || !existsSync(path) || CRONS.test(readFileSync(path, 'utf8'))) return [];
  return [
    `${TOML}: no [triggers] has crons, so scheduled publications are never carried out. Add: [triggers] crons = ["* * * * *"]`,
  ];
}

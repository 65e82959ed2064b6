/**
 * @module Warns where scheduled publications would never be carried out, or messages to webhooks not sent again.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config.ts';
import type { Registry } from '../../registry/model.ts';

const TOML = 'wrangler.toml';
const CRONS = /^\s*crons\s*=\s*\[\s*["']/m;

/** Returns warnings for types with drafts, and for webhooks, in a project whose Worker no cron trigger calls. */
export function cronWarnings(root: string, { contentTypes }: Registry, settings: Settings): readonly string[] {
  const path = join(root, TOML);
  if (!existsSync(path) || CRONS.test(readFileSync(path, 'utf8'))) return [];
  const schedules = settings.api.rest.publication && [...contentTypes.values()].some((type) => type.draftAndPublish);
  const lost = [
    schedules && 'scheduled publications are never carried out',
    settings.webhooks.length > 0 && 'messages that a webhook did not take are never sent again',
  ];
  return lost
    .filter((text) => text !== false)
    .map((text) => `${TOML}: no [triggers] has crons, so ${text}. Add: [triggers] crons = ["* * * * *"]`);
}

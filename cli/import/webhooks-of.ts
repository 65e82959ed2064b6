/**
 * @module Webhooks of an archive → the setting `webhooks`. Values of headers are secrets, so a header names a secret of
 * the Worker instead.
 */

import { isObject } from '../../src/common/json.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { isEvent } from '../../src/schema/settings/webhook-setting.ts';
import { listed } from '../core/counted.ts';
import type { Configuration } from './archive-lines.ts';
import type { Survey, Warnings } from './survey.ts';

type Webhook = NonNullable<SettingsInput['webhooks']>[number];

/** Returns what is wrong with a webhook as a setting. */
function problemOf(webhook: Webhook): string | undefined {
  try {
    parseSettings({ webhooks: [webhook] }, '');
    return undefined;
  } catch (error) {
    return String((error as Error).message.split('\n')[1]).replace(/^ *webhooks\.0\./, '');
  }
}

/** @param index of the webhook in the archive */
function webhookOf({ value }: Configuration, index: number, warnings: Warnings): readonly Webhook[] {
  const name = `the webhook ${JSON.stringify(String(value.name ?? index + 1))}`;
  if (value.enabled === false) {
    warnings.addLoss(`${name} is disabled; left out`);
    return [];
  }
  const all = Array.isArray(value.events) ? value.events.map(String) : [];
  const events = all.filter(isEvent);
  // Of the admin panel.
  const others = all.filter((event) => !isEvent(event));
  if (others.length > 0) warnings.add(`${name} takes ${listed(others)}, which Edgewise does not send`);
  const names = isObject(value.headers) ? Object.keys(value.headers) : [];
  const secrets = names.map((header) => [
    header,
    `WEBHOOK_${index + 1}_${header.toUpperCase().replaceAll(/\W/g, '_')}`,
  ]);
  const headers = Object.fromEntries(secrets.map(([header, secret]) => [header, `$${secret}`]));
  const webhook: Webhook = { url: String(value.url), events, ...(names.length > 0 && { headers }) };
  const problem = problemOf(webhook);
  if (problem !== undefined) {
    warnings.addLoss(`${name} is left out: ${problem}`);
    return [];
  }
  for (const [header, secret] of secrets)
    warnings.add(`${name} sends the header ${header}. Its value is not copied: npx wrangler secret put ${secret}`);
  return [webhook];
}

/** The setting of what the archive has; without a webhook none. */
export function webhookSettings({ configuration, warnings }: Survey): SettingsInput {
  const found = configuration
    .filter(({ type }) => type === 'webhook')
    .flatMap((line, index) => webhookOf(line, index, warnings));
  const byUrl = Map.groupBy(found, ({ url }) => url);
  const webhooks = [...byUrl.values()].map((all) => {
    const [first] = all as [Webhook];
    const headers = Object.assign({}, ...all.map((each) => each.headers));
    const events = [...new Set(all.flatMap((each) => each.events))];
    return { ...first, events, ...(Object.keys(headers).length > 0 && { headers }) };
  });
  return webhooks.length > 0 ? { webhooks } : {};
}

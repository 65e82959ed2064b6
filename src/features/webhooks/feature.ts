/**
 * @module Webhooks: messages of commits, delivered after the response and by the cron trigger.
 */
import type { Feature } from '../../http/deployment.ts';
import { deliverDue } from './deliver.ts';
import { deleteUndeliverable } from './sql/left-messages.ts';
import { webhookNotices } from './store-messages.ts';

export const webhooks: Feature = {
  isOn: (settings) => settings.webhooks.length > 0,
  notices: webhookNotices,
  cron: deliverDue,
};

/** Once the last webhook is removed, the messages that are left go: they hold values of documents. */
export const withoutWebhooks: Feature = {
  isOn: (settings) => settings.webhooks.length === 0,
  cron: async ({ database }) => void (await database.write(deleteUndeliverable())),
};

/**
 * @module Webhooks: messages of commits, delivered after the response and by the cron trigger.
 */
import type { Feature } from '../../http/deployment.ts';
import { deliverDue } from './deliver.ts';
import { webhookNotices } from './store-messages.ts';

export const webhooks: Feature = {
  isOn: (settings) => settings.webhooks.length > 0,
  notices: webhookNotices,
  cron: deliverDue,
};

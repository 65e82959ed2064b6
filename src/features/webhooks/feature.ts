/**
 * @module Webhooks: messages of commits, delivered after the response and by the cron trigger.
 */
import type { Part } from '../../http/deployment.ts';
import { deliverDue } from './deliver.ts';
import { webhookNotices } from './store-messages.ts';

export const webhooks: Part = { notices: webhookNotices, cron: deliverDue };

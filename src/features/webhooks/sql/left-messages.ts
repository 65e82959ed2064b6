/**
 * @module Messages without a webhook.
 */
import { sql } from 'drizzle-orm';
import { prepared } from '../../../content/sql/prepared.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import { endpoints, outbox } from './tables.ts';

const DELETIONS = [prepared(() => sql`delete from ${outbox}`), prepared(() => sql`delete from ${endpoints}`)];

/** Deletes all messages to webhooks, and what is known about their endpoints. */
export const deleteUndeliverable = (): readonly Statement[] => DELETIONS.map((deletion) => deletion({}));

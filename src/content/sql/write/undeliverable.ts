/**
 * @module Messages without a webhook. Not in `deliveries.ts`, which only Workers with webhooks have.
 */
import { sql } from 'drizzle-orm';
import { prepared } from '../prepared.ts';
import type { Statement } from '../statement.ts';
import { endpoints, outbox } from '../system-tables.ts';

const DELETIONS = [prepared(() => sql`delete from ${outbox}`), prepared(() => sql`delete from ${endpoints}`)];

/** Deletes all messages to webhooks, and what is known about their endpoints. */
export const deleteUndeliverable = (): readonly Statement[] => DELETIONS.map((deletion) => deletion({}));

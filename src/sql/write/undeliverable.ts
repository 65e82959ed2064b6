/**
 * @module Messages without a webhook. Not in `deliveries.ts`, which only Workers with webhooks have.
 */
import { db, prepared } from '../prepared.ts';
import type { Statement } from '../statement.ts';
import { endpoints, outbox } from '../system-tables.ts';

const DELETIONS = [outbox, endpoints].map((table) => prepared(() => db.delete(table)));

/** Deletes all messages to webhooks, and what is known about their endpoints. */
export const deleteUndeliverable = (): readonly Statement[] => DELETIONS.map(({ statement }) => statement({}));

/**
 * @module Rows as the tables hold them, for the checks of what must hold in the database.
 */
import type { ContentType } from '../../src/schema/model.ts';

export interface ContentRow {
  readonly id: number;
  readonly document_id: string;
  readonly locale: string;
  readonly published_at: number | null;
  readonly [column: string]: unknown;
}

export interface LinkRow {
  readonly source_document_id: string;
  readonly source_locale: string;
  readonly target_document_id: string;
  readonly target_locale: string;
  /** In the table of a polymorphic relation. */
  readonly target_type?: string;
  readonly status: string;
  readonly position: number;
  readonly inverse_position: number;
}

export interface CounterRow {
  readonly type: string;
  readonly locale: string;
  readonly status: string;
  readonly total: number;
}

/** Everything that is stored. */
export interface World {
  readonly rows: ReadonlyMap<ContentType, readonly ContentRow[]>;
  /** By name of the link table. */
  readonly links: ReadonlyMap<string, readonly LinkRow[]>;
  readonly counters: readonly CounterRow[];
}

export const statusOf = ({ published_at }: ContentRow): 'draft' | 'published' =>
  published_at === null ? 'draft' : 'published';

/** `documentId/locale/status` */
export const versionName = (row: ContentRow): string => `${row.document_id}/${row.locale}/${statusOf(row)}`;

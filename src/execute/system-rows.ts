/**
 * @module Rows of users and files: written like any document, and shown whole.
 */
import type { Credential } from '../auth/credential.ts';
import { defaultLocale } from '../config.ts';
import { assemble, type Document } from '../document/assemble.ts';
import { planOne } from '../plan/plan-read.ts';
import { NO_LOCALE } from '../plan/versions.ts';
import type { Current, Version, WriteRequest } from '../plan/write-request.ts';
import type { ContentType } from '../registry/model.ts';
import type { InputData } from '../request/body.ts';
import { NO_PARAMS } from '../request/plain-params.ts';
import type { Row } from '../sql/batch.ts';
import { type Call, readerOf } from './call.ts';

/** A row that a write goes to, as far as it was read. */
export interface Target {
  readonly documentId: string;
  /** Absent: the row is new. */
  readonly updatedAt?: number;
}

export const systemWrite = (
  { registry, settings }: Call,
  type: ContentType,
  { documentId, updatedAt }: Target,
  data: InputData,
): WriteRequest => ({
  registry,
  strictRelations: settings.api.documents.strictRelations,
  type,
  documentId,
  locale: NO_LOCALE,
  defaultLocale: defaultLocale(settings),
  status: 'published',
  operation: updatedAt === undefined ? 'create' : 'update',
  data,
});

/** What the database has of the row. */
export function systemCurrent({ documentId, updatedAt }: Target, rest: Partial<Current> = {}): Current {
  const known = { taken: new Set<string>(), targets: new Map(), links: new Map(), originalLinks: new Map(), ...rest };
  if (updatedAt === undefined) return known;
  const row: Version = { documentId, locale: NO_LOCALE, status: 'published', values: new Map(), updatedAt };
  return { ...known, row };
}

/** A whole row of the table as the caller may see it, without relations. */
export const shownRow = (row: Row, type: ContentType, call: Call, credential: Credential): Document =>
  assemble(row, planOne(NO_PARAMS, type, undefined, readerOf(call, credential)));

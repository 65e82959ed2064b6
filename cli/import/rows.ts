/**
 * @module Rows of an archive → rows of tables: which columns there are, and what of an entity each of them holds.
 */
import type { JsonObject } from '../../src/common/json.ts';
import { inputAttributes } from '../../src/content/plan/model/component-attributes.ts';
import { urlOf } from '../../src/features/files/call.ts';
import { isScalar } from '../../src/schema/attribute-kinds.ts';
import type { Stored } from '../../src/schema/fields.ts';
import type { ColumnAttribute, ContentType } from '../../src/schema/model.ts';
import { nameKey } from '../../src/schema/name-key.ts';
import { OVERFLOW_COLUMN } from '../../src/schema/names.ts';
import { FILE_UID, USER_UID } from '../../src/schema/system-types.ts';
import { type Hashed, objectKey } from '../core/archive/names.ts';
import { rowInserter } from '../core/sql/row-lists.ts';
import type { Entity } from './archive-lines.ts';
import type { Components } from './components.ts';
import type { ImportRun } from './marker.ts';
import { storedValue, timeOf } from './values.ts';

/** What a row is, apart from its values. */
export interface Version {
  readonly documentId: string;
  readonly locale: string;
  readonly published: number;
}

interface RowContext extends ImportRun {
  readonly components: Components;
}

type Fill = (data: Entity['data'], version: Version) => Stored;

function systemFills({ marker }: RowContext): ReadonlyMap<string, Fill> {
  const created = (data: Entity['data']) => timeOf(data.createdAt) ?? timeOf(data.updatedAt) ?? marker.startedAt;
  return new Map<string, Fill>([
    ['document_id', (_, { documentId }) => documentId],
    ['locale', (_, { locale }) => locale],
    ['published_at', (data, { published }) => (published ? (timeOf(data.publishedAt) ?? created(data)) : null)],
    ['created_at', created],
    ['updated_at', (data) => timeOf(data.updatedAt) ?? created(data)],
  ]);
}

function fillOf(attribute: ColumnAttribute, { uid }: ContentType, { components, survey }: RowContext): Fill {
  if (isScalar(attribute)) return (data) => storedValue(attribute, data[attribute.name], uid, survey.warnings);
  return (data) => {
    const content = components.contentOf(attribute, data[attribute.name], uid);
    return content === null ? null : JSON.stringify(content);
  };
}

const lower = (value: unknown): string | null => (typeof value === 'string' ? nameKey(value) : null);

/** Providers of whose addresses Strapi takes proven ones alone; its `confirmed` proves none. */
const PROVING: readonly unknown[] = [
  ...['auth0', 'cas', 'cognito', 'discord', 'github', 'google', 'keycloak', 'patreon'],
];

/** Codes of messages and tokens of the other server end here. */
const userFills = ({ marker }: RowContext): Readonly<Record<string, Fill>> => ({
  reset_password_token: () => null,
  confirmation_token: () => null,
  // Tokens know whole seconds: who signs in right after the import comes in.
  password_changed_at: () => Math.floor(marker.startedAt / 1000) * 1000,
  email_proven: ({ provider }) => (PROVING.includes(provider) ? 1 : null),
  username_key: ({ username }) => lower(username),
  email_key: ({ email }) => lower(email),
});

/** A file whose bytes come along is found here; one whose bytes were lost keeps its old address. */
function fileFills({ survey: { uploads }, settings }: RowContext): Readonly<Record<string, Fill>> {
  const urlHere = (one: Hashed, url: unknown): unknown => {
    const key = objectKey(one);
    return uploads.has(key) ? urlOf(key, settings.upload) : url;
  };
  return {
    url: (data) => String(urlHere(data, data.url) ?? ''),
    provider: (data) => (uploads.has(objectKey(data)) ? 'r2' : String(data.provider ?? '')),
    formats: ({ formats }) => {
      if (typeof formats !== 'object' || formats === null) return null;
      const moved = Object.entries(formats as Record<string, JsonObject | null>).map(([name, format]) => [
        name,
        format && { ...format, url: urlHere(format, format.url) },
      ]);
      return JSON.stringify(Object.fromEntries(moved));
    },
  };
}

const SPECIAL_FILLS: Readonly<Record<string, typeof fileFills>> = { [USER_UID]: userFills, [FILE_UID]: fileFills };

/** A version that is there stays, so that a batch may be sent again. */
function onConflict({ draftAndPublish }: ContentType): string {
  const clause = (status: string) => `on conflict ("document_id", "locale") where "published_at" ${status} do nothing`;
  return [clause('is not null'), ...(draftAndPublish ? [clause('is null')] : [])].join(' ');
}

export function rowForm(type: ContentType, context: RowContext) {
  const special = SPECIAL_FILLS[type.uid]?.(context) ?? {};
  const fills = new Map<string, Fill>(systemFills(context));
  const overflow: [string, Fill][] = [];
  for (const attribute of inputAttributes(type.attributes)) {
    const fill = fillOf(attribute, type, context);
    if (isScalar(attribute) && attribute.overflow) overflow.push([attribute.name, fill]);
    else fills.set(attribute.column, special[attribute.column] ?? fill);
  }
  // Attributes that found no room among the columns are one JSON object.
  const overflowing: Fill = (data, version) =>
    JSON.stringify(Object.fromEntries(overflow.map(([name, fill]) => [name, fill(data, version)])));
  if (overflow.length > 0) fills.set(OVERFLOW_COLUMN, overflowing);
  const [columns, order] = [[...fills.keys()], [...fills.values()]];
  return {
    type,
    insert: rowInserter(type.table, columns, onConflict(type)),
    /** In the order of the columns. */
    valuesOf: (data: Entity['data'], version: Version): readonly Stored[] => order.map((fill) => fill(data, version)),
  };
}

export type RowForm = ReturnType<typeof rowForm>;

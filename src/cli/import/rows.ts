/**
 * @module Rows of an archive → rows of tables: which columns there are, and what of an entity each of them holds.
 */
import type { Stored } from '../../registry/fields.ts';
import type { Attribute, ContentType } from '../../registry/model.ts';
import { nameKey } from '../../registry/name-key.ts';
import { OVERFLOW_COLUMN, SYSTEM_COLUMNS } from '../../registry/names.ts';
import { FILE_UID, USER_UID } from '../../registry/system-types.ts';
import { type Hashed, objectKey } from '../core/archive/names.ts';
import { type RowInserter, rowInserter } from '../core/sql/row-lists.ts';
import { identifier } from '../core/sql/sql-text.ts';
import type { Components } from './components.ts';
import type { Entity } from './records.ts';
import type { Remarks } from './remarks.ts';
import { storedValue, timeOf } from './values.ts';

/** What a row is, apart from its values. */
export interface Version {
  readonly documentId: string;
  readonly locale: string;
  readonly published: number;
}

export interface RowContext {
  readonly components: Components;
  readonly remarks: Remarks;
  /** Milliseconds: what rows without any time get. */
  readonly now: number;
  /** Where the bytes of an object will be found. */
  readonly urlOf: (key: string) => string;
  /** Are the bytes of this object in the archive, or in the bucket? */
  readonly hasObject: (key: string) => boolean;
}

/** The columns of one type and what fills them, in the same order. */
export interface RowForm {
  readonly type: ContentType;
  readonly columns: readonly string[];
  readonly insert: RowInserter;
  valuesOf(entity: Entity, version: Version): readonly Stored[];
}

type Fill = (data: Entity['data'], version: Version) => Stored;

const SYSTEM: ReadonlySet<string> = new Set(SYSTEM_COLUMNS);

function systemFills({ now }: RowContext): ReadonlyMap<string, Fill> {
  const created = (data: Entity['data']) => timeOf(data.createdAt) ?? timeOf(data.updatedAt) ?? now;
  return new Map<string, Fill>([
    ['document_id', (_, { documentId }) => documentId],
    ['locale', (_, { locale }) => locale],
    ['published_at', (data, { published }) => (published ? (timeOf(data.publishedAt) ?? created(data)) : null)],
    ['created_at', created],
    ['updated_at', (data) => timeOf(data.updatedAt) ?? created(data)],
  ]);
}

function fillOf(attribute: Attribute, { uid }: ContentType, { components, remarks }: RowContext): Fill | undefined {
  if (attribute.kind === 'scalar') return (data) => storedValue(attribute, data[attribute.name], uid, remarks);
  if (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone') return undefined;
  return (data) => components.stored(attribute, data[attribute.name], `${uid}.${attribute.name}`);
}

/** A minute is enough, and tokens know whole seconds: who signs in right after the import comes in. */
const wholeSecond = (time: number): number => Math.floor(time / 1000) * 1000;

const lower = (value: unknown): string | null => (typeof value === 'string' ? nameKey(value) : null);

/** Codes of messages and tokens of the other server end here. */
const userFills = ({ now }: RowContext): Readonly<Record<string, Fill>> => ({
  reset_password_token: () => null,
  confirmation_token: () => null,
  password_changed_at: () => wholeSecond(now),
  username_key: ({ username }) => lower(username),
  email_key: ({ email }) => lower(email),
});

/** A file whose bytes come along is found here; one whose bytes were lost keeps its old address. */
function fileFills({ urlOf, hasObject }: RowContext): Readonly<Record<string, Fill>> {
  const urlHere = (one: Hashed, url: unknown): unknown => (hasObject(objectKey(one)) ? urlOf(objectKey(one)) : url);
  return {
    url: (data) => String(urlHere(data, data.url) ?? ''),
    provider: (data) => (hasObject(objectKey(data)) ? 'r2' : String(data.provider ?? '')),
    formats: ({ formats }) => {
      if (typeof formats !== 'object' || formats === null) return null;
      const moved = Object.entries(formats as Record<string, Hashed & { readonly url?: unknown }>).map(
        ([name, format]) => [name, format && { ...format, url: urlHere(format, format.url) }],
      );
      return JSON.stringify(Object.fromEntries(moved));
    },
  };
}

function specialFills({ uid }: ContentType, context: RowContext): Readonly<Record<string, Fill>> {
  if (uid === USER_UID) return userFills(context);
  return uid === FILE_UID ? fileFills(context) : {};
}

/** Attributes that found no room among the columns, as one JSON object. */
function overflowFill(fills: readonly (readonly [string, Fill])[]): Fill {
  return (data, version) =>
    JSON.stringify(Object.fromEntries(fills.map(([name, fill]) => [name, fill(data, version)])));
}

/** A version that is there is replaced by a newer one. */
function onConflict({ table, draftAndPublish }: ContentType, columns: readonly string[]): string {
  const changed = columns.filter((name) => name !== 'document_id' && name !== 'locale');
  const sets = changed.map((name) => `${identifier(name)} = excluded.${identifier(name)}`).join(', ');
  const clause = (status: string) =>
    `on conflict ("document_id", "locale") where "published_at" ${status} do update set ${sets} where excluded."updated_at" > ${identifier(table)}."updated_at"`;
  return [clause('is not null'), ...(draftAndPublish ? [clause('is null')] : [])].join(' ');
}

/** How rows of a type are made. */
export function rowForm(type: ContentType, context: RowContext): RowForm {
  const special = specialFills(type, context);
  const fills = new Map<string, Fill>(systemFills(context));
  const overflow: [string, Fill][] = [];
  for (const attribute of type.attributes.values()) {
    const fill = fillOf(attribute, type, context);
    if (!fill || !('column' in attribute) || SYSTEM.has(attribute.column)) continue;
    if (attribute.kind === 'scalar' && attribute.overflow) overflow.push([attribute.name, fill]);
    else fills.set(attribute.column, special[attribute.column] ?? fill);
  }
  if (overflow.length > 0) fills.set(OVERFLOW_COLUMN, overflowFill(overflow));
  const [columns, order] = [[...fills.keys()], [...fills.values()]];
  return {
    type,
    columns,
    insert: rowInserter(type.table, columns, onConflict(type, columns)),
    valuesOf: ({ data }, version) => order.map((fill) => fill(data, version)),
  };
}

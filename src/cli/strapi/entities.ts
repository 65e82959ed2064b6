/**
 * @module A document of an answer → a row as an archive has it: values and components in it, links beside it.
 */

import { isObject } from '../../json.ts';
import { FILE_UID } from '../../registry/system-types.ts';
import { SOURCE_ID } from '../import/component-ids.ts';
import type { StrapiRow } from './answers.ts';
import type { End, LinkStore } from './link-store.ts';
import { type Attributes, type Part, partOf, type SourceModel, type SourceType } from './source-model.ts';

const TIMES = ['createdAt', 'updatedAt'] as const;

type Values = Readonly<Record<string, unknown>>;

/** Links know components by ids that are given anew: a server may have one twice. */
export interface ComponentIds {
  next: number;
}

export interface ReadingRows {
  readonly model: SourceModel;
  readonly store: LinkStore;
  /** Of the rows that are read: which versions their relations show. */
  readonly status: 'draft' | 'published';
  readonly ids: ComponentIds;
}

interface Reading extends ReadingRows {
  /** Components of this row. */
  readonly seen: Set<string>;
}

const itemsIn = (value: unknown): readonly (Values & { readonly id: number })[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (item): item is Values & { readonly id: number } => isObject(item) && Number.isSafeInteger(item.id),
  );

function noteVersion(uid: string, item: Values & { readonly id: number }, { model, store, status }: Reading): void {
  const { id, documentId, locale } = item;
  if (typeof documentId !== 'string') return;
  const published = status === 'published' || model.types.get(uid)?.draftAndPublish !== true;
  store.addVersion({ type: uid, id, documentId, locale: typeof locale === 'string' ? locale : '', published });
}

function takeMedia(owner: End, name: string, value: unknown, reading: Reading): void {
  for (const [index, item] of itemsIn(value).entries()) {
    reading.store.addFromSource({ source: owner, field: name, target: { uid: FILE_UID, id: item.id } }, index + 1);
    noteVersion(FILE_UID, item, reading);
  }
}

type Relation = Extract<Part, { readonly kind: 'relation' }>;

function takeRelation(owner: End, name: string, part: Relation, value: unknown, reading: Reading): void {
  const { target: uid, mappedBy, inversedBy } = part;
  const { store } = reading;
  for (const [index, item] of itemsIn(value).entries()) {
    const other = { uid, id: item.id };
    if (mappedBy === undefined)
      store.addFromSource({ source: owner, field: name, target: other, inverse: inversedBy }, index + 1);
    else store.addFromTarget({ source: other, field: mappedBy, target: owner, inverse: name }, index + 1);
    noteVersion(uid, item, reading);
  }
}

/** The id that a component has in the server; another one where that is none, or a second one of its row. */
function sourceId(uid: string, { id }: Values, { seen }: Reading, other: number): number {
  const key = `${uid} ${String(id)}`;
  const isGood = Number.isSafeInteger(id) && Number(id) > 0 && !seen.has(key);
  seen.add(key);
  return isGood ? Number(id) : other;
}

function componentOf(uid: string, item: Values, reading: Reading): Values {
  const id = reading.ids.next;
  reading.ids.next += 1;
  const values = valuesOf({ uid, id }, reading.model.components.get(uid) ?? {}, item, reading);
  return { id, ...values, [SOURCE_ID]: sourceId(uid, item, reading, -id) };
}

function contentOf({ uids, zone }: Extract<Part, { readonly kind: 'components' }>, value: unknown, reading: Reading) {
  const items = (Array.isArray(value) ? value : [value]).filter(isObject);
  if (zone)
    return items.map((item) => {
      const uid = String(item.__component);
      return { ...componentOf(uid, item, reading), __component: uid };
    });
  const content = items.map((item) => componentOf(uids[0] ?? '', item, reading));
  return Array.isArray(value) ? content : (content[0] ?? null);
}

/** The values of a row or component; its links go to the store. */
function valuesOf(owner: End, attributes: Attributes, row: Values, reading: Reading): Values {
  const values: Record<string, unknown> = {};
  for (const [name, json] of Object.entries(attributes)) {
    const part = partOf(name, json, reading.model);
    if (part.kind === 'media') takeMedia(owner, name, row[name], reading);
    else if (part.kind === 'relation') takeRelation(owner, name, part, row[name], reading);
    else if (row[name] === undefined) continue;
    else if (part.kind === 'components') values[name] = contentOf(part, row[name], reading);
    else if (part.kind === 'scalar') values[name] = row[name];
  }
  return values;
}

/** A line of `entities/`. */
export function entityOf({ uid, attributes, localized }: SourceType, row: StrapiRow, reading: ReadingRows): object {
  const times = Object.fromEntries(TIMES.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
  const publishedAt = reading.status === 'draft' ? null : (row.publishedAt ?? row.updatedAt ?? row.createdAt ?? null);
  const values = valuesOf({ uid, id: row.id }, attributes, row, { ...reading, seen: new Set() });
  const locale = localized ? (row.locale ?? null) : null;
  return { type: uid, id: row.id, data: { documentId: row.documentId, ...values, ...times, publishedAt, locale } };
}

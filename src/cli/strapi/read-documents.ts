/**
 * @module The documents of a running Strapi: every version in every locale, with components, zones and links.
 */
import { documentIn, type StrapiRow } from './answers.ts';
import type { StrapiClient } from './client.ts';
import { type ComponentIds, entityOf } from './entities.ts';
import type { LinkStore } from './link-store.ts';
import { pagesOf } from './pages.ts';
import { populateQueries } from './populate.ts';
import { type Attributes, partOf, type SourceModel, type SourceType } from './source-model.ts';

type Status = 'draft' | 'published';

export interface DocumentReading {
  readonly client: StrapiClient;
  readonly model: SourceModel;
  readonly store: LinkStore;
  /** Of single types, which no list has. */
  readonly locales: readonly string[];
  /** Filter of what is read; empty: everything. */
  readonly changed: string;
  readonly add: (entity: object) => Promise<void>;
  readonly ids: ComponentIds;
}

export const grantOf = ({ uid }: SourceType): string => `${uid}.find`;

/** Does a document of a type without drafts show others as drafts or as published? */
function showsVersions(attributes: Attributes, model: SourceModel, seen: Set<string> = new Set()): boolean {
  return Object.entries(attributes).some(([name, json]) => {
    const part = partOf(name, json, model);
    if (part.kind === 'relation') return model.types.get(part.target)?.draftAndPublish === true;
    if (part.kind !== 'components') return false;
    return part.uids.some((uid) => {
      if (seen.has(uid)) return false;
      seen.add(uid);
      return showsVersions(model.components.get(uid) ?? {}, model, seen);
    });
  });
}

/** The rows of a single type in one locale: one, or none. */
export async function singleRows(
  client: StrapiClient,
  type: SourceType,
  queries: readonly string[],
  more: string,
): Promise<readonly StrapiRow[]> {
  const path = `/api/${type.path}`;
  let whole: StrapiRow | undefined;
  for (const query of queries) {
    const answer = await client.json(`${path}?${query}&${more}`, grantOf(type));
    const data = answer === undefined ? null : documentIn(path, answer).data;
    if (data === null) return [];
    whole = { ...whole, ...data };
  }
  return whole ? [whole] : [];
}

async function* rowsOf({ client, model, locales, changed }: DocumentReading, type: SourceType, status: Status) {
  const queries = populateQueries(type.uid, type.attributes, model);
  const version = `status=${status}`;
  if (type.single) {
    const each = type.localized ? locales.map((code) => `&locale=${encodeURIComponent(code)}`) : [''];
    for (const locale of each) yield await singleRows(client, type, queries, `${version}${locale}`);
    return;
  }
  const more = `${version}${type.localized ? '&locale=*' : ''}${changed}`;
  const listing = { path: `/api/${type.path}`, grant: grantOf(type), form: 'documents' } as const;
  yield* pagesOf(client, { ...listing, queries: queries.map((query) => `${query}&${more}`) });
}

async function* eachOf(reading: DocumentReading, type: SourceType, status: Status): AsyncGenerator<StrapiRow> {
  for await (const rows of rowsOf(reading, type, status)) yield* rows;
}

async function readVersion(reading: DocumentReading, type: SourceType, status: Status): Promise<void> {
  for await (const row of eachOf(reading, type, status)) await reading.add(entityOf(type, row, { ...reading, status }));
}

/** A row without drafts that shows others is read twice: it has links to their drafts, and to what is published. */
async function readBoth(reading: DocumentReading, type: SourceType): Promise<void> {
  const { ids } = reading;
  const drafts = eachOf(reading, type, 'draft');
  let other = await drafts.next();
  for await (const row of eachOf(reading, type, 'published')) {
    const first = ids.next;
    const entity = entityOf(type, row, { ...reading, status: 'published' });
    while (!other.done && other.value.id < row.id) other = await drafts.next();
    if (!other.done && other.value.id === row.id) {
      ids.next = first;
      entityOf(type, other.value, { ...reading, status: 'draft' });
    }
    await reading.add(entity);
  }
}

/** Reads all documents of a type. @throws UserError for what the token may not read. */
export async function readDocuments(reading: DocumentReading, type: SourceType): Promise<void> {
  const { attributes, draftAndPublish } = type;
  if (!draftAndPublish && showsVersions(attributes, reading.model)) return readBoth(reading, type);
  if (draftAndPublish) await readVersion(reading, type, 'draft');
  await readVersion(reading, type, 'published');
}

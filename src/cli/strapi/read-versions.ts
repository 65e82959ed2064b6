/**
 * @module All versions that a running Strapi has, by their ids alone: what is not among them was deleted there.
 */
import { FILE_UID, USER_UID } from '../../registry/system-types.ts';
import type { StrapiRow } from './answers.ts';
import { type Listing, pagesOf } from './pages.ts';
import { USERS } from './read-accounts.ts';
import { type DocumentReading, grantOf, singleRows } from './read-documents.ts';
import { FILES } from './read-files.ts';
import { contentTypesOf, type SourceType } from './source-model.ts';

function add(
  { store }: DocumentReading,
  type: string,
  { id, documentId, locale }: StrapiRow,
  published: boolean,
): void {
  if (typeof documentId !== 'string') return;
  store.addVersion({ type, id, documentId, locale: typeof locale === 'string' ? locale : '', published });
}

const queryOf = ({ localized }: SourceType, status: string): string =>
  `status=${status}&fields[0]=documentId${localized ? '&fields[1]=locale' : ''}`;

async function* rowsOf({ client, locales }: DocumentReading, type: SourceType, status: 'draft' | 'published') {
  const query = queryOf(type, status);
  if (type.single) {
    const each = type.localized ? locales.map((code) => `locale=${encodeURIComponent(code)}`) : [''];
    for (const locale of each) yield await singleRows(client, type, [query], locale);
    return;
  }
  const queries = [`${query}${type.localized ? '&locale=*' : ''}`];
  yield* pagesOf(client, { path: `/api/${type.path}`, grant: grantOf(type), form: 'documents', queries });
}

async function readPlain(reading: DocumentReading, type: string, listing: Pick<Listing, 'path' | 'grant'>) {
  for await (const rows of pagesOf(reading.client, { ...listing, form: 'plain', queries: ['fields[0]=documentId'] }))
    for (const row of rows) add(reading, type, row, true);
}

/** Notes every version of every document, file and user. */
export async function readVersions(reading: DocumentReading): Promise<void> {
  for (const type of contentTypesOf(reading.model))
    for (const status of type.draftAndPublish ? (['draft', 'published'] as const) : (['published'] as const))
      for await (const rows of rowsOf(reading, type, status))
        for (const row of rows) add(reading, type.uid, row, status === 'published');
  await readPlain(reading, FILE_UID, FILES);
  await readPlain(reading, USER_UID, USERS);
}

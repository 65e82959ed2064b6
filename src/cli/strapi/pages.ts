/**
 * @module Lists of a running Strapi, page by page in the order of `id`. Each page begins behind the last row of the one
 * before, so that rows which come or go meanwhile shift nothing.
 */
import { UserError } from '../terminal.ts';
import { documentsIn, plainIn, type StrapiRow } from './answers.ts';
import { type StrapiClient, TooLarge } from './client.ts';

const PAGE = 100;
/** Rows that may come up while a list is read. */
const MORE = 10_000;
/** Rows that may be written beside the order of their ids, and so be missed. */
const FEW = 100;
/** Of a list that does not say how long it is. */
const MOST_ROWS = 10_000_000;

export interface Listing {
  /** From `/api` on. */
  readonly path: string;
  readonly grant: string;
  /** Users and files come as a bare list, documents in `data`. */
  readonly form: 'documents' | 'plain';
  /** Each page is asked for with each of them, and the rows are put together. */
  readonly queries: readonly string[];
}

interface Page {
  readonly rows: readonly StrapiRow[];
  readonly total?: number | undefined;
}

const sliceOf = (form: Listing['form'], size: number): string =>
  form === 'documents' ? `pagination[start]=0&pagination[limit]=${size}` : `start=0&limit=${size}`;

async function ask(client: StrapiClient, { path, grant, form }: Listing, query: string): Promise<Page> {
  const answer = await client.json(`${path}?${query}`, grant);
  if (answer === undefined) throw new UserError(`${client.base}${path} answers 404`);
  if (form === 'plain') return { rows: plainIn(path, answer) };
  const { data, meta } = documentsIn(path, answer);
  return { rows: data, total: meta?.pagination?.total };
}

/** The rows of a page with what the further queries say of them. One that is gone meanwhile is left out. */
async function together(
  client: StrapiClient,
  listing: Listing,
  rows: readonly StrapiRow[],
  after: number,
  size: number,
) {
  const last = rows.at(-1)?.id ?? after;
  let whole = rows;
  for (const query of listing.queries.slice(1)) {
    const range = `filters[id][$gt]=${after}&filters[id][$lte]=${last}&sort=id:asc&${sliceOf(listing.form, size)}`;
    const more = new Map((await ask(client, listing, `${range}&${query}`)).rows.map((row) => [row.id, row]));
    whole = whole.flatMap((row) => {
      const rest = more.get(row.id);
      return rest ? [{ ...row, ...rest }] : [];
    });
  }
  return whole;
}

/** @throws UserError where a page does not go on behind the one before. */
function assertForward(path: string, rows: readonly StrapiRow[], after: number): void {
  let last = after;
  for (const { id } of rows) {
    if (id <= last) throw new UserError(`${path} does not come to an end: behind the row ${last} it shows ${id}`);
    last = id;
  }
}

function assertEnds(path: string, count: number, most: number): void {
  if (count > most) throw new UserError(`${path} does not come to an end: it has shown ${count} rows`);
}

/**
 * Fewer rows than were announced: some were deleted meanwhile, or the list ends too soon.
 * @throws UserError where the server still says that it has many more.
 */
async function assertWhole(client: StrapiClient, listing: Listing, count: number): Promise<void> {
  const { total = 0 } = await ask(client, listing, queryOf(listing, 0, 1));
  if (total > count + FEW)
    throw new UserError(`${listing.path} comes to an end after ${count} rows, and says that it has ${total}`);
}

const queryOf = ({ form, queries }: Listing, after: number, size: number): string =>
  `filters[id][$gt]=${after}&sort=id:asc&${sliceOf(form, size)}&${queries[0] ?? ''}`;

/**
 * The rows of a list.
 * @throws UserError for a list that has no end, or ends too soon, and for what the client refuses.
 */
export async function* pagesOf(client: StrapiClient, listing: Listing): AsyncGenerator<readonly StrapiRow[]> {
  const { path } = listing;
  let size = PAGE;
  let after = 0;
  let count = 0;
  let announced: number | undefined;
  while (true) {
    try {
      const { rows, total } = await ask(client, listing, queryOf(listing, after, size));
      if (count === 0) announced = total;
      if (rows.length === 0) {
        if (count < (announced ?? 0)) await assertWhole(client, listing, count);
        return;
      }
      assertForward(path, rows, after);
      assertEnds(path, count + rows.length, announced === undefined ? MOST_ROWS : announced + MORE);
      const whole = await together(client, listing, rows, after, size);
      count += rows.length;
      yield whole;
      after = rows.at(-1)?.id ?? after;
    } catch (error) {
      if (!(error instanceof TooLarge) || size === 1) throw error;
      size = Math.ceil(size / 4);
    }
  }
}

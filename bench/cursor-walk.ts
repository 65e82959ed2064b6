/**
 * @module The pages of a walk: each is asked for by the cursor that the page before it gave.
 */
import type { Registry } from '../src/schema/model.ts';
import { productHandler, serve } from './database-cost.ts';
import { type BenchRequest, type BenchRow, headersOf } from './rows.ts';
import { withDatabase } from './seed.ts';

const PAGES = 20;

interface Page {
  readonly meta: { readonly pagination: { readonly next: string | null } };
}

/** Follows the cursors from the page of `first`, which has none to seek by and is not among the pages. */
export async function pagesAfter(
  first: BenchRequest,
  send: (request: BenchRequest) => Promise<Response>,
): Promise<readonly BenchRequest[]> {
  const pages = [first];
  for (let page = first; pages.length < PAGES; pages.push(page)) {
    const { meta } = (await (await send(page)).json()) as Page;
    if (meta.pagination.next === null) break;
    page = { ...first, path: first.path + meta.pagination.next };
  }
  return pages.slice(1);
}

/** The rows, with all pages of those that walk, as the database under `state` has them. */
export const walked = (
  rows: readonly BenchRow[],
  size: number,
  { config, state, registry }: { readonly config: string; readonly state: string; readonly registry: Registry },
): Promise<readonly BenchRow[]> =>
  withDatabase(config, state, async (database) => {
    const product = productHandler(registry);
    const send = (page: BenchRequest) => {
      const request = new Request(`http://localhost${page.path}`, { headers: headersOf(page) });
      return serve(product, request, { DB: database } as unknown as Env);
    };
    const all: BenchRow[] = [];
    for (const row of rows) {
      const [first] = row.requests(size);
      const pages = row.walks && first ? await pagesAfter(first, send) : undefined;
      all.push(pages ? { ...row, requests: () => pages } : row);
    }
    return all;
  });

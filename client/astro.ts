/**
 * @module Collections of a site with Astro: what it imports as `edgewise-client/astro`.
 */
import type { LiveLoader, LoaderContext } from 'astro/loaders';
import { any as unchecked, type ZodType } from 'astro/zod';
import type { Client, Document, Query } from './index.ts';
import type { Model } from './model.ts';
import type { ContentTypesOf } from './operations.ts';
import type { Checked, OneQuery } from './queries.ts';
import { ALL, type ModelName, type UidOf } from './tags.ts';
import { respondToWebhook } from './webhook-route.ts';

type CollectionName<C extends ContentTypesOf<C>> = {
  [Name in keyof C]: C[Name]['kind'] extends 'collectionType' ? Name : never;
}[keyof C];

/** What selects parts of each document. */
type Shape<C extends ContentTypesOf<C>, Name extends keyof C> = OneQuery<C[Name]['model']>;

type Unique<C extends ContentTypesOf<C>, Name extends keyof C> = {
  [A in C[Name]['model']['unique']]: { readonly [B in A]: string | number };
}[C[Name]['model']['unique']];

/** Of an entry: its documentId, or a unique attribute such as `{ slug: 'night' }`. */
export type EntryFilter<C extends ContentTypesOf<C>, Name extends keyof C> = Omit<
  Shape<C, Name>,
  'fields' | 'populate'
> &
  ({ readonly id: string } | Unique<C, Name>);

/** Of a collection: what `find` takes, but for what the loader selects. Without `pagination` all documents are found. */
export type CollectionFilter<C extends ContentTypesOf<C>, Name extends keyof C> = Omit<
  Query<C, Name>,
  'fields' | 'populate' | 'facets' | 'highlights'
>;

/** What a build reads. */
type BuildQuery<C extends ContentTypesOf<C>, Name extends keyof C> = Omit<
  Query<C, Name>,
  'pagination' | 'facets' | 'highlights'
>;

interface Row extends Readonly<Record<string, unknown>> {
  readonly documentId: string;
  readonly locale?: string | null;
}

interface Page {
  readonly data: readonly Row[];
  readonly meta: { readonly pagination: { readonly next?: string | null } };
  readonly etag?: string;
}

/** The operations of a content type, without the types of its documents. */
interface Operations {
  find(query: object): Promise<Page>;
  findOne(document: unknown, query: object): Promise<{ readonly data: Row }>;
  each(query: object): AsyncIterable<Row>;
}

interface Asked {
  readonly status?: string | undefined;
  readonly locale?: string | readonly string[] | undefined;
  readonly pagination?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Several locales have entries of one document. */
const idOf = ({ documentId, locale }: Row, asked: Asked): string =>
  Array.isArray(asked.locale) || asked.locale === '*' ? `${documentId}/${locale}` : documentId;

/** Returns the latest `updatedAt` of a document and all that it shows, in milliseconds; `-Infinity` without one. */
function latestChange(value: unknown): number {
  if (typeof value !== 'object' || value === null) return Number.NEGATIVE_INFINITY;
  const own = 'updatedAt' in value ? Date.parse(String(value.updatedAt)) : Number.NaN;
  return Math.max(Number.isNaN(own) ? Number.NEGATIVE_INFINITY : own, ...Object.values(value).map(latestChange));
}

/** A draft has none: no cache may store its page. */
function hintOf(shown: unknown, tags: readonly string[], { status }: Asked) {
  if (status === 'draft') return {};
  const time = latestChange(shown);
  return { cacheHint: { tags: [...tags], ...(Number.isFinite(time) && { lastModified: new Date(time) }) } };
}

const CHOICES = ['status', 'locale', 'fallback', 'headers', 'signal', 'init'];

/** Separates the document from the options. @throws TypeError without a document */
function documentIn(filter: object): { readonly document: unknown; readonly options: object } {
  const isOption = ([name]: readonly [string, unknown]) => CHOICES.includes(name);
  const named = Object.entries(filter).filter((entry) => !isOption(entry));
  const [[name, value] = []] = named;
  if (named.length !== 1 || value === undefined) throw new TypeError('An entry has an id or one unique attribute');
  const options = Object.fromEntries(Object.entries(filter).filter(isOption));
  return { document: name === 'id' ? value : { [name as string]: value }, options };
}

const statusOf = (error: unknown): unknown => (error as { readonly status?: unknown } | null)?.status;

/**
 * Returns a live loader: it reads when a page is requested, and gives the page its tags.
 * @param name of a collection type, as `client` has it
 * @param query what it selects of each document
 * @param tags singular names of the types that it shows or filters by, relations included; without it, any change is one
 */
export function liveLoader<
  C extends ContentTypesOf<C>,
  Name extends CollectionName<C>,
  U extends Model,
  const Q extends Shape<C, Name> = Record<never, never>,
>(
  client: Client<C, U>,
  name: Name,
  query?: Q & Checked<Q, Shape<C, Name>>,
  tags: readonly ModelName<UidOf<C[keyof C]>>[] = [ALL as never],
): LiveLoader<Document<C, Name, Q>, EntryFilter<C, Name>, CollectionFilter<C, Name>, Error> {
  type Shown = Document<C, Name, Q>;
  const documents = client.$type(name) as unknown as Operations;
  return {
    name: 'edgewise',
    async loadEntry({ filter }) {
      try {
        const { document, options } = documentIn(filter);
        const asked: Asked = { ...query, ...options };
        const { data } = await documents.findOne(document, asked);
        return { id: idOf(data, asked), data: data as Shown, ...hintOf(data, tags, asked) };
      } catch (error) {
        return statusOf(error) === 404 ? undefined : { error: error as Error };
      }
    },
    async loadCollection({ filter }) {
      try {
        const asked: Asked = { ...query, ...filter };
        const found = asked.pagination ? (await documents.find(asked)).data : await all(documents.each(asked));
        const entries = found.map((data) => ({
          ...{ id: idOf(data, asked), data: data as Shown },
          ...hintOf(data, tags, asked),
        }));
        return { entries, ...hintOf(found, tags, asked) };
      } catch (error) {
        return { error: error as Error };
      }
    },
  };
}

async function all(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

/** A page of the list, as it was read last. */
interface StoredPage {
  readonly etag: string | undefined;
  readonly next: string | null;
  readonly ids: readonly string[];
}

const PAGES = 'pages';

/**
 * Returns a loader for builds. It asks the API for what has changed since the last one, by the `ETag` of each page of 100:
 * where nothing has changed, no documents are read. Only changed ones are parsed and stored again, deleted ones are removed.
 * @param query what it selects, which documents too
 */
export function contentLoader<
  C extends ContentTypesOf<C>,
  Name extends CollectionName<C>,
  U extends Model,
  const Q extends BuildQuery<C, Name> = Record<never, never>,
>(client: Client<C, U>, name: Name, query?: Q & Checked<Q, BuildQuery<C, Name>>) {
  const documents = client.$type(name) as unknown as Operations;
  const asked: Asked = query ?? {};

  async function loadPage(context: LoaderContext, after: string, known: StoredPage | undefined): Promise<StoredPage> {
    const { store, parseData, generateDigest } = context;
    const etag = known?.ids.every((id) => store.has(id)) ? known.etag : undefined;
    const headers = { ...asked.headers, ...(etag !== undefined && { 'If-None-Match': etag }) };
    let page: Page;
    try {
      page = await documents.find({ ...asked, pagination: { limit: 100, after }, headers });
    } catch (error) {
      if (known && etag !== undefined && statusOf(error) === 304) return known;
      throw error;
    }
    const { next } = page.meta.pagination;
    if (next === undefined) throw new Error('The response has no meta.pagination.next: the API has no cursors');
    const ids: string[] = [];
    for (const row of page.data) {
      const id = idOf(row, asked);
      const digest = generateDigest(row);
      if (store.get(id)?.digest !== digest) store.set({ id, data: await parseData({ id, data: row }), digest });
      ids.push(id);
    }
    return { etag: page.etag, next, ids };
  }

  return {
    name: 'edgewise',
    /** Types the entries; the API has checked them. */
    schema: unchecked() as ZodType<Document<C, Name, Q>>,
    async load(context: LoaderContext): Promise<void> {
      const { store, meta } = context;
      const known = JSON.parse(meta.get(PAGES) ?? '{}') as Readonly<Record<string, StoredPage>>;
      const pages: Record<string, StoredPage> = {};
      for (let after: string | null = ''; after !== null; ) {
        const page: StoredPage = await loadPage(context, after, known[after]);
        pages[after] = page;
        after = page.next;
      }
      const found = new Set(Object.values(pages).flatMap(({ ids }) => ids));
      for (const id of store.keys()) if (!found.has(id)) store.delete(id);
      meta.set(PAGES, JSON.stringify(pages));
    },
  };
}

/** What Astro gives a route, as far as it is used. */
interface RouteContext {
  readonly request: Request;
  readonly cache: { invalidate(options: { tags: string[] }): Promise<void> };
}

/**
 * Returns the `POST` of a route that a webhook calls: it checks the signature, and invalidates the tags of what has changed.
 * @param secret that which `secret` of the webhook in the settings names
 */
export const invalidateRoute =
  ({ secret }: { readonly secret: string | undefined }) =>
  ({ request, cache }: RouteContext): Promise<Response> =>
    respondToWebhook(request, secret, (tags) => cache.invalidate({ tags: [...tags] }));

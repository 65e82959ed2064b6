/**
 * @module The rows of the benchmark as data. A new row is an entry here, and a handler in `handwritten/`.
 */
import { articleDocumentId } from './seed-data.ts';

export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Made anew for each sending, from a number that never comes twice. */
  readonly body?: (unique: number) => unknown;
}

export interface BenchRow {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** What is asked, in turn, of a database of `size` documents. */
  requests(size: number): readonly BenchRequest[];
  /** Rows are compared text by text; `true` leaves out what no two servers would answer alike (ids, times). */
  readonly freshDocument?: boolean;
}

const get = (path: string): BenchRequest => ({ method: 'GET', path: encodeURI(path) });

const put = (path: string, body: BenchRequest['body']): BenchRequest => ({
  method: 'PUT',
  path,
  ...(body && { body }),
});

/** Published documents all over the table. */
const someDocuments = (size: number): readonly string[] =>
  Array.from({ length: 40 }, (_, index) => articleDocumentId(Math.floor((index * size) / 400) * 10 + 1));

const RATED = 'filters[rating][$gte]=3&filters[title][$contains]=harbour&sort=publishDate:desc,title';

const BY_SLUG = 'filters[slug][$eq]=article-501';
const BY_AUTHOR = 'filters[author][name][$eq]=Author 3';
const POPULATE = 'populate[0]=author&populate[1]=tags&populate[2]=cover&populate[3]=seo';

const articleInput = (unique: number) => ({
  data: {
    title: `A letter from the harbour ${unique}`,
    slug: `letter-from-the-harbour-${unique}`,
    summary: 'What the pilots say about the new light, and what the light would say about the pilots.',
    body: 'The tide does not wait for the clerk. '.repeat(14).trim(),
    format: 'report',
    publishDate: '2026-03-14',
    airTime: '18:30:00.000',
    reviewedAt: '2026-03-13T09:30:00.000Z',
    readingMinutes: 7,
    views: '9007199254740993',
    rating: 4.5,
    score: 0.75,
    featured: true,
    keywords: { topics: ['harbour', 'light'] },
    contact: 'desk@example.com',
  },
});

const articleChange = (unique: number) => ({
  data: { title: `A second letter ${unique}`, rating: unique % 5, reviewedAt: '2026-04-01T08:00:00.000Z' },
});

export const ROWS: readonly BenchRow[] = [
  { name: 'list', title: 'list 25', requests: () => [get('/api/articles')] },
  {
    name: 'one',
    title: 'get one',
    requests: (size) => someDocuments(size).map((documentId) => get(`/api/articles/${documentId}`)),
  },
  { name: 'filter', title: 'filtered, sorted list', requests: () => [get(`/api/articles?${RATED}`)] },
  { name: 'slug', title: 'find by slug', requests: () => [get(`/api/articles?${BY_SLUG}`)] },
  { name: 'relation', title: 'filter on a relation', requests: () => [get(`/api/articles?${BY_AUTHOR}`)] },
  { name: 'populate', title: 'list 25, 4 populates', requests: () => [get(`/api/articles?${POPULATE}`)] },
  {
    name: 'update',
    title: 'update, published',
    requests: (size) => someDocuments(size).map((documentId) => put(`/api/articles/${documentId}`, articleChange)),
    freshDocument: true,
  },
  {
    name: 'create',
    title: 'create, published',
    requests: () => [{ method: 'POST', path: '/api/articles', body: articleInput }],
    freshDocument: true,
  },
];

/** What the platform alone costs: one batch of `select 1` by the hand-written Worker. */
export const FLOOR: BenchRow = { name: 'floor', title: 'floor', requests: () => [get('/floor')] };

/** The API token that every request carries; the seed stores its hash. */
export const TOKEN = 'bench-token-0123456789abcdef';

export const headersOf = (request: BenchRequest): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${TOKEN}`,
  ...(request.body && { 'content-type': 'application/json' }),
});

/**
 * @module The rows of the benchmark as data. A new row is an entry here, and a handler in `handwritten/`.
 */
import { articleChange, articleInput, dossierChange, dossierInput } from './bodies.ts';
import { articleDocumentId, dossierDocumentId, LINKED_DOSSIERS } from './seed-data.ts';

export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Is the same question asked again and again? Else each is new to the product, which remembers its answers. */
  readonly again?: true;
  /** Made anew for each sending, from a number that never comes twice. */
  readonly body?: (unique: number) => unknown;
}

export interface BenchRow {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** What is asked, in turn, of a database of `size` documents. */
  requests(size: number): readonly BenchRequest[];
  /** For writes: the query string of a read that shows all that was to be written. */
  readonly written?: string;
}

const get = (path: string): BenchRequest => ({ method: 'GET', path: encodeURI(path) });

/** Published documents all over the table. */
const someDocuments = (size: number): readonly string[] =>
  Array.from({ length: 40 }, (_, index) => articleDocumentId(Math.floor((index * size) / 400) * 10 + 1));

/** Published dossiers with many links. */
const linkedDossiers = Array.from({ length: LINKED_DOSSIERS }, (_, index) => index + 1)
  .filter((number) => number % 10 !== 0)
  .map(dossierDocumentId);

const RATED = 'filters[rating][$gte]=3&filters[title][$contains]=harbour&sort=publishDate:desc,title';
const BY_SLUG = 'filters[slug][$eq]=article-501';
const BY_AUTHOR = 'filters[author][name][$eq]=Author 3';
const BY_TAG = 'filters[tags][slug][$eq]=tag-4';
const POPULATE = 'populate[author]=true&populate[tags]=true&populate[cover]=true&populate[seo][populate]=shareImage';
const DEEP =
  'populate[author][populate][publisher][populate]=logo&populate[author][populate][beats][populate]=category';
const DOSSIER = 'populate[editor]=true&populate[tags]=true&populate[sections][populate]=*';

/** Rows of which there is one with known answers. */
const REPEATED = new Set(['list', 'one', 'filter', 'populate', 'populate-100', 'populate-deep']);

const list = (name: string, title: string, query = ''): BenchRow => ({
  name,
  title,
  requests: () => [get(`/api/articles${query && '?'}${query}`)],
});

const READS: readonly BenchRow[] = [
  list('list', 'list 25'),
  {
    name: 'one',
    title: 'get one',
    requests: (size) => someDocuments(size).map((documentId) => get(`/api/articles/${documentId}`)),
  },
  list('filter', 'filtered, sorted list', RATED),
  list('slug', 'find by slug', BY_SLUG),
  list('relation', 'filter on a relation to one', BY_AUTHOR),
  list('relation-many', 'filter on a relation to many', BY_TAG),
  list('populate', 'list 25, 4 populates', POPULATE),
  list('populate-100', 'list 100, 4 populates', `pagination[pageSize]=100&${POPULATE}`),
  list('populate-deep', 'list 25, populate depth 3', DEEP),
];

/** The same questions, repeated. */
const AGAIN: readonly BenchRow[] = READS.filter(({ name }) => REPEATED.has(name)).map((row) => ({
  name: `${row.name}-again`,
  title: `${row.title}, again`,
  requests: (size) => row.requests(size).map((request) => ({ ...request, again: true })),
}));

const WRITES: readonly BenchRow[] = [
  {
    name: 'update',
    title: 'update, published',
    requests: (size) =>
      someDocuments(size).map((documentId) => ({
        method: 'PUT',
        path: `/api/articles/${documentId}`,
        body: articleChange,
      })),
    written: POPULATE,
  },
  {
    name: 'create',
    title: 'create, published',
    requests: () => [{ method: 'POST', path: '/api/articles', body: articleInput }],
    written: POPULATE,
  },
  {
    name: 'create-linked',
    title: 'create, 2 relations, zone',
    requests: () => [{ method: 'POST', path: '/api/dossiers', body: dossierInput }],
    written: DOSSIER,
  },
  {
    name: 'update-linked',
    title: 'update one field, 201 links',
    requests: () =>
      linkedDossiers.map((documentId) => ({ method: 'PUT', path: `/api/dossiers/${documentId}`, body: dossierChange })),
    written: DOSSIER,
  },
];

/** Writes come last: what they leave behind differs from server to server. */
export const ROWS: readonly BenchRow[] = [...READS, ...AGAIN, ...WRITES];

/** What the platform alone costs: one batch of `select 1` by the hand-written Worker. */
export const FLOOR: BenchRow = { name: 'floor', title: 'floor', requests: () => [get('/floor')] };

/** A path that means the same, with other letters in capitals: one of 2,048 for `/api/articles`. */
function inCapitals(path: string, number: number): string {
  const [, prefix = '', rest = path] = /^(\/api\/\w+)(.*)$/.exec(path) ?? [];
  let bits = number;
  const letters = prefix.replace(/[a-z]/g, (letter) => {
    const capital = bits % 2 === 1;
    bits = Math.floor(bits / 2);
    return capital ? letter.toUpperCase() : letter;
  });
  return letters + rest;
}

/** @param unique a number that no other sending has. */
export const pathOf = ({ method, path, again }: BenchRequest, unique: number): string =>
  method === 'GET' && !again ? inCapitals(path, unique) : path;

/** The API token that every request carries; the seed stores its hash. */
export const TOKEN = 'bench-token-0123456789abcdef';

export const headersOf = (request: BenchRequest): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${TOKEN}`,
  ...(request.body && { 'content-type': 'application/json' }),
});

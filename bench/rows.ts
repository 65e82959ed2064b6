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
  /** Has the caller the answer already, and asks whether it still holds (`If-None-Match`)? */
  readonly revalidates?: true;
  /** Made anew for each sending, from a number that never comes twice: a text is sent as it is, others as JSON. */
  readonly body?: (unique: number) => unknown;
  /** Of the body, if that is no JSON. */
  readonly contentType?: string;
}

export interface BenchRow {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** What is asked, in turn, of a database of `size` documents. */
  requests(size: number): readonly BenchRequest[];
  /** Pages of a list by their cursors: `requests` has the first, and the others follow from it. */
  readonly walks?: true;
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
/** Counts what a filter without an index leaves. */
const FACETS = 'facets=format,author&filters[rating][$gte]=3';
const BY_AUTHOR = 'filters[author][name][$eq]=Author 3';
const BY_TAG = 'filters[tags][slug][$eq]=tag-4';
/** Everything that a list of articles shows of each. */
export const POPULATE =
  'populate[author]=true&populate[tags]=true&populate[cover]=true&populate[seo][populate]=shareImage';
const DEEP =
  'populate[author][populate][publisher][populate]=logo&populate[author][populate][beats][populate]=category';
const TYPES = ['author.author', 'tag.tag', 'publisher.publisher']
  .map((uid) => `populate[about][on][api::${uid}]=true`)
  .join('&');
/** Of lists that grow with the database. */
const FIRST = 'populate[articles][limit]=3&populate[articles][fields]=title,slug';
const BY_RATING = 'sort=rating:desc,title';
/** Found in the title of few documents, at any size. */
const SEARCH = '_q=harbour 911';
const WORDS = 'search=harbour 911';
const DOSSIER = 'populate[editor]=true&populate[tags]=true&populate[sections][populate]=*';

/** Rows of which there is one with known answers. */
const REPEATED = new Set(['list', 'one', 'filter', 'populate', 'populate-100', 'populate-deep']);

const list = (name: string, title: string, query: string): BenchRow => ({
  name,
  title,
  requests: () => [get(`/api/articles?${query}`)],
});

const READS: readonly BenchRow[] = [
  list('list', 'list 25', 'pagination[pageSize]=25'),
  {
    name: 'one',
    title: 'get one',
    requests: (size) => someDocuments(size).map((documentId) => get(`/api/articles/${documentId}`)),
  },
  list('filter', 'filtered, sorted list', RATED),
  list('slug', 'find by slug', BY_SLUG),
  { name: 'lookup', title: 'get one by slug', requests: () => [get('/api/articles/slug:article-501')] },
  list('relation', 'filter on a relation to one', BY_AUTHOR),
  list('relation-many', 'filter on a relation to many', BY_TAG),
  list('populate', 'list 25, 4 populates', POPULATE),
  list('populate-100', 'list 100, 4 populates', `pagination[pageSize]=100&${POPULATE}`),
  list('populate-deep', 'list 25, populate depth 3', DEEP),
  { name: 'populate-types', title: 'list 25, populate 3 types', requests: () => [get(`/api/stories?${TYPES}`)] },
  { name: 'populate-first', title: 'list 25, the first 3 of a list', requests: () => [get(`/api/tags?${FIRST}`)] },
  list('facets', 'filtered list, 2 facets', FACETS),
  list('sort', 'sorted by an index', BY_RATING),
  {
    ...list('cursor', 'pages of 100 by cursor', `${BY_RATING}&pagination[limit]=100&pagination[after]=`),
    walks: true,
  },
  list('search', 'search, no index', SEARCH),
  { name: 'search-index', title: 'search, index', requests: () => [get(`/api/stories?${SEARCH}`)] },
  { name: 'search-words', title: 'search by words, ranked', requests: () => [get(`/api/stories?${WORDS}`)] },
];

/** The same questions, repeated. */
const AGAIN: readonly BenchRow[] = READS.filter(({ name }) => REPEATED.has(name)).map((row) => ({
  name: `${row.name}-again`,
  title: `${row.title}, again`,
  requests: (size) => row.requests(size).map((request) => ({ ...request, again: true })),
}));

const HELD: BenchRow = {
  name: 'revalidate',
  title: 'list 25, 4 populates, 304',
  requests: () => [{ ...get(`/api/articles?${POPULATE}`), again: true, revalidates: true }],
};

/** One write for so many reads. */
const READS_FOR_A_WRITE = 19;

/** Before other writes: its reads are compared, and those leave different documents behind. */
const MIXED: BenchRow = {
  name: 'populate-writes',
  title: 'list 25, 4 populates, again, 1 write in 20',
  requests: (size) =>
    someDocuments(size).flatMap((documentId) => [
      ...Array.from({ length: READS_FOR_A_WRITE }, () => ({
        ...get(`/api/articles?${POPULATE}`),
        again: true as const,
      })),
      { method: 'PUT', path: `/api/articles/${documentId}`, body: articleChange },
    ]),
};

const WRITES: readonly BenchRow[] = [
  MIXED,
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

const FORM_BOUNDARY = 'bench-boundary';
const FILE_LINES = 100;

/** A form with so many small text files. */
const formOf = (files: number) => (unique: number) => {
  const text = `A line of file ${unique}, as long as lines are.\r\n`.repeat(FILE_LINES);
  const part = (number: number) =>
    `--${FORM_BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="note-${unique}-${number}.txt"\r\n` +
    `Content-Type: text/plain\r\n\r\n${text}\r\n`;
  return `${Array.from({ length: files }, (_, index) => part(index)).join('')}--${FORM_BOUNDARY}--\r\n`;
};

const upload = (name: string, title: string, files: number): BenchRow => ({
  name,
  title,
  requests: () => [
    {
      method: 'POST',
      path: '/api/upload',
      body: formOf(files),
      contentType: `multipart/form-data; boundary=${FORM_BOUNDARY}`,
    },
  ],
});

/** Of the media library, which the hand-written Worker does not have: for `--against`. */
export const MEDIA_ROWS: readonly BenchRow[] = [
  {
    name: 'files',
    title: 'list 25 files',
    requests: () => [get('/api/upload/files/page?pagination[pageSize]=25')],
  },
  upload('upload', 'upload, 5 KB of text', 1),
  upload('upload-many', 'upload, 10 files', 10),
];

/** Writes come last: what they leave behind differs from server to server. */
export const ROWS: readonly BenchRow[] = [...READS, ...AGAIN, HELD, ...WRITES];

/** What the platform alone costs: one batch of `select 1` by the hand-written Worker. */
export const FLOOR: BenchRow = { name: 'floor', title: 'floor', requests: () => [get('/floor')] };

/** The first letters and digits of a text, each as it is or in another way: one of 2,048 texts. Escapes stay as they are. */
function respelled(text: string, number: number, other: (letter: string) => string): string {
  let bits = number % 2_048;
  return text.replace(/%[\dA-F]{2}|[a-z\d]/g, (letter) => {
    const changes = letter.length === 1 && bits % 2 === 1;
    if (letter.length === 1) bits = Math.floor(bits / 2);
    return changes ? other(letter) : letter;
  });
}

const capital = (letter: string): string => letter.toUpperCase();
const escaped = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

/**
 * A path that means the same, and was not asked for before: the product knows neither the answer, nor, where there is a
 * query string, how it was planned.
 */
function spelledAnew(path: string, number: number): string {
  const [, prefix, id = '', query = ''] = /^(\/api\/\w+)([^?]*)(.*)$/.exec(path) ?? [];
  if (prefix === undefined) return path;
  return query ? prefix + id + respelled(query, number, escaped) : respelled(prefix, number, capital) + id;
}

/** @param unique a number that no other sending has. */
export const pathOf = ({ method, path, again }: BenchRequest, unique: number): string =>
  method === 'GET' && !again ? spelledAnew(path, unique) : path;

/** The API token that every request carries; the seed stores its hash. */
export const TOKEN = 'bench-token-0123456789abcdef';

/** @param held the tag of the answer that the caller has. */
export const headersOf = (request: BenchRequest, held?: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${TOKEN}`,
  ...(held !== undefined && { 'if-none-match': held }),
  ...(request.body && { 'content-type': request.contentType ?? 'application/json' }),
});

/** @param unique as for `pathOf` */
export function bodyOf({ body }: BenchRequest, unique: number): string | undefined {
  const value = body?.(unique);
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

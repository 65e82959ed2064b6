/**
 * @module `api.rest` of the settings: pages, errors, publication, limits of requests and responses; and `api.documents`.
 */
import * as z from 'zod/mini';
import { flag, number, positive, section } from './setting-values.ts';

const limits = section({
  /** Characters of a query string. */
  queryLength: number(65_536),
  /** Parameters of a query string or a form. */
  parameters: number(5_000),
  /** Conditions in one `filters`; as many through relations stay under D1's 100 KB of SQL. */
  conditions: number(200),
  /** Text searches in one `filters` (`$contains` and the like): each reads every text again. */
  searchedTexts: number(50),
  /** Words of one `search`. */
  searchWords: number(10),
  /** Values in one list of a query string or a form; in a filter they are one bound parameter. */
  listItems: number(2_000),
  /** Keys of a whole `populate`; a wildcard is one. */
  populateNodes: number(1_000),
  /** Levels of `populate`, all read in one statement. */
  populateDepth: number(10),
  /** Nested to-many relations: each multiplies the rows of a response. */
  populateLists: number(4),
  /** Rows of one response at all levels of `populate`, and rows that filters and counts scan. */
  answerRows: number(20_000),
  /** Bytes of the values of one response. */
  answerBytes: number(8_388_608),
  /** Entries of the unpaged `GET /api/users` and `GET /api/upload/files`. */
  plainList: number(1_000),
  /** Terms of one `sort`; D1 stops at 100. */
  sortTerms: number(20),
  /** Attributes in `facets`; a function of SQLite in D1 takes 32 values. */
  facets: z._default(z.int().check(z.gte(1), z.lte(20)), 10),
  /** Bytes of a request body, or of all fields of an upload. */
  bodyBytes: number(1_048_576),
  /** Entries of relations, components, zones and blocks in a body, in total. */
  bodyEntries: number(5_000),
  /** Levels of a JSON body, and of JSON text in it; a value may have both, and SQLite reads 1,000. */
  bodyDepth: z._default(z.int().check(z.gte(1), z.lte(400)), 100),
  /** Passwords in a body; each takes 100 to 200 ms of CPU. */
  passwords: number(10),
});

const status = z.enum(['published', 'draft']);

export const rest = section({
  defaultLimit: number(25),
  maxLimit: z._default(z.nullable(positive), 100),
  withCount: flag(true),
  strictParams: flag(true),
  createResponse: z._default(z.enum(['documented', 'strapi']), 'documented'),
  /** `documented`: an error of a body names every wrong attribute. */
  errorDetails: z._default(z.enum(['documented', 'strapi']), 'documented'),
  publication: flag(true),
  /** Are there the parameters and paths of reads that Strapi does not have, and whose description names it? */
  extensions: flag(true),
  /** May requests name `populate=@deep:3`, which costs what the content types make of it? */
  deepPopulate: flag(false),
  publicDrafts: flag(false),
  /** What a write without `status` changes: of all types, or by uid. */
  defaultStatus: z._default(z.union([status, z.record(z.string(), status)]), 'published'),
  limits,
});

/** `api.documents`. */
export const documents = section({
  strictRelations: flag(true),
  /** A relation with `connect` or `disconnect` beside `set`: an error, or as Strapi reads it, without an error. */
  mixedRelations: z._default(z.enum(['reject', 'strapi']), 'reject'),
});

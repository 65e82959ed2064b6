/**
 * @module The named limits of requests and answers, `api.rest.limits` of the settings.
 */
import * as z from 'zod/mini';
import { number, section } from './setting-values.ts';

export const limits = section({
  /** Characters of a query string. */
  queryLength: number(65_536),
  /** Parameters of a query string or a form. */
  parameters: number(5_000),
  /** Conditions in one `filters`; as many through relations stay under D1's 100 KB of SQL. */
  conditions: number(200),
  /** Texts that one `filters` looks for (`$contains` and its kin): each reads every text again. */
  searchedTexts: number(50),
  /** Values in one list of a query string or a form; in a filter they travel as one bound parameter. */
  listItems: number(2_000),
  /** Keys of a whole `populate`. */
  populateNodes: number(100),
  /** Levels of `populate`, all read in one statement. */
  populateDepth: number(10),
  /** Relations to many inside one another: each multiplies the rows of an answer. */
  populateLists: number(4),
  /** Rows of one answer, at every level of `populate`, and rows that its filters and counts look at. */
  answerRows: number(20_000),
  /** Bytes of the texts, components and other values of one answer. */
  answerBytes: number(8_388_608),
  /** Entries in one answer of `GET /api/users` and `GET /api/upload/files`, which have no pages unless asked for. */
  plainList: number(1_000),
  /** Terms of one `sort`; D1 stops at 100. */
  sortTerms: number(20),
  /** Bytes of a request body; of an upload, bytes of all its fields together. */
  bodyBytes: number(1_048_576),
  /** Entries of relations, components and zones in a body, and nodes of its blocks, all together. */
  bodyEntries: number(5_000),
  /** Levels of nesting in a JSON body, and in JSON text of one; SQLite reads a thousand, and both may meet in a value. */
  bodyDepth: z._default(z.int().check(z.gte(1), z.lte(400)), 100),
  /** Passwords in a body; each takes 100 to 200 ms of CPU. */
  passwords: number(10),
});

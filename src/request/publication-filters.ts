/**
 * @module The values of `publicationFilter`: one list for the parser and the documentation.
 */

/** The cohorts of documents it selects, by what there is of them. */
export const PUBLICATION_FILTERS = [
  'never-published',
  'has-published-version',
  'modified',
  'unmodified',
  'never-published-document',
  'has-published-version-document',
  'published-without-draft',
  'published-with-draft',
] as const;

export type PublicationFilter = (typeof PUBLICATION_FILTERS)[number];

/**
 * @module The groups of an archive.
 */

/** As Strapi groups them: documents, users and their links; bytes; settings. */
export const GROUPS = ['content', 'files', 'config'] as const;
export type Group = (typeof GROUPS)[number];

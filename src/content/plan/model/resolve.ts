/**
 * @module Names of a request that stand for attributes of the registry.
 */
import { systemScalar } from '../../../schema/attributes.ts';
import type { ScalarAttribute } from '../../../schema/model.ts';

export const childPath = (path: string | null, key: string): string => (path === null ? key : `${path}.${key}`);

export const DOCUMENT_ID = systemScalar('documentId', 'string');
/** Compared as text: like in Strapi, an `id` that is not a number matches nothing. */
export const ID = systemScalar('id', 'string');

/** Of rows that a search finds; no row has it as a value. */
export const RANK = systemScalar('_rank', 'integer');

/** Returns the attribute for `id` and `documentId`, which filter and sort without being in the schema. */
export const identityOf = (key: string): ScalarAttribute | undefined =>
  [ID, DOCUMENT_ID].find(({ name }) => name === key);

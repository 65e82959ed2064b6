/**
 * @module Attributes as a schema file declares them, and the names that it may give them.
 */
import { attributeOf, type Owner } from './attributes.ts';
import type { Attribute } from './model.ts';
import { OVERFLOW_COLUMN, SYSTEM_COLUMNS, snakeCase } from './names.ts';
import type { ContentTypeJson } from './schema-json.ts';

/** Complains about a key of a file: what was expected there. */
export type Report = (file: string, key: string, expected: string) => void;

const RESERVED = new Set(['id', 'documentId', 'document_id', 'createdAt', 'updatedAt', 'publishedAt', 'createdBy']);
for (const name of ['updatedBy', 'locale', 'localizations', 'meta', '__component', 'strapi_stage']) RESERVED.add(name);
/** A parameter of types with drafts; other types, and components, may have such an attribute, as in Strapi. */
const RESERVED_WITH_DRAFTS = new Set([...RESERVED, 'status']);

interface Surroundings {
  /** Attributes that the type has beside them. */
  readonly before?: Iterable<string>;
  readonly draftAndPublish?: boolean;
}

export function attributesOf(
  owner: Owner,
  declared: ContentTypeJson['attributes'],
  file: string,
  report: Report,
  { before = [], draftAndPublish = false }: Surroundings = {},
) {
  const reserved = draftAndPublish ? RESERVED_WITH_DRAFTS : RESERVED;
  const attributes = new Map<string, Attribute>();
  const columns = new Map<string, string>(SYSTEM_COLUMNS.map((column) => [column, column]));
  for (const name of before) columns.set(snakeCase(name), name);
  for (const [name, json] of Object.entries(declared)) {
    const key = `attributes.${name}`;
    const column = snakeCase(name);
    if (reserved.has(name) || column === OVERFLOW_COLUMN) report(file, key, 'another name: this one is reserved');
    const taken = columns.get(column);
    if (taken && !reserved.has(name)) report(file, key, `a name that differs from "${taken}" by more than its case`);
    columns.set(column, name);
    try {
      attributes.set(name, attributeOf(name, json, owner));
    } catch (error) {
      report(file, key, (error as Error).message);
    }
  }
  return attributes;
}

/**
 * @module Declared attributes of a schema file, and the rules of their names.
 */
import { attributeOf, type Owner } from './attributes.ts';
import type { Attribute } from './model.ts';
import { columnName, OVERFLOW_COLUMN, SYSTEM_COLUMNS } from './names.ts';
import type { ContentTypeJson } from './schema-json.ts';

/** Reports what was expected at a key of a file. */
export type Report = (file: string, key: string, expected: string) => void;

const RESERVED = new Set([
  // The parser of queries drops the names of `Object.prototype`.
  ...Object.getOwnPropertyNames(Object.prototype),
  ...['id', 'documentId', 'document_id', 'createdAt', 'updatedAt', 'publishedAt', 'createdBy'],
  ...['updatedBy', 'locale', 'localizations', 'meta', 'strapi_stage'],
]);
/** As in Strapi, types without drafts, and components, may have an attribute of this name. */
const RESERVED_WITH_DRAFTS = new Set([...RESERVED, 'status']);

/** @param options the names of further attributes, and whether the type has drafts */
export function declaredAttributes(
  owner: Owner,
  declared: ContentTypeJson['attributes'],
  file: string,
  report: Report,
  { before = [], draftAndPublish = false }: { before?: Iterable<string>; draftAndPublish?: boolean } = {},
) {
  const reserved = draftAndPublish ? RESERVED_WITH_DRAFTS : RESERVED;
  const attributes = new Map<string, Attribute>();
  const columns = new Map<string, string>(SYSTEM_COLUMNS.map((column) => [column, column]));
  for (const name of before) columns.set(columnName(name), name);
  for (const [name, json] of Object.entries(declared)) {
    const key = `attributes.${name}`;
    const column = columnName(name);
    if (reserved.has(name) || column === OVERFLOW_COLUMN || column in Object.prototype)
      report(file, key, 'another name: this one is reserved');
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

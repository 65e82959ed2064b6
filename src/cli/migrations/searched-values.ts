/**
 * @module The values of a row that its search index has.
 */
import { FIELDS } from '../../registry/fields.ts';
import { searchedAttributes } from '../../registry/indexes.ts';
import type { ContentType, ScalarAttribute } from '../../registry/model.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { identifier, jsonPath } from '../core/sql/sql-text.ts';

/** The value of an attribute, with `@` where the name of the row stands. */
function storedText({ name, column, type, overflow }: ScalarAttribute): string {
  if (!overflow) return `@.${identifier(column)}`;
  const stored = `@.${identifier(OVERFLOW_COLUMN)} ->> ${jsonPath(name)}`;
  return FIELDS[type].affinity === 'text' ? `(${stored})` : `cast((${stored}) as numeric)`;
}

/** What an index has of each row; undefined for types without one. */
export const searchedValues = (type: ContentType): readonly string[] | undefined =>
  type.searchable ? ['@."document_id"', ...searchedAttributes(type).map(storedText).sort()] : undefined;

/**
 * @module Finds misspelt keys of schema files, which a registry ignores.
 */
import { isObject } from '../../json.ts';
import type { SchemaFile } from '../../registry/build.ts';
import type { SchemaProblem } from '../../registry/schema-error.ts';
import { nearest } from '../core/near-words.ts';

const words = (text: string): readonly string[] => text.split(' ');

/** Keys of schema files, including those of Strapi that have no effect here. */
const KEYS = {
  file: words(
    'kind collectionName info options pluginOptions attributes config modelType indexes foreignKeys __schema__',
  ),
  info: words('singularName pluralName displayName description icon name mainField'),
  options: words('draftAndPublish privateAttributes populateCreatorFields comment timestamps increments'),
  attribute: [
    ...words('type required private configurable pluginOptions unique default minLength maxLength regex min max'),
    ...words('enum enumName targetField options customField column columnName columnType multiple allowedTypes'),
    ...words('relation target inversedBy mappedBy useJoinTable joinTable joinColumn component components repeatable'),
    ...words('searchable visible writable editable conditions'),
  ],
};

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value) : [];

function keyProblems(file: string, value: unknown, known: readonly string[], at: string): readonly SchemaProblem[] {
  return entriesOf(value).flatMap(([key]) => {
    const meant = known.includes(key) ? undefined : nearest(key, known);
    return meant ? [{ file, key: `${at}${key}`, expected: `unknown key; did you mean "${meant}"?` }] : [];
  });
}

/** Returns unknown keys that resemble a known one. */
export function misspeltKeys({ path, json }: SchemaFile): readonly SchemaProblem[] {
  if (!isObject(json)) return [];
  return [
    ...keyProblems(path, json, KEYS.file, ''),
    ...keyProblems(path, json.info, KEYS.info, 'info.'),
    ...keyProblems(path, json.options, KEYS.options, 'options.'),
    ...entriesOf(json.attributes).flatMap(([name, attribute]) =>
      keyProblems(path, attribute, KEYS.attribute, `attributes.${name}.`),
    ),
  ];
}

/**
 * @module Keys of schema files that have no effect: misspelt ones, and options that change Strapi's database.
 */
import { isObject } from '../../json.ts';
import type { SchemaFile } from '../../registry/build.ts';
import type { SchemaProblem } from '../../registry/schema-error.ts';
import { nearest } from '../core/near-words.ts';

type Part = 'file' | 'info' | 'options' | 'attribute';

const words = (text: string): readonly string[] => text.split(' ');

/** Keys of schema files, including those of Strapi that have no effect here. */
const KEYS: Readonly<Record<Part, readonly string[]>> = {
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

/** Option without effect → advice. */
const ADVICE: Partial<Readonly<Record<Part, Readonly<Record<string, string>>>>> = {
  file: { indexes: 'declare them in edgewise.config.ts', foreignKeys: 'tables have none' },
  options: { populateCreatorFields: 'who created or updated a document is not stored' },
  attribute: {
    column: 'use "default", "required" and "unique"',
    columnName: 'the column has the name of the attribute',
    columnType: 'the column has the type of the attribute',
    joinColumn: 'links are rows of a table',
    joinTable: 'links are rows of a table',
    useJoinTable: 'links are rows of a table',
  },
};

/** The objects of a schema file, with the parts that they are, and the beginning of their keys' names. */
function* partsOf(
  json: unknown,
): Generator<readonly [part: Part, at: string, value: Readonly<Record<string, unknown>>]> {
  if (!isObject(json)) return;
  yield ['file', '', json];
  if (isObject(json.info)) yield ['info', 'info.', json.info];
  if (isObject(json.options)) yield ['options', 'options.', json.options];
  for (const [name, attribute] of Object.entries(isObject(json.attributes) ? json.attributes : {}))
    if (isObject(attribute)) yield ['attribute', `attributes.${name}.`, attribute];
}

/** Returns unknown keys that resemble a known one. */
export const misspeltKeys = ({ path: file, json }: SchemaFile): readonly SchemaProblem[] =>
  [...partsOf(json)].flatMap(([part, at, value]) =>
    Object.keys(value).flatMap((key) => {
      const meant = KEYS[part].includes(key) ? undefined : nearest(key, KEYS[part]);
      return meant ? [{ file, key: `${at}${key}`, expected: `unknown key; did you mean "${meant}"?` }] : [];
    }),
  );

const isDefault = (value: unknown, key: string): boolean =>
  value === undefined || value === null || value === (key === 'useJoinTable');

/** Returns a warning for each option without effect. */
export const unsupportedOptions = ({ path, json }: SchemaFile): readonly string[] =>
  [...partsOf(json)].flatMap(([part, at, value]) =>
    Object.entries(ADVICE[part] ?? {})
      .filter(([key]) => Object.hasOwn(value, key) && !isDefault(value[key], key))
      .map(([key, advice]) => `${path}: ${at}${key} is not supported and has no effect: ${advice}`),
  );

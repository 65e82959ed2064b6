/**
 * @module Mistakes in schema files that build a registry all the same: misspelt keys, and defaults that the attribute's
 * own rules reject.
 */
import { ApiError } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { checkScalar } from '../../plan/validate/rules.ts';
import type { SchemaFile, SchemaFiles } from '../../registry/build.ts';
import { FIELDS } from '../../registry/fields.ts';
import type { Attribute, Registry, ScalarAttribute } from '../../registry/model.ts';
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

/** Returns why a document that is created without a value would be rejected. */
function defaultError(attribute: ScalarAttribute): string | undefined {
  const context = { draft: false, operation: 'create', taken: new Set<string>() } as const;
  const { value, issues } = checkScalar(attribute, undefined, [attribute.name], context);
  if (issues[0]) return issues[0].message;
  try {
    FIELDS[attribute.type].store(value);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

function defaultProblems(file: string, attributes: Iterable<Attribute>): readonly SchemaProblem[] {
  return [...attributes].flatMap((attribute) => {
    if (attribute.kind !== 'scalar' || attribute.default === undefined || attribute.default === null) return [];
    const error = defaultError(attribute);
    if (error === undefined) return [];
    const expected = `a value that a document may have; ${error}`;
    return [{ file, key: `attributes.${attribute.name}.default`, expected }];
  });
}

/** Checks files that a registry was built from. */
export function lintSchemas({ contentTypes, components }: SchemaFiles, registry: Registry): readonly SchemaProblem[] {
  const types = new Map([...registry.contentTypes.values()].map((type) => [type.singularName, type]));
  return [
    ...contentTypes.flatMap(({ path, json }) => {
      const { singularName } = (json as { readonly info: { readonly singularName: string } }).info;
      return defaultProblems(path, types.get(singularName)?.attributes.values() ?? []);
    }),
    ...components.flatMap(({ path }) => {
      const uid = path
        .replace(/\.json$/, '')
        .split('/')
        .slice(-2)
        .join('.');
      return defaultProblems(path, registry.components.get(uid)?.attributes.values() ?? []);
    }),
  ];
}

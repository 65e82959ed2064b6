/**
 * @module Checks of schema files beyond those of the registry: keys that have no effect, names that contradict each other, and
 * defaults that the rules of their attributes reject.
 */

import { ApiError } from '../../src/common/errors.ts';
import { isObject } from '../../src/common/json.ts';
import { nearest, suggestion } from '../../src/common/near-words.ts';
import { checkScalar } from '../../src/content/plan/validate/rules.ts';
import { isScalar } from '../../src/schema/attribute-kinds.ts';
import type { SchemaFile, SchemaFiles } from '../../src/schema/build.ts';
import { FIELDS } from '../../src/schema/fields.ts';
import type { Attribute, Registry, ScalarAttribute } from '../../src/schema/model.ts';
import type { SchemaProblem } from '../../src/schema/schema-error.ts';

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

const isDefault = (value: unknown, key: string) => (value ?? null) === null || value === (key === 'useJoinTable');

/** Returns a warning for each option without effect. */
export const unsupportedOptions = ({ path, json }: SchemaFile): readonly string[] =>
  [...partsOf(json)].flatMap(([part, at, value]) =>
    Object.entries(ADVICE[part] ?? {})
      .filter(([key]) => Object.hasOwn(value, key) && !isDefault(value[key], key))
      .map(([key, advice]) => `${path}: ${at}${key} is not supported and has no effect: ${advice}`),
  );

/** Returns names that contradict each other. */
export function contradictions({ path: file, json }: SchemaFile): readonly SchemaProblem[] {
  if (!isObject(json)) return [];
  const attributes = isObject(json.attributes) ? json.attributes : {};
  const { singularName, pluralName } = isObject(json.info) ? json.info : {};
  const isSame = pluralName !== undefined && pluralName === singularName;
  const targets = Object.entries(attributes).flatMap(([name, attribute]): readonly SchemaProblem[] => {
    const target = isObject(attribute) ? attribute.targetField : undefined;
    if (typeof target !== 'string' || Object.hasOwn(attributes, target)) return [];
    const expected = `an attribute of the file, not "${target}"${suggestion(target, Object.keys(attributes))}`;
    return [{ file, key: `attributes.${name}.targetField`, expected }];
  });
  return [
    ...(isSame ? [{ file, key: 'info.pluralName', expected: 'another name than singularName' }] : []),
    ...targets,
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

const problemsOf = (file: string, attributes: Iterable<Attribute> = []): readonly SchemaProblem[] =>
  [...attributes].flatMap((attribute) => {
    const hasDefault = isScalar(attribute) && (attribute.default ?? null) !== null;
    const error = hasDefault ? defaultError(attribute) : undefined;
    const [key, expected] = [`attributes.${attribute.name}.default`, `a value that a document may have; ${error}`];
    return error === undefined ? [] : [{ file, key, expected }];
  });

/** Checks the files that a registry was built from. */
export function wrongDefaults({ contentTypes, components }: SchemaFiles, registry: Registry): readonly SchemaProblem[] {
  const types = new Map([...registry.contentTypes.values()].map((type) => [type.singularName, type]));
  return [
    ...contentTypes.flatMap(({ path, json }) => {
      const { singularName } = (json as { readonly info: { readonly singularName: string } }).info;
      return problemsOf(path, types.get(singularName)?.attributes.values());
    }),
    ...components.flatMap(({ path }) => {
      const [category, name] = path
        .replace(/\.json$/, '')
        .split('/')
        .slice(-2);
      return problemsOf(path, registry.components.get(`${category}.${name}`)?.attributes.values());
    }),
  ];
}

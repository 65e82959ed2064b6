/**
 * @module Warns of options in schema files that change Strapi's database and have no effect here.
 */
import { isObject } from '../../json.ts';
import type { SchemaFiles } from '../../registry/build.ts';

/** Option → advice. */
const ATTRIBUTE: Readonly<Record<string, string>> = {
  column: 'use "default", "required" and "unique"',
  columnName: 'the column has the name of the attribute',
  columnType: 'the column has the type of the attribute',
  joinColumn: 'links are rows of a table',
  joinTable: 'links are rows of a table',
  useJoinTable: 'links are rows of a table',
};

const FILE: Readonly<Record<string, string>> = {
  indexes: 'declare them in edgewise.config.ts',
  foreignKeys: 'tables have none',
};

const CONTENT_TYPE: Readonly<Record<string, string>> = {
  populateCreatorFields: 'who created or updated a document is not stored',
};

const isDefault = (value: unknown, key: string): boolean =>
  value === undefined || value === null || value === (key === 'useJoinTable');

function unsupportedIn(path: string, at: string, options: unknown, known: Readonly<Record<string, string>>): string[] {
  if (!isObject(options)) return [];
  return Object.entries(known)
    .filter(([key]) => Object.hasOwn(options, key) && !isDefault(options[key], key))
    .map(([key, advice]) => `${path}: ${at}${key} is not supported and has no effect: ${advice}`);
}

/** Returns a warning for each option without effect. */
export function unsupportedOptions({ contentTypes, components, user }: SchemaFiles): readonly string[] {
  return [...contentTypes, ...components, ...(user ? [user] : [])].flatMap(({ path, json }) => {
    const { options, attributes } = json as { readonly options?: unknown; readonly attributes?: object };
    return [
      ...unsupportedIn(path, '', json, FILE),
      ...unsupportedIn(path, 'options.', options, CONTENT_TYPE),
      ...Object.entries(attributes ?? {}).flatMap(([name, attribute]) =>
        unsupportedIn(path, `attributes.${name}.`, attribute, ATTRIBUTE),
      ),
    ];
  });
}

/**
 * @module Defaults of attributes that the rules of the attribute reject. The registry takes them, and so does Strapi, but
 * each document that is created without a value would be rejected.
 */
import { ApiError } from '../../errors.ts';
import { checkScalar } from '../../plan/validate/rules.ts';
import type { SchemaFiles } from '../../registry/build.ts';
import { FIELDS } from '../../registry/fields.ts';
import type { Attribute, Registry, ScalarAttribute } from '../../registry/model.ts';
import type { SchemaProblem } from '../../registry/schema-error.ts';

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
    const hasDefault = attribute.kind === 'scalar' && (attribute.default ?? null) !== null;
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

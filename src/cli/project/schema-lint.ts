/**
 * @module What a schema file may say and surely does not mean: a key that is nearly a known one, a default that the
 * attribute's own rules refuse, names that two content types share. Strapi takes some of it in silence.
 */
import { ApiError } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { checkScalar } from '../../plan/validate/rules.ts';
import type { SchemaFile, SchemaFiles } from '../../registry/build.ts';
import { FIELDS } from '../../registry/fields.ts';
import type { Attribute, ContentType, Registry, ScalarAttribute } from '../../registry/model.ts';
import type { SchemaProblem } from '../../registry/schema-error.ts';
import { nearest } from '../core/near-words.ts';

/** Keys of schema files, those of Strapi that mean nothing here among them. */
const KEYS = {
  file: [
    'kind',
    'collectionName',
    'info',
    'options',
    'pluginOptions',
    'attributes',
    'config',
    'modelType',
    'indexes',
    'foreignKeys',
    '__schema__',
  ],
  info: ['singularName', 'pluralName', 'displayName', 'description', 'icon', 'name', 'mainField'],
  options: ['draftAndPublish', 'privateAttributes', 'populateCreatorFields', 'comment', 'timestamps', 'increments'],
  attribute: [
    ...['type', 'required', 'private', 'configurable', 'pluginOptions', 'unique', 'default', 'minLength', 'maxLength'],
    ...[
      'regex',
      'min',
      'max',
      'enum',
      'enumName',
      'targetField',
      'options',
      'customField',
      'column',
      'columnName',
      'columnType',
    ],
    ...[
      'multiple',
      'allowedTypes',
      'relation',
      'target',
      'inversedBy',
      'mappedBy',
      'useJoinTable',
      'joinTable',
      'joinColumn',
    ],
    ...['component', 'components', 'repeatable', 'searchable', 'visible', 'writable', 'editable', 'conditions'],
  ],
} as const;

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value) : [];

function keyProblems(file: string, value: unknown, known: readonly string[], at: string): readonly SchemaProblem[] {
  return entriesOf(value).flatMap(([key]) => {
    const meant = known.includes(key) ? undefined : nearest(key, known);
    return meant ? [{ file, key: `${at}${key}`, expected: `"${meant}"; nobody knows "${key}"` }] : [];
  });
}

/** Keys that are not known and nearly are. */
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

/** What a document would be refused with that is created without a value. */
function refusalOf(attribute: ScalarAttribute): string | undefined {
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

type Range = readonly [least: 'min' | 'minLength', most: 'max' | 'maxLength'];
const RANGES: readonly Range[] = [
  ['min', 'max'],
  ['minLength', 'maxLength'],
];

function attributeProblems(file: string, attribute: Attribute): readonly SchemaProblem[] {
  if (attribute.kind !== 'scalar') return [];
  const key = `attributes.${attribute.name}`;
  const ranges = RANGES.flatMap(([least, most]) => {
    const [low = 0, high = low] = [attribute[least], attribute[most]];
    return low > high ? [{ file, key: `${key}.${least}`, expected: `at most ${most}, which is ${high}` }] : [];
  });
  const isGiven = attribute.default !== undefined && attribute.default !== null;
  const refusal = isGiven && ranges.length === 0 ? refusalOf(attribute) : undefined;
  if (refusal === undefined) return ranges;
  return [...ranges, { file, key: `${key}.default`, expected: `a value that a document may have; ${refusal}` }];
}

/** Singular and plural names stand for one content type each, as in Strapi. */
function nameProblems(types: readonly (readonly [string, ContentType])[]): readonly SchemaProblem[] {
  const owners = new Map<string, string>();
  return types.flatMap(([file, { singularName, pluralName }]) =>
    [['singularName', singularName] as const, ['pluralName', pluralName] as const].flatMap(([key, name]) => {
      const owner = owners.get(name);
      owners.set(name, owner ?? (key === 'singularName' ? 'the singular' : 'the plural').concat(` of ${singularName}`));
      return owner ? [{ file, key: `info.${key}`, expected: `a name of its own; "${name}" is ${owner}` }] : [];
    }),
  );
}

/** What no document could make right, in files that are otherwise as they should be. */
export function lintSchemas({ contentTypes, components }: SchemaFiles, registry: Registry): readonly SchemaProblem[] {
  const byName = new Map([...registry.contentTypes.values()].map((type) => [type.singularName, type]));
  const types = contentTypes.flatMap(({ path, json }) => {
    const { singularName } = (json as { readonly info: { readonly singularName: string } }).info;
    const type = byName.get(singularName);
    return type ? [[path, type] as const] : [];
  });
  const parts = components.flatMap(({ path }) => {
    const component = registry.components.get(
      path
        .split('/')
        .slice(-2)
        .join('.')
        .replace(/\.json$/, ''),
    );
    return component ? [[path, component] as const] : [];
  });
  const owners = [...types, ...parts];
  const attributes = owners.flatMap(([path, owner]) =>
    [...owner.attributes.values()].flatMap((attribute) => attributeProblems(path, attribute)),
  );
  return [...nameProblems(types), ...attributes];
}

/**
 * @module Schema files made in a test: only what the test is about has to be written down.
 */
import { buildRegistry, type SchemaFile, type SchemaFiles } from '../../src/schema/build.ts';
import type { Attribute, ContentType, Registry } from '../../src/schema/model.ts';
import type { SchemaError } from '../../src/schema/schema-error.ts';
import { CHECKED } from '../../src/schema/schema-json.ts';

export type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface TypeOptions {
  readonly plural?: string;
  readonly description?: string;
  readonly single?: boolean;
  readonly drafts?: boolean;
  readonly localized?: boolean;
  readonly table?: string;
  readonly privateAttributes?: readonly string[];
}

/** An attribute that leads to a type, by its name; `more` has the name at the other end, and what else is said. */
export const relation = <More extends object>(kind: string, target: string, more?: More) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...(more as More),
});

/** `content-types/<name>/schema.json` */
export const contentType = (
  name: string,
  attributes: Readonly<Record<string, unknown>>,
  options: TypeOptions = {},
): SchemaFile => ({
  path: `content-types/${name}/schema.json`,
  json: {
    kind: options.single ? 'singleType' : 'collectionType',
    ...(options.table !== undefined && { collectionName: options.table }),
    info: {
      singularName: name,
      pluralName: options.plural ?? `${name}s`,
      displayName: name,
      ...(options.description !== undefined && { description: options.description }),
    },
    options: { draftAndPublish: options.drafts === true, privateAttributes: options.privateAttributes ?? [] },
    pluginOptions: { i18n: { localized: options.localized === true } },
    attributes,
  },
});

/** `content-types/components/<category>/<name>.json`, by `<category>.<name>`. */
export const component = (
  uid: string,
  attributes: Readonly<Record<string, unknown>>,
  privateAttributes: readonly string[] = [],
): SchemaFile => ({
  path: `content-types/components/${uid.replace('.', '/')}.json`,
  json: { options: { privateAttributes }, attributes },
});

/** Strapi's file for users, with what a project adds to it. */
export const userFile = (attributes: Readonly<Record<string, unknown>>, options: TypeOptions = {}): SchemaFile => ({
  path: 'content-types/extensions/users-permissions/user/schema.json',
  json: {
    kind: 'collectionType',
    collectionName: 'up_users',
    info: { name: 'user', description: '', singularName: 'user', pluralName: 'users', displayName: 'User' },
    options: {
      draftAndPublish: options.drafts === true,
      timestamps: true,
      privateAttributes: options.privateAttributes ?? [],
    },
    attributes: {
      username: { type: 'string', minLength: 3, unique: true, configurable: false, required: true },
      email: { type: 'email', minLength: 6, configurable: false, required: true },
      password: { type: 'password', minLength: 6, configurable: false, private: true, searchable: false },
      role: {
        type: 'relation',
        relation: 'manyToOne',
        target: 'plugin::users-permissions.role',
        inversedBy: 'users',
        configurable: false,
      },
      ...attributes,
    },
  },
});

export const registryOf = (
  contentTypes: readonly SchemaFile[],
  components: readonly SchemaFile[] = [],
  overflow: SchemaFiles['overflow'] = {},
  declared: Pick<SchemaFiles, 'indexes' | 'search' | 'placeholders' | 'user'> = {},
): Registry => buildRegistry({ contentTypes, components, overflow, ...declared }, CHECKED);

/** A registry with this one content type, and the type. */
export function typeOf(attributes: Readonly<Record<string, unknown>>, options: TypeOptions = {}): ContentType {
  const type = registryOf([contentType('thing', attributes, options)]).contentTypes.get('api::thing.thing');
  if (!type) throw new Error('the type was not built');
  return type;
}

export function attributeOf(json: unknown, options: TypeOptions = {}): Attribute {
  const attribute = typeOf({ it: json }, options).attributes.get('it');
  if (!attribute) throw new Error('the attribute was not built');
  return attribute;
}

/** What is wrong with these files: `file: key: expected` for each. */
export function problemsOf(contentTypes: readonly SchemaFile[], components: readonly SchemaFile[] = []): string[] {
  try {
    registryOf(contentTypes, components);
  } catch (error) {
    return (error as SchemaError).problems.map(({ file, key, expected }) => `${file}: ${key}: ${expected}`);
  }
  return [];
}

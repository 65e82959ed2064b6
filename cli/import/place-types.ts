/**
 * @module Replaces the content types of the project by those of an archive, or compares both.
 */
import { globSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { buildRegistry, type SchemaFiles } from '../../src/schema/build.ts';
import type { Attribute, ContentType, Registry } from '../../src/schema/model.ts';
import { SchemaError } from '../../src/schema/schema-error.ts';
import { CHECKED } from '../../src/schema/schema-json.ts';
import { USER_UID } from '../../src/schema/system-types.ts';
import { ownAttributes } from '../../src/schema/user-type.ts';
import { UserError } from '../core/terminal.ts';
import { CONTENT_TYPES, filesOf, readSchemaFiles, registryOf } from '../project/project.ts';
import type { TextChange } from '../project/write-files.ts';

/** What of an attribute decides whether a value of one is a value of the other. */
function formOf(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.type;
    case 'relation':
      return `${attribute.relation} relation to ${attribute.target}${attribute.owner ? '' : ' (its other side)'}`;
    case 'media':
      return attribute.multiple ? 'media (multiple)' : 'media';
    case 'component':
      return `component ${attribute.component}${attribute.repeatable ? ' (repeatable)' : ''}`;
    case 'dynamiczone':
      return `dynamic zone of ${[...attribute.components].sort().join(', ')}`;
    case 'polymorphic':
    case 'localizations':
    case 'related':
    case 'creator':
      return attribute.kind;
    default:
      return attribute satisfies never;
  }
}

/** The same of a content type or component. */
function formOfOwner(uid: string, { contentTypes, components }: Registry): string | undefined {
  const type = contentTypes.get(uid);
  if (!type) return components.has(uid) ? 'component' : undefined;
  return `${type.kind}${type.draftAndPublish ? ', with draft & publish' : ''}${type.localized ? ', localized' : ''}`;
}

/** Types that files declare, and that of users, which a file may add to. */
const declared = ({ contentTypes }: Registry): readonly ContentType[] =>
  [...contentTypes.values()].filter(({ system, uid }) => !system || uid === USER_UID);

function difference(name: string, wanted: string | undefined, present: string | undefined): readonly string[] {
  if (present === wanted) return [];
  return [`${name}: ${present === undefined ? 'not there' : `${wanted} in the archive, ${present} here`}`];
}

/** What the project would have to have, or have otherwise, to hold all that the archive has. */
export function differencesOf(wanted: Registry, present: Registry): readonly string[] {
  return [...declared(wanted), ...wanted.components.values()].flatMap((owner) => {
    const { uid, attributes } = owner;
    const other = present.contentTypes.get(uid) ?? present.components.get(uid);
    const own = difference(uid, formOfOwner(uid, wanted), formOfOwner(uid, present));
    if (!other) return own;
    const ofAttributes = [...attributes.values()].flatMap((attribute) => {
      const here = other.attributes.get(attribute.name);
      return difference(`${uid}.${attribute.name}`, formOf(attribute), here && formOf(here));
    });
    return [...own, ...ofAttributes];
  });
}

/** Does the project declare nothing at all? */
const isEmptyModel = (registry: Registry): boolean =>
  declared(registry).every((type) => type.system && ownAttributes(type).size === 0) && registry.components.size === 0;

/** @throws UserError for content types that Edgewise cannot have, with what is wrong about each. */
export function archiveRegistry(files: SchemaFiles): Registry {
  try {
    return buildRegistry(files, CHECKED);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const lines = error.problems.map(({ file, key, expected }) => `  ${file}: ${key}: ${expected}`);
    throw new UserError(`The content types of the archive cannot be imported as they are:\n${lines.join('\n')}`);
  }
}

export interface TypeChoice {
  /** Are the files of the archive to be written? */
  readonly write: boolean;
  /** What has no place in the content types that stay. */
  readonly differences: readonly string[];
}

export interface TypeOptions {
  readonly replaceTypes?: boolean;
  readonly force?: boolean;
}

const SHOWN = 30;

/** Which content types an import is to use. @throws UserError that names what is not alike. */
export async function chooseTypes(root: string, wanted: Registry, options: TypeOptions): Promise<TypeChoice> {
  const present = registryOf(await readSchemaFiles(root));
  if (isEmptyModel(present)) return { write: true, differences: [] };
  const differences = differencesOf(wanted, present);
  if (differences.length > 0 && options.replaceTypes) return { write: true, differences: [] };
  if (differences.length === 0 || options.force) return { write: false, differences };
  const more = differences.length - SHOWN;
  throw new UserError(
    [
      'The content types of the archive are not those of content-types/:',
      ...differences.slice(0, SHOWN).map((line) => `  ${line}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
      'Nothing was written. --replace-types puts those of the archive in their place; --force takes what has a place.',
      'A project of its own for the archive: npx edgewise new <folder> --archive <file>',
    ].join('\n'),
  );
}

/** The files in the place of all that are there. */
export function typeChanges(root: string, wanted: SchemaFiles): readonly TextChange[] {
  const files = filesOf(wanted).map(({ path, json }) => ({ path, text: `${JSON.stringify(json, null, 2)}\n` }));
  const present = globSync(`${CONTENT_TYPES}/**/{*,.*}`, { cwd: root, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'));
  const gone = present.filter((path) => files.every((file) => file.path !== path));
  return [...files, ...gone.map((path) => ({ path, text: null }))];
}

/**
 * @module Custom user attributes: those of `content-types/extensions/users-permissions/user/schema.json`. The file is
 * Strapi's, so it has the usual attributes too, of which it changes only `private`.
 */
import { hasColumn } from './attribute-kinds.ts';
import { NO_OPTIONS, systemAttributes } from './attributes.ts';
import { declaredAttributes, type Report } from './declared.ts';
import type { Attribute, ContentType } from './model.ts';
import { MAX_ATTRIBUTE_COLUMNS } from './names.ts';
import type { ContentTypeJson } from './schema-json.ts';
import { USER_ATTRIBUTES } from './system-types.ts';

/** Attributes of users that no file may declare. */
const KEPT: ReadonlySet<string> = new Set(['passwordChangedAt', 'emailProven', 'usernameKey', 'emailKey']);

const system = new Set(systemAttributes(NO_OPTIONS).map(({ name }) => name));

const isUsual = (name: string): boolean => USER_ATTRIBUTES.has(name) || system.has(name);

export const ownAttributeNames = (attributes: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(attributes).filter((name) => !isUsual(name));

export const ownAttributes = ({ attributes }: ContentType): ReadonlyMap<string, Attribute> =>
  new Map([...attributes].filter(([name]) => !isUsual(name)));

function checkOptions(file: string, { kind, options, pluginOptions }: ContentTypeJson, report: Report): void {
  if (kind !== 'collectionType') report(file, 'kind', 'collectionType');
  if (options?.draftAndPublish === true) report(file, 'options.draftAndPublish', 'false: users have no drafts');
  if (pluginOptions?.i18n?.localized === true)
    report(file, 'pluginOptions.i18n.localized', 'false: users have no locales');
}

function checkColumns(file: string, attributes: readonly Attribute[], report: Report): void {
  const columns = attributes.filter((attribute) => hasColumn(attribute) && !system.has(attribute.name)).length;
  if (columns > MAX_ATTRIBUTE_COLUMNS)
    report(file, 'attributes', `at most ${MAX_ATTRIBUTE_COLUMNS} with those of every user; there are ${columns}`);
}

/** Returns the type of users with the attributes of the file. */
export function extendedUser(type: ContentType, file: string, json: ContentTypeJson, report: Report): ContentType {
  checkOptions(file, json, report);
  const privateAttributes = new Set(json.options?.privateAttributes);
  const isPrivate = (name: string): boolean => json.attributes[name]?.private === true || privateAttributes.has(name);
  const added = Object.entries(json.attributes).filter(([name]) => KEPT.has(name) || !USER_ATTRIBUTES.has(name));
  const owner = { ...NO_OPTIONS, privateAttributes };
  const own = declaredAttributes(owner, Object.fromEntries(added), file, report, { before: USER_ATTRIBUTES });
  const all = [...type.attributes.values()].map((attribute) => ({
    ...attribute,
    private: attribute.private || isPrivate(attribute.name),
  }));
  const attributes = [
    ...all.filter(({ name }) => !system.has(name)),
    ...own.values(),
    ...all.filter(({ name }) => system.has(name)),
  ];
  checkColumns(file, attributes, report);
  return { ...type, attributes: new Map(attributes.map((attribute) => [attribute.name, attribute])) };
}

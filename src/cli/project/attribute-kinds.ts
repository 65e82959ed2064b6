/**
 * @module Gives custom fields of Strapi's plugins their base types, as Strapi does when it starts.
 */
import type { BaseType } from '../../config.ts';
import { isObject } from '../../json.ts';
import type { SchemaFile } from '../../registry/build.ts';
import type { SchemaProblem } from '../../registry/schema-error.ts';

export type CustomFields = Readonly<Record<string, BaseType>>;

/** The base types with which plugins call `strapi.customFields.register`. */
const WELL_KNOWN: CustomFields = {
  'plugin::ckeditor.CKEditor': 'richtext',
  'plugin::ckeditor5.CKEditor': 'richtext',
  'plugin::cloudinary-media-library.cloudinary': 'string',
  'plugin::color-picker.color': 'string',
  'plugin::comments.comments': 'json',
  'plugin::country-select.country': 'string',
  'plugin::field-uuid.uuid': 'uid',
  'plugin::google-maps.location-picker': 'json',
  'plugin::multi-select.multi-select': 'json',
  'plugin::oembed.oembed': 'json',
  'plugin::react-icons.icon': 'string',
  'plugin::remote-select.remote-select': 'string',
  'plugin::remote-select.searchable-remote-select': 'string',
  'plugin::strapi-advanced-uuid.uuid': 'uid',
  'plugin::strapi-code-editor-custom-field.code-editor-json': 'json',
  'plugin::strapi-code-editor-custom-field.code-editor-text': 'text',
  'plugin::strapi-location-picker.location-picker': 'json',
  'plugin::strapi-plugin-iconhub.iconhub': 'json',
  'plugin::table-field.table': 'json',
  'plugin::tagsinput.tags': 'json',
  'plugin::timezone-select.timezone': 'string',
  'plugin::tinymce.tinymce': 'richtext',
  'plugin::video-field.video': 'json',
};

/** Returns the base type of a custom field; the settings take precedence. */
const baseTypeOf = (uid: unknown, customFields: CustomFields): BaseType | undefined =>
  new Map(Object.entries({ ...WELL_KNOWN, ...customFields })).get(String(uid));

type Json = Readonly<Record<string, unknown>>;
type Problem = Omit<SchemaProblem, 'file'>;

function unknownField(uid: unknown): string {
  if (typeof uid !== 'string') return 'the uid of a custom field, such as plugin::color-picker.color';
  return `a known custom field; the base type of "${uid}" is not known. Add it to edgewise.config.ts, as the plugin registers it: customFields: { '${uid}': 'string' }`;
}

function resolveAttribute(name: string, json: Json, customFields: CustomFields): Json | Problem {
  if (json.type !== 'customField') return json;
  const type = baseTypeOf(json.customField, customFields);
  return type ? { ...json, type } : { key: `attributes.${name}.customField`, expected: unknownField(json.customField) };
}

/** Resolves the attributes of a file; reports and leaves out invalid ones. */
export function resolveKinds(
  { path, json }: SchemaFile,
  customFields: CustomFields,
  problems: SchemaProblem[],
): SchemaFile {
  if (!isObject(json) || !isObject(json.attributes)) return { path, json };
  const attributes = Object.entries(json.attributes).flatMap(([name, attribute]) => {
    const resolved = isObject(attribute) ? resolveAttribute(name, attribute, customFields) : attribute;
    if (!isObject(resolved) || !('expected' in resolved)) return [[name, resolved] as const];
    problems.push({ file: path, ...(resolved as Problem) });
    return [];
  });
  return { path, json: { ...json, attributes: Object.fromEntries(attributes) } };
}

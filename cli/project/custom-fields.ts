/**
 * @module Custom fields of Strapi's plugins get their base types, as Strapi gives them when it starts.
 */
import { isObject } from '../../src/common/json.ts';
import type { SchemaFile } from '../../src/schema/build.ts';
import type { ScalarType } from '../../src/schema/fields.ts';
import type { SchemaProblem } from '../../src/schema/schema-error.ts';

/** The types in which Strapi stores custom fields, by uid. */
export type CustomFields = Readonly<Record<string, Exclude<ScalarType, 'blocks'>>>;

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

/** Resolves custom fields to their base types; the settings take precedence. Reports and leaves out those without one. */
export function resolveKinds({ path, json }: SchemaFile, customFields: CustomFields, problems: SchemaProblem[]) {
  if (!isObject(json) || !isObject(json.attributes)) return { path, json };
  const types = new Map(Object.entries({ ...WELL_KNOWN, ...customFields }));
  const attributes = new Map<string, unknown>();
  for (const [name, attribute] of Object.entries(json.attributes)) {
    const isCustom = isObject(attribute) && attribute.type === 'customField';
    const uid = isCustom ? attribute.customField : undefined;
    const type = types.get(String(uid));
    const expected =
      typeof uid === 'string'
        ? `a known custom field; the base type of "${uid}" is not known. Add it to edgewise.config.ts, as the plugin registers it: customFields: { '${uid}': 'string' }`
        : 'the uid of a custom field, such as plugin::color-picker.color';
    if (!isCustom) attributes.set(name, attribute);
    else if (type) attributes.set(name, { ...attribute, type });
    else problems.push({ file: path, key: `attributes.${name}.customField`, expected });
  }
  return { path, json: { ...json, attributes: Object.fromEntries(attributes) } };
}

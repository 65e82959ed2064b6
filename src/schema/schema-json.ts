/**
 * @module The shape of a Strapi schema.json file. As in Strapi, unknown options are ignored; wrong values of known ones
 * are errors.
 */
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

// zod/mini has no messages of its own.
z.config(en());

const bound = z.optional(z.union([z.number(), z.string().check(z.regex(/^[+-]?\d+(\.\d+)?$/))]));
const length = z.optional(z.int().check(z.gte(0)));
const i18n = z.optional(z.looseObject({ i18n: z.optional(z.looseObject({ localized: z.optional(z.boolean()) })) }));

const common = {
  required: z.optional(z.boolean()),
  private: z.optional(z.nullable(z.boolean())),
  writable: z.optional(z.boolean()),
  searchable: z.optional(z.boolean()),
  visible: z.optional(z.boolean()),
  configurable: z.optional(z.nullable(z.boolean())),
  conditions: z.optional(z.looseObject({ visible: z.optional(z.unknown()) })),
  pluginOptions: i18n,
};
const scalar = { ...common, unique: z.optional(z.boolean()), default: z.optional(z.unknown()) };
const text = { ...scalar, minLength: length, maxLength: length, regex: z.optional(z.string()) };
const numeric = { ...scalar, min: bound, max: bound };

const relation = { type: z.literal('relation'), ...common };
const target = z
  .string()
  .check(z.regex(/^(api|plugin)::[\w-]+\.[\w-]+$/, 'the uid of a content type, such as api::article.article'));

const counted = { min: z.optional(z.int()), max: z.optional(z.int()) };

/** attributes.ts does not compile unless its scalar types are those of `FIELDS`. */
const attribute = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal(['string', 'text', 'richtext', 'email', 'password']), ...text }),
  z.looseObject({ type: z.literal('uid'), ...text, targetField: z.optional(z.string()) }),
  z.looseObject({ type: z.literal('enumeration'), ...scalar, enum: z.array(z.string()).check(z.minLength(1)) }),
  z.looseObject({ type: z.literal(['integer', 'biginteger', 'decimal', 'float']), ...numeric }),
  z.looseObject({ type: z.literal(['boolean', 'date', 'datetime', 'time', 'json', 'blocks']), ...scalar }),
  z.looseObject({
    type: z.literal('media'),
    ...common,
    multiple: z.optional(z.boolean()),
    allowedTypes: z.optional(z.array(z.enum(['images', 'videos', 'files', 'audios']))),
  }),
  z.discriminatedUnion('relation', [
    z.looseObject({
      ...relation,
      relation: z.literal(['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany']),
      target,
      inversedBy: z.optional(z.string()),
      mappedBy: z.optional(z.string()),
    }),
    z.looseObject({ ...relation, relation: z.literal(['morphOne', 'morphMany']), target, morphBy: z.string() }),
    z.looseObject({ ...relation, relation: z.literal(['morphToOne', 'morphToMany']) }),
  ]),
  z.looseObject({
    type: z.literal('component'),
    ...common,
    component: z.string(),
    repeatable: z.optional(z.boolean()),
    ...counted,
  }),
  z.looseObject({ type: z.literal('dynamiczone'), ...common, components: z.array(z.string()), ...counted }),
]);

const attributes = z.record(z.string().check(z.regex(/^[A-Za-z][\w-]*$/)), attribute);
const identifier = z
  .string()
  .check(z.regex(/^[A-Za-z_][\w-]*$/, 'letters, digits, _ and -, of which the first is a letter or _'));
const apiName = z
  .string()
  .check(
    z.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'small letters and digits, with single - between, such as blog-post'),
  );
const privateAttributes = z.optional(z.array(z.string()));
const described = { displayName: z.optional(z.string()), description: z.optional(z.string()) };

/** Of Strapi's content manager: the attribute that names an entry, and the rows of its form, of 12 columns each. */
const config = z.optional(
  z.looseObject({
    settings: z.optional(z.looseObject({ mainField: z.optional(z.string()) })),
    layouts: z.optional(
      z.looseObject({
        edit: z.optional(
          z.array(z.array(z.looseObject({ name: z.string(), size: z.int().check(z.gte(1), z.lte(12)) }))),
        ),
      }),
    ),
  }),
);

const contentType = z.looseObject({
  kind: z.enum(['collectionType', 'singleType']),
  collectionName: z.optional(identifier),
  info: z.looseObject({ singularName: apiName, pluralName: apiName, ...described }),
  options: z.optional(z.looseObject({ draftAndPublish: z.optional(z.boolean()), privateAttributes })),
  pluginOptions: i18n,
  config,
  attributes,
});

const component = z.looseObject({
  collectionName: z.optional(identifier),
  info: z.optional(z.looseObject(described)),
  options: z.optional(z.looseObject({ privateAttributes })),
  config,
  attributes,
});

export type AttributeJson = z.output<typeof attribute>;
export type ContentTypeJson = z.output<typeof contentType>;
export type ComponentJson = z.output<typeof component>;

/** Schemas of the files as written. */
export const CHECKED = { contentType, component };

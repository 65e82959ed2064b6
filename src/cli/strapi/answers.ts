/**
 * @module What a Strapi says over its API, checked before it is believed.
 */
import * as z from 'zod/mini';
import { UserError } from '../terminal.ts';

const text = z.string();
const attribute = z.looseObject({ type: text });
const attributes = z.record(text, attribute);

const contentTypes = z.object({
  data: z.array(
    z.looseObject({
      uid: text,
      plugin: z.optional(text),
      schema: z.looseObject({
        kind: z.optional(text),
        collectionName: z.optional(text),
        singularName: text,
        pluralName: text,
        displayName: z.optional(text),
        description: z.optional(text),
        draftAndPublish: z.optional(z.boolean()),
        pluginOptions: z.optional(z.record(text, z.unknown())),
        attributes,
      }),
    }),
  ),
});

const components = z.object({
  data: z.array(
    z.looseObject({
      uid: text,
      schema: z.looseObject({
        collectionName: z.optional(text),
        displayName: z.optional(text),
        description: z.optional(text),
        icon: z.optional(text),
        attributes,
      }),
    }),
  ),
});

const documentId = z.string().check(z.regex(/^\P{Cc}{1,255}$/u));
const document = z.looseObject({ id: z.int(), documentId });
const row = z.looseObject({ id: z.int(), documentId: z.optional(documentId) });
const total = z.optional(z.looseObject({ pagination: z.optional(z.looseObject({ total: z.optional(z.number()) })) }));
const locale = z.looseObject({ id: z.int(), code: text, isDefault: z.optional(z.boolean()) });
const role = z.looseObject({ id: z.int(), type: text });
const controllers = z.record(text, z.record(text, z.looseObject({ enabled: z.boolean() })));

export type AttributeJson = z.output<typeof attribute>;
export type TypeAnswer = z.output<typeof contentTypes>['data'][number];
export type ComponentAnswer = z.output<typeof components>['data'][number];
export type StrapiRow = z.output<typeof row>;
export type LocaleAnswer = z.output<typeof locale>;
export type RoleAnswer = z.output<typeof role>;

interface Parser<T> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: T }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };
}

/** The values themselves are not told. */
function reader<T>(parser: Parser<T>): (path: string, value: unknown) => T {
  return (path, value) => {
    const result = parser.safeParse(value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const at = issue?.path.map(String).join('.').slice(0, 200) || 'the whole';
    throw new UserError(`${path} does not answer as Strapi 5 does: ${at}: ${issue?.message}`);
  };
}

export const typesIn = reader(contentTypes);
export const componentsIn = reader(components);
export const documentsIn = reader(z.looseObject({ data: z.array(document), meta: total }));
export const documentIn = reader(z.looseObject({ data: z.nullable(document) }));
export const plainIn = reader(z.array(row));
export const localesIn = reader(z.array(locale));
export const rolesIn = reader(z.looseObject({ roles: z.array(role) }));
export const roleIn = reader(
  z.looseObject({ role: z.looseObject({ permissions: z.record(text, z.looseObject({ controllers })) }) }),
);

/**
 * @module The lines of an archive as values. An archive may have been changed by hand, so nothing in it is believed.
 */
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../src/common/json.ts';
import { readValue } from '../core/read-value.ts';

const end = z.object({
  type: z.string(),
  ref: z.union([z.string(), z.int()]),
  field: z.nullish(z.string()),
  pos: z.nullish(z.number()),
});

const metadata = z.looseObject({
  createdAt: z.optional(z.string()),
  strapi: z.optional(z.looseObject({ version: z.optional(z.string()) })),
});
const entity = z.object({ type: z.string(), id: z.int(), data: z.custom<JsonObject>(isObject) });
const link = z.object({ kind: z.string(), relation: z.optional(z.string()), left: end, right: end });
const schema = z.looseObject({
  uid: z.string(),
  modelType: z.optional(z.string()),
  plugin: z.optional(z.string()),
  kind: z.optional(z.string()),
  collectionName: z.optional(z.string()),
  info: z.optional(z.looseObject({ singularName: z.optional(z.string()) })),
  attributes: z.record(z.string(), z.looseObject({ type: z.string() })),
});
const setting = z.looseObject({
  type: z.string(),
  value: z.looseObject({ key: z.optional(z.string()), value: z.optional(z.unknown()) }),
});

export type Metadata = z.output<typeof metadata>;
export type Entity = z.output<typeof entity>;
export type Link = z.output<typeof link>;
export type ArchiveSchema = z.output<typeof schema>;
export type Configuration = z.output<typeof setting>;

/** @returns a function that throws a UserError, which names the place: file and line. */
const reader =
  <T>(what: string, form: z.ZodMiniType<T>) =>
  (value: unknown, place: string): T =>
    readValue(form, value, `${place}: no ${what}`);

export const readEntity = reader<Entity>('entity', entity);
export const readLink = reader<Link>('link', link);
export const readArchiveSchema = reader<ArchiveSchema>('schema', schema);
export const readConfigurationLine = reader<Configuration>('configuration', setting);
export const readMetadata = reader<Metadata>('metadata', metadata);

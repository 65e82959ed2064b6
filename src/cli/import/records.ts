/**
 * @module The lines of an archive as values. An archive may have been changed by hand, so nothing in it is believed.
 */
import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../json.ts';
import { readValue } from '../core/read-value.ts';

const isRef = (ref: unknown): boolean => typeof ref === 'string' || Number.isSafeInteger(ref);

const id = z.int();
const end = z.object({
  type: z.string(),
  ref: z.custom<number | string>(isRef),
  field: z.nullish(z.string()),
  pos: z.nullish(z.number()),
});

const metadata = z.looseObject({
  createdAt: z.optional(z.string()),
  strapi: z.optional(z.looseObject({ version: z.optional(z.string()) })),
});
const entity = z.object({ type: z.string(), id, data: z.custom<JsonObject>(isObject) });
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

/** Where a value stands in the archive. */
export interface Place {
  readonly name: string;
  readonly line: number;
}

/**
 * @param isCommon tells the common form of a value by hand: there are so many that the schema would take long.
 * @returns a function that throws a UserError, which names the place.
 */
const reader =
  <T>(what: string, form: z.ZodMiniType<T>, isCommon: (value: JsonObject) => boolean = () => false) =>
  (value: unknown, { name, line }: Place): T =>
    isObject(value) && isCommon(value) ? (value as T) : readValue(form, value, `${name}, line ${line}: no ${what}`);

const isMaybe = (type: string, value: unknown): boolean =>
  value === undefined || value === null || typeof value === type;
const isEnd = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.type === 'string' &&
  isRef(value.ref) &&
  isMaybe('string', value.field) &&
  isMaybe('number', value.pos);

export const readEntity = reader<Entity>(
  'entity',
  entity,
  (value) => typeof value.type === 'string' && Number.isSafeInteger(value.id) && isObject(value.data),
);
export const readLink = reader<Link>(
  'link',
  link,
  ({ kind, left, right }) => typeof kind === 'string' && isEnd(left) && isEnd(right),
);
export const readArchiveSchema = reader<ArchiveSchema>('schema', schema);
export const readConfigurationLine = reader<Configuration>('configuration', setting);
export const readMetadata = reader<Metadata>('metadata', metadata);

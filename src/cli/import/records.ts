/**
 * @module The lines of an archive as values. An archive may have been changed by hand, so nothing in it is believed.
 */
import * as z from 'zod/mini';
import { isObject } from '../../json.ts';
import { readValue } from '../core/read-value.ts';

const id = z.int();
const position = z.optional(z.nullable(z.number()));
const end = z.looseObject({
  type: z.string(),
  ref: z.union([id, z.string()]),
  field: z.optional(z.nullable(z.string())),
  pos: position,
});

const metadata = z.looseObject({
  createdAt: z.optional(z.string()),
  strapi: z.optional(z.looseObject({ version: z.optional(z.string()) })),
});
const entity = z.looseObject({ type: z.string(), id, data: z.record(z.string(), z.unknown()) });
const link = z.looseObject({ kind: z.string(), relation: z.optional(z.string()), left: end, right: end });
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

const reader =
  <T>(what: string, form: z.ZodMiniType<T>) =>
  (value: unknown, { name, line }: Place): T =>
    readValue(form, value, `${name}, line ${line}: no ${what}`);

const strictEntity = reader<Entity>('entity', entity);
const strictLink = reader<Link>('link', link);

/** There are so many that the common form is told by hand. @throws UserError for what is no entity. */
export function readEntity(value: unknown, place: Place): Entity {
  const quick =
    isObject(value) && typeof value.type === 'string' && Number.isSafeInteger(value.id) && isObject(value.data);
  return quick ? (value as Entity) : strictEntity(value, place);
}

const isEnd = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.type === 'string' &&
  (Number.isSafeInteger(value.ref) || typeof value.ref === 'string') &&
  (value.field === undefined || value.field === null || typeof value.field === 'string') &&
  (value.pos === undefined || value.pos === null || typeof value.pos === 'number');

/** @throws UserError for what is no link. */
export function readLink(value: unknown, place: Place): Link {
  const quick = isObject(value) && typeof value.kind === 'string' && isEnd(value.left) && isEnd(value.right);
  return quick ? (value as Link) : strictLink(value, place);
}

export const readArchiveSchema = reader<ArchiveSchema>('schema', schema);
export const readConfigurationLine = reader<Configuration>('configuration', setting);
export const readMetadata = reader<Metadata>('metadata', metadata);

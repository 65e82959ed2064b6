/**
 * @module The world of one wide content type: 200 scalar attributes of every type, most of which have no column of their own.
 */
import type { ContentType, Registry } from '../../../src/schema/model.ts';
import { MAX_ATTRIBUTE_COLUMNS } from '../../../src/schema/names.ts';
import { contentType, registryOf } from '../schema-files.ts';
import { opener } from '../world.ts';

const TYPES = [
  { type: 'string' },
  { type: 'text' },
  { type: 'richtext' },
  { type: 'email' },
  { type: 'uid' },
  { type: 'enumeration', enum: ['a', 'b'] },
  { type: 'integer' },
  { type: 'biginteger' },
  { type: 'decimal' },
  { type: 'float' },
  { type: 'boolean' },
  { type: 'date' },
  { type: 'datetime' },
  { type: 'time' },
  { type: 'json' },
  { type: 'blocks' },
] as const;

export const WIDE_UID = 'api::wide.wide';
const COUNT = 200;

const names = Array.from({ length: COUNT }, (_, index) => `attribute${index}`);

/** The registry of the wide type; `localized` and with drafts, as the most demanding types are. */
export const wideRegistry: Registry = registryOf(
  [
    contentType('wide', Object.fromEntries(names.map((name, index) => [name, TYPES[index % TYPES.length]])), {
      drafts: true,
      localized: true,
    }),
  ],
  [],
  { [WIDE_UID]: names.slice(MAX_ATTRIBUTE_COLUMNS) },
);

export const wideType = wideRegistry.contentTypes.get(WIDE_UID) as ContentType;

export const openWide = opener(wideRegistry);

/**
 * @module Values of attributes as lists and filters show them.
 */
import { sameFor } from '../../src/common/same-for.ts';
import type { AttributeType } from '../../src/schema/model.ts';
import { displayText } from '../document/text-of.ts';
import type { Attribute } from '../model/attribute.ts';
import type { Model } from '../model/model.ts';
import { formatLocale, text } from '../texts/text.ts';
import { timeText } from '../ui/texts.ts';

/** Values of columns: as everywhere, unless they are shorter here. */
const COLUMNS: Readonly<Record<AttributeType, ((value: unknown) => string) | undefined>> = {
  boolean: (value) => text(value ? 'Yes' : 'No'),
  date: (value) => new Date(String(value)).toLocaleDateString(formatLocale(), { dateStyle: 'medium', timeZone: 'UTC' }),
  time: (value) => String(value).replace(/\.0+$/, ''),
  datetime: (value) => timeText(String(value)),
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'password', 'enumeration', 'json', 'blocks'], undefined),
  ...sameFor(['integer', 'biginteger', 'decimal', 'float'], undefined),
  ...sameFor(['relation', 'media', 'component', 'dynamiczone'], undefined),
};

/** Returns a value that a response has as text. */
export const valueText = (model: Model, attribute: Attribute, value: unknown): string =>
  COLUMNS[attribute.type]?.(value) ?? displayText(model, attribute, value);

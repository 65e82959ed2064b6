/**
 * @module Values of attributes as lists and filters show them.
 */
import { displayText } from '../document/text-of.ts';
import type { Attribute } from '../model/attribute.ts';
import type { Model } from '../model/model.ts';
import { formatLocale, text } from '../texts/text.ts';
import { timeText } from '../ui/texts.ts';

/** Returns a value that a response has as text. */
export function valueText(model: Model, attribute: Attribute, value: unknown): string {
  const { type } = attribute;
  if (type === 'boolean') return text(value ? 'Yes' : 'No');
  if (type === 'datetime') return timeText(String(value));
  if (type === 'time') return String(value).replace(/\.0+$/, '');
  if (type !== 'date') return displayText(model, attribute, value);
  return new Date(String(value)).toLocaleDateString(formatLocale(), { dateStyle: 'medium', timeZone: 'UTC' });
}

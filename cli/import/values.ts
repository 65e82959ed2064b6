/**
 * @module One value of an archive → what a column holds. An import validates nothing, as the reference's does; what a
 * column cannot hold becomes null, with a warning.
 */

import { jsonDepth } from '../../src/content/request/json-depth.ts';
import { FIELDS, type Stored } from '../../src/schema/fields.ts';
import type { ScalarAttribute } from '../../src/schema/model.ts';
import type { Warnings } from './survey.ts';

const JSON_TYPES: ReadonlySet<string> = new Set(['json', 'blocks']);
/** SQLite reads no JSON of more than a thousand levels, and a value may lie in components. */
const MAX_LEVELS = 500;

/** Beyond 64 bits the reference has rounded a number, and shows it so. */
function largeNumber(value: unknown): number | undefined {
  return typeof value === 'string' && /^-?\d{19,30}$/.test(value) ? Number(value) : undefined;
}

/** Texts and numbers are not converted; dates in an unknown form stay texts. */
function stored({ type }: ScalarAttribute, value: unknown): Stored | undefined {
  const field = FIELDS[type];
  if (type === 'biginteger') return field.store(value) ?? largeNumber(value);
  if (JSON_TYPES.has(type)) return shallow(() => field.store(value));
  try {
    const cast = field.cast(value);
    if (type !== 'boolean' && field.typeName && !field.accepts(cast)) return loose(field.affinity, value);
    const result = field.store(cast);
    return typeof result === 'number' && !Number.isFinite(result) ? undefined : (result ?? undefined);
  } catch {
    return loose(field.affinity, value);
  }
}

/** JSON that can be read again; undefined for what is nested too deep. */
function shallow(store: () => Stored): Stored | undefined {
  try {
    const text = store();
    return typeof text === 'string' && text.length > MAX_LEVELS * 2 && jsonDepth(text) > MAX_LEVELS ? undefined : text;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A column of texts holds any text. */
function loose(affinity: string, value: unknown): Stored | undefined {
  if (affinity !== 'text') return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * A value as its column holds it. One that the archive leaves out is the default of its attribute.
 * @param owner how the type or component is called in warnings.
 */
export function storedValue(attribute: ScalarAttribute, value: unknown, owner: string, warnings: Warnings): Stored {
  const given = value === undefined ? attribute.default : value;
  if (given === null || given === undefined) return null;
  const result = stored(attribute, given);
  if (result !== undefined) return result;
  warnings.add(`${owner}.${attribute.name}: a value is no ${attribute.type}; left empty`);
  return null;
}

/** The same in the form in which responses show it, as components hold their values. */
export function shownValue(attribute: ScalarAttribute, value: unknown, owner: string, warnings: Warnings): unknown {
  const result = storedValue(attribute, value, owner, warnings);
  return result === null ? null : FIELDS[attribute.type].read(result);
}

/** Milliseconds of a time in the archive; undefined for none. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' || typeof value === 'number' ? new Date(value).getTime() : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

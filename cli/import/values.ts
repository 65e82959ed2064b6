/**
 * @module One value of an archive → what a column holds. An import validates nothing, as the reference's does; what a
 * column cannot hold becomes null, with a warning.
 */

import { sameFor } from '../../src/common/same-for.ts';
import { jsonDepth } from '../../src/content/request/json-depth.ts';
import { FIELDS, type FieldKind, type ScalarType, type Stored } from '../../src/schema/fields.ts';
import type { ScalarAttribute } from '../../src/schema/model.ts';
import type { Warnings } from './survey.ts';

/** SQLite reads no JSON of more than a thousand levels, and a value may lie in components. */
const MAX_LEVELS = 500;

/** Beyond 64 bits the reference has rounded a number, and shows it so. */
function largeNumber(value: unknown): number | undefined {
  return typeof value === 'string' && /^-?\d{19,30}$/.test(value) ? Number(value) : undefined;
}

/** Returns undefined for what the column cannot hold. */
type Store = (field: FieldKind<unknown>, value: unknown) => Stored | undefined;

/** Dates in an unknown form stay texts. */
const cast: Store = (field, value) => {
  try {
    const result = field.store(field.cast(value));
    return typeof result === 'number' && !Number.isFinite(result) ? undefined : (result ?? undefined);
  } catch {
    return loose(field.affinity, value);
  }
};

/** Texts and numbers are not converted. */
const accepted: Store = (field, value) =>
  field.accepts(field.cast(value)) ? cast(field, value) : loose(field.affinity, value);

const STORES: Readonly<Record<ScalarType, Store>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'password', 'enumeration'], accepted),
  ...sameFor(['integer', 'decimal', 'float'], accepted),
  ...sameFor(['boolean', 'date', 'time', 'datetime'], cast),
  biginteger: (field, value) => field.store(value) ?? largeNumber(value),
  ...sameFor<'json' | 'blocks', Store>(['json', 'blocks'], (field, value) => shallow(() => field.store(value))),
};

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
  const { type } = attribute;
  const result = STORES[type](FIELDS[type], given);
  if (result !== undefined) return result;
  warnings.addLoss(`${owner}.${attribute.name}: a value is no ${type}; left empty`);
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

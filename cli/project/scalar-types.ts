/**
 * @module TypeScript of scalar attributes: in responses, in bodies and in filters.
 */
import { sameFor } from '../../src/common/same-for.ts';
import type { ScalarType } from '../../src/schema/fields.ts';
import type { ScalarAttribute } from '../../src/schema/model.ts';
import { FILE_UID } from '../../src/schema/system-types.ts';
import { quoted } from './print-types.ts';

/** Types of JSON attributes, by uid and attribute. */
const KNOWN_JSON: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [FILE_UID]: { formats: '{ [size: string]: FileFormat }', focalPoint: '{ x: number; y: number }' },
};

interface ScalarTypes {
  readonly shown: string;
  /** A further type that bodies accept. */
  readonly accepted?: string;
  /** Absent: no request may filter by it. */
  readonly filter?: string;
}

const text: ScalarTypes = { shown: 'string', filter: 'TextFilter' };
const number: ScalarTypes = { shown: 'number', filter: 'NumberFilter' };

/** Filters compare JSON and blocks as text. */
const SCALARS: Readonly<Record<ScalarType, ScalarTypes>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'enumeration'], text),
  ...sameFor(['integer', 'decimal', 'float'], number),
  password: { shown: 'string' },
  date: { shown: 'string', filter: 'DateFilter' },
  time: { shown: 'string', filter: 'TimeFilter' },
  datetime: { shown: 'string', accepted: 'number', filter: 'DatetimeFilter' },
  biginteger: { shown: 'string', accepted: 'number', filter: 'BigintegerFilter' },
  boolean: { shown: 'boolean', filter: 'BooleanFilter' },
  json: { shown: 'unknown', filter: 'TextFilter' },
  blocks: { shown: 'BlocksContent', filter: 'TextFilter' },
};

/** Returns the type of a value in responses. */
export const scalarType = (attribute: ScalarAttribute, uid: string): string =>
  KNOWN_JSON[uid]?.[attribute.name] ?? attribute.enum?.map(quoted).join(' | ') ?? SCALARS[attribute.type].shown;

/** Returns the type of a value in bodies. */
export const acceptedType = (attribute: ScalarAttribute, uid: string): string =>
  [scalarType(attribute, uid), SCALARS[attribute.type].accepted ?? []].flat().join(' | ');

/** Returns the type of a filter of the attribute; undefined if no request may have one. */
export function filterType({ type, enum: values }: ScalarAttribute): string | undefined {
  const { filter } = SCALARS[type];
  return filter && values ? `${filter}<${values.map(quoted).join(' | ')}>` : filter;
}

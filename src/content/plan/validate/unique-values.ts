/**
 * @module Unique values that a write publishes, the assertions that no other document has them, and the errors for
 * violations.
 */

import { invalidDocument } from '../../../common/errors.ts';
import { ownValue } from '../../../common/json.ts';
import type { Stored } from '../../../schema/fields.ts';
import type { Attribute, ScalarAttribute } from '../../../schema/model.ts';
import { isVisible } from '../../../schema/visibility.ts';
import type { InputData } from '../../request/body.ts';
import { scalarAttributes } from '../model/component-attributes.ts';
import type { WriteOp } from '../model/write-plan.ts';
import { drafts, publishes, type WriteRequest, writtenRow } from '../model/write-request.ts';
import { NOT_UNIQUE } from './issues.ts';
import { checkScalar, type RuleContext, storeScalar } from './rules.ts';

/** A value that no published row of another document may have. */
export interface UniqueLookup {
  readonly attribute: ScalarAttribute;
  /** Absent: the value in the written row, or for a new locale in the version that it inherits from. */
  readonly value?: Exclude<Stored, null>;
}

const TYPE_ONLY: RuleContext = { draft: true, operation: 'update', taken: new Set() };

/** Returns the stored form; undefined for null, empty and malformed values, which need not be unique. */
export function comparedValue(attribute: ScalarAttribute, value: unknown): UniqueLookup['value'] | undefined {
  const { value: checked, issues } = checkScalar(attribute, value, [attribute.name], TYPE_ONLY);
  if (issues.length > 0) return undefined;
  try {
    const stored = storeScalar(attribute, checked);
    return stored === null || stored === '' ? undefined : stored;
  } catch {
    // A date in an unknown format: rejected when it is stored.
    return undefined;
  }
}

function lookupOf(attribute: ScalarAttribute, value: unknown): UniqueLookup | undefined {
  const compared = comparedValue(attribute, value);
  return compared === undefined ? undefined : { attribute, value: compared };
}

/** Can an update create a locale that inherits the value? */
export const mayInherit = ({ type, operation }: WriteRequest, { localized }: Pick<Attribute, 'localized'>): boolean =>
  operation === 'update' && type.localized && !localized;

/** Returns the unique values that the write may publish, without null, empty and malformed ones. */
export function uniqueLookups(request: WriteRequest): readonly UniqueLookup[] {
  if (drafts(request) && !publishes(request)) return [];
  const unique = scalarAttributes(request.type).filter((attribute) => attribute.unique);
  const lookups = unique.map((attribute) => {
    const value = ownValue(request.data, attribute.name);
    const inherits = mayInherit(request, attribute);
    if (value === null && inherits) return { attribute };
    if (value !== undefined) return lookupOf(attribute, value);
    if (request.operation === 'create') return lookupOf(attribute, attribute.default);
    return drafts(request) || inherits ? { attribute } : undefined;
  });
  return lookups.filter((lookup) => lookup !== undefined);
}

/** Asserts inside the batch that the values are free. @param data what the write publishes, inherited values included */
export const uniqueOps = (request: WriteRequest, data: InputData): readonly WriteOp[] =>
  uniqueLookups({ ...request, data })
    .filter(({ attribute, value }) => value !== undefined && isVisible(attribute, data))
    .map(({ attribute }) => ({
      kind: 'assert-unique',
      row: { ...writtenRow(request), status: 'published' },
      attribute,
      code: `UNIQUE.${attribute.name}`,
    }));

/** The code of an assertion that values of components are free. */
export const TAKEN = 'TAKEN';

/** Returns the error for a unique violation in the batch, as validation reports it if the code names the attribute. */
export function uniqueViolation(code: string, request: WriteRequest): Error | undefined {
  if (code === TAKEN) return invalidDocument([{ path: [], message: NOT_UNIQUE }]);
  const name = code.startsWith('UNIQUE.') ? code.slice('UNIQUE.'.length) : undefined;
  if (name === undefined) return undefined;
  return invalidDocument([{ path: [name], message: NOT_UNIQUE, value: request.data[name] ?? null }]);
}

/** Returns the error for a unique index that was added by hand; names its columns' attributes, or else the index. */
export function duplicateValue(index: string, { type, data }: WriteRequest): Error {
  const columns = index.split(', ').map((column) => column.slice(column.lastIndexOf('.') + 1));
  const named = scalarAttributes(type).filter(({ column }) => columns.includes(column));
  const paths = named.length > 0 ? named.map(({ name }) => name) : [index];
  const message = `${NOT_UNIQUE}: ${index}`;
  return invalidDocument(paths.map((name) => ({ path: [name], message, value: data[name] ?? null })));
}

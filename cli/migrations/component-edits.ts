/**
 * @module The edits of a component's attributes (renamed, converted, emptied, removed), and what they lose.
 */
import { literal } from '../core/sql/sql-text.ts';
import { type convert, convertShown, isRounded, isRounding, isSameForm, type ToSql } from './convert.ts';
import { isComponentPlace, isLinks, isScalarPlace, isZonePlace, type Place } from './layout.ts';
import { formerComponent, type Work } from './migration-work.ts';

export type { ToSql };

export type Scalar = PlaceOf<'scalar'>;
type PlaceOf<K extends Place['kind']> = Extract<Place, { kind: K }>;

export interface Edit {
  readonly from: string;
  /** The attribute that gets the value; absent: the value is removed. */
  readonly to?: string;
  /** JSON text of the new value from that of the old one; absent: unchanged. */
  readonly convert?: ToSql;
}

/** SQL for JSON text of a list whose entries become `entry`, from `"entry"."value"`. @param where those that stay */
export const mapList = (json: string, entry: string, where = '1', alias = '"entry"'): string =>
  `(SELECT json_group_array(json(${entry}) ORDER BY ${alias}."key") FROM json_each(${json}) AS ${alias} WHERE ${where})`;

/**
 * Reports a loss: of values that are not empty for which `goes` holds; absent: of each. `isKept`: in another form. `byHand`
 * as in `Loss`.
 */
export type Lose = (
  reason: string,
  affected?: { readonly goes?: ToSql; readonly isKept?: true; readonly byHand?: true },
) => void;

/** The conversion of a value; 'emptied': none of it is kept; undefined: it is unchanged. */
export type Change = ToSql | 'removed' | 'emptied' | undefined;

function reportEmptied(change: string, lose: Lose): 'emptied' {
  lose(`${change}: no stored value is kept`, { byHand: true });
  return 'emptied';
}

type Convert = typeof convert;

/** @param conversion of the form in which the values are stored */
export function changeScalar(before: Scalar, after: Scalar, conversion: Convert, lose: Lose) {
  if (before.type === after.type) return undefined;
  const change = `${before.type} becomes ${after.type}`;
  const convert = conversion(before.type, after.type);
  if (!convert) return reportEmptied(change, lose);
  if (isRounding(before.type, after.type)) lose(`${change}: numbers beyond 2^53 are rounded`, { goes: isRounded });
  else if (!isSameForm(before.type, after.type)) lose(change, { isKept: true });
  return convert;
}

/** A component may be replaced, or become single or repeatable. */
function changeComponent(before: PlaceOf<'component'>, after: PlaceOf<'component'>, lose: Lose): Change {
  if (before.component !== after.component)
    return reportEmptied(`component ${before.component} becomes ${after.component}`, lose);
  if (before.repeatable === after.repeatable) return undefined;
  if (!after.repeatable) return reportEmptied('repeatable becomes single', lose);
  lose('single becomes repeatable', { isKept: true });
  return (json) => `iif(json_type(${json}) = 'object', json_array(json(${json})), '[]')`;
}

function changeLinks(before: PlaceOf<'links'>, after: PlaceOf<'links'>, lose: Lose): Change {
  if (before.target !== after.target) {
    lose(`pointed to ${before.target}, now to ${after.target}`);
    return 'removed';
  }
  return !before.multiple || after.multiple ? undefined : reportEmptied('can hold one document only', lose);
}

const ofComponents = (uids: readonly string[], is: 'IN' | 'NOT IN'): string =>
  `"entry"."value" ->> '$.__component' ${is} (${uids.map(literal).join(', ')})`;

type Zone = PlaceOf<'dynamiczone'>;

function removeEntries(before: Zone, after: Zone, lose: Lose, work: Work): Change {
  const gone = before.components.filter((uid) => !after.components.includes(uid));
  if (gone.length === 0) return undefined;
  const former = gone.map((uid) => formerComponent(work, uid));
  const goes: ToSql = (json) =>
    `EXISTS (SELECT 1 FROM json_each(${json}) AS "entry" WHERE ${ofComponents(former, 'IN')})`;
  lose(`no longer allows ${gone.join(', ')}`, { goes });
  return (json) => mapList(json, '"entry"."value"', ofComponents(gone, 'NOT IN'));
}

/** @param after absent: the attribute is removed */
export function change(before: Place, after: Place | undefined, lose: Lose, work: Work): Change {
  if (isScalarPlace(before) && isScalarPlace(after)) return changeScalar(before, after, convertShown, lose);
  if (isComponentPlace(before) && isComponentPlace(after)) return changeComponent(before, after, lose);
  if (isLinks(before) && isLinks(after)) return changeLinks(before, after, lose);
  if (isZonePlace(before) && isZonePlace(after)) return removeEntries(before, after, lose, work);
  if (after) return reportEmptied(`${before.kind} becomes ${after.kind}`, lose);
  lose('removed');
  return 'removed';
}

/** JSON text of an attribute of a component without a value. */
export const emptyJson = (place: Place): string =>
  isScalarPlace(place) || (isComponentPlace(place) && !place.repeatable) ? `'null'` : `'[]'`;

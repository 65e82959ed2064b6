/**
 * @module The edits of a component's attributes (renamed, converted, emptied, removed), and what they lose.
 */

import { literal } from '../core/sql/sql-text.ts';
import { isSameForm } from './convert.ts';
import { convertShown, emptyJson } from './convert-shown.ts';
import type { Place, Places } from './layout.ts';
import { formerComponent, type Work } from './migration-work.ts';

type PlaceOf<K extends Place['kind']> = Extract<Place, { kind: K }>;

/** SQL for a JSON text → SQL for a converted text, or for a condition on it. */
export type OfJson = (json: string) => string;

export interface Edit {
  readonly from: string;
  /** The attribute that gets the value; absent: the value is removed. */
  readonly to?: string;
  /** JSON text of the new value from that of the old one; absent: unchanged. */
  readonly convert?: OfJson;
}

interface Loss {
  /** The attribute, and what it was called before the migration. */
  readonly name: string;
  readonly from: string;
  readonly reason: string;
  /** Does a value that is not empty lose something? Absent: each does. */
  readonly goes?: OfJson;
  /** Is the value kept in another form? */
  readonly isKept?: true;
}

export type Lose = (loss: Loss) => void;

const sameOr = (from: string, to: string): Edit | undefined => (from === to ? undefined : { from, to });

const severalOf: OfJson = (json) => `json_array_length(${json}) > 1`;

function scalarEdit(from: string, to: string, before: PlaceOf<'scalar'>, after: PlaceOf<'scalar'>, lose: Lose) {
  if (before.type === after.type) return sameOr(from, to);
  if (!isSameForm(before.type, after.type))
    lose({ name: to, from, reason: `${before.type} becomes ${after.type}`, isKept: true });
  const { convert, loss } = convertShown(before.type, after.type);
  if (loss) lose({ name: to, from, reason: `${before.type} becomes ${after.type}: ${loss.reason}`, goes: loss.goes });
  return { from, to, convert };
}

function componentEdit(
  from: string,
  to: string,
  before: PlaceOf<'component'>,
  after: PlaceOf<'component'>,
  lose: Lose,
) {
  if (before.component !== after.component) {
    lose({ name: to, from, reason: `component ${before.component} becomes ${after.component}` });
    return { from, to, convert: () => emptyJson(after.repeatable) };
  }
  if (before.repeatable === after.repeatable) return sameOr(from, to);
  const kept = after.repeatable ? 'single becomes repeatable' : 'repeatable becomes single';
  lose({ name: to, from, reason: kept, isKept: true });
  if (after.repeatable)
    return {
      from,
      to,
      convert: (json: string) => `iif(json_type(${json}) = 'object', json_array(json(${json})), '[]')`,
    };
  lose({ name: to, from, reason: 'repeatable becomes single: only the first component is kept', goes: severalOf });
  return { from, to, convert: (json: string) => `coalesce(${json} -> '$[0]', 'null')` };
}

/** References are lists; that of a relation to one document names its locales. */
function linksEdit(from: string, to: string, before: PlaceOf<'links'>, after: PlaceOf<'links'>, lose: Lose) {
  if (before.target !== after.target) {
    lose({ name: to, from, reason: `pointed to ${before.target}, now to ${after.target}` });
    return { from };
  }
  if (!before.multiple || after.multiple) return sameOr(from, to);
  const first = (json: string, is: string) =>
    `FROM json_each(${json}) AS "link" WHERE "link"."value" ->> '$.documentId' ${is} ${json} ->> '$[0].documentId'`;
  const reason = 'can hold one document only: only the first is kept';
  lose({ name: to, from, reason, goes: (json) => `EXISTS (SELECT 1 ${first(json, '<>')})` });
  const kept: OfJson = (json) =>
    `(SELECT json_group_array(json("link"."value") ORDER BY "link"."key") ${first(json, '=')})`;
  return { from, to, convert: kept };
}

/** The edit of a component that is replaced, or becomes single or repeatable. Zones change after the deployment. */
export const blocksEdit = (from: string, to: string, before: Place, after: Place, lose: Lose): Edit | undefined =>
  before.kind === 'component' && after.kind === 'component'
    ? componentEdit(from, to, before, after, lose)
    : sameOr(from, to);

/** The edit of one attribute that both sides have, if it needs one. */
function editOf(from: string, to: string, before: Place, after: Place, lose: Lose): Edit | undefined {
  if (before.kind === 'scalar' && after.kind === 'scalar') return scalarEdit(from, to, before, after, lose);
  if (before.kind === 'links' && after.kind === 'links') return linksEdit(from, to, before, after, lose);
  if (before.kind === after.kind) return blocksEdit(from, to, before, after, lose);
  lose({ name: to, from, reason: `${before.kind} becomes ${after.kind}: no stored value is kept` });
  return { from };
}

/** @param renames attributes of the component, old name → new name. */
export type FindEdits = (
  before: Places,
  after: Places,
  renames: ReadonlyMap<string, string>,
  lose: Lose,
  work: Work,
) => readonly Edit[];

export const editsOf: FindEdits = (before, after, renames, lose) =>
  Object.entries(before).flatMap(([name, place]) => {
    const to = renames.get(name) ?? name;
    const next = after[to];
    return next ? (editOf(name, to, place, next, lose) ?? []) : [];
  });

const ofComponents = (uids: readonly string[], is: 'IN' | 'NOT IN'): string =>
  `"entry"."value" ->> '$.__component' ${is} (${uids.map(literal).join(', ')})`;

/** The edit that removes entries which a zone no longer allows. */
export function zoneRemovals(
  from: string,
  to: string,
  before: PlaceOf<'dynamiczone'>,
  after: PlaceOf<'dynamiczone'>,
  lose: Lose,
  work: Work,
): Edit | undefined {
  const gone = before.components.filter((uid) => !after.components.includes(uid));
  if (gone.length === 0) return undefined;
  const former = gone.map((uid) => formerComponent(work, uid));
  const held: OfJson = (json) =>
    `EXISTS (SELECT 1 FROM json_each(${json}) AS "entry" WHERE ${ofComponents(former, 'IN')})`;
  lose({ name: to, from, reason: `no longer allows ${gone.join(', ')}`, goes: held });
  const convert: OfJson = (json) =>
    `(SELECT json_group_array(json("entry"."value") ORDER BY "entry"."key") FROM json_each(${json}) AS "entry" WHERE ${ofComponents(gone, 'NOT IN')})`;
  return { from: to, to, convert };
}

/** The edits after the deployment, when attributes have their new names: removed attributes, and entries of zones. */
export const removals: FindEdits = (before, after, renames, lose, work) =>
  Object.entries(before).flatMap(([name, place]) => {
    const to = renames.get(name) ?? name;
    const next = after[to];
    if (place.kind === 'dynamiczone' && next?.kind === 'dynamiczone')
      return zoneRemovals(name, to, place, next, lose, work) ?? [];
    if (next) return [];
    lose({ name, from: name, reason: 'removed' });
    return [{ from: name }];
  });

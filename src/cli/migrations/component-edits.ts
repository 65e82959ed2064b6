/**
 * @module The edits of a component's attributes (renamed, converted, emptied, removed), and what they lose.
 */
import { literal } from '../core/sql/sql-text.ts';
import { convertShown, emptyJson, isSameForm, type ToSql } from './convert.ts';
import type { Place } from './layout.ts';
import { formerComponent, type Work } from './migration-work.ts';

export type { ToSql };

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
 * Reports a loss.
 * @param goes does a value that is not empty lose something? Absent: each does.
 * @param isKept is the value kept in another form?
 */
export type Lose = (reason: string, affected?: { readonly goes?: ToSql; readonly isKept?: true }) => void;

/** The conversion of a value; undefined: it is unchanged. */
type Change = ToSql | 'removed' | undefined;

function changeScalar(before: PlaceOf<'scalar'>, after: PlaceOf<'scalar'>, lose: Lose): Change {
  if (before.type === after.type) return undefined;
  const change = `${before.type} becomes ${after.type}`;
  if (!isSameForm(before.type, after.type)) lose(change, { isKept: true });
  const { convert, loss } = convertShown(before.type, after.type);
  if (loss) lose(`${change}: ${loss.reason}`, { goes: loss.goes });
  return convert;
}

/** A component may be replaced, or become single or repeatable. */
export function changeComponent(
  before: PlaceOf<'component'>,
  after: PlaceOf<'component'>,
  lose: Lose,
): ToSql | undefined {
  if (before.component !== after.component) {
    lose(`component ${before.component} becomes ${after.component}`);
    return () => emptyJson(after.repeatable);
  }
  if (before.repeatable === after.repeatable) return undefined;
  lose(after.repeatable ? 'single becomes repeatable' : 'repeatable becomes single', { isKept: true });
  if (after.repeatable) return (json) => `iif(json_type(${json}) = 'object', json_array(json(${json})), '[]')`;
  const goes: ToSql = (json) => `json_array_length(${json}) > 1`;
  lose('repeatable becomes single: only the first component is kept', { goes });
  return (json) => `coalesce(${json} -> '$[0]', 'null')`;
}

/** References are lists; that of a relation to one document names its locales. */
function changeLinks(before: PlaceOf<'links'>, after: PlaceOf<'links'>, lose: Lose): Change {
  if (before.target !== after.target) {
    lose(`pointed to ${before.target}, now to ${after.target}`);
    return 'removed';
  }
  if (!before.multiple || after.multiple) return undefined;
  const first = (json: string, is: string) => `"entry"."value" ->> '$.documentId' ${is} ${json} ->> '$[0].documentId'`;
  const goes: ToSql = (json) => `EXISTS (SELECT 1 FROM json_each(${json}) AS "entry" WHERE ${first(json, '<>')})`;
  lose('can hold one document only: only the first is kept', { goes });
  return (json) => mapList(json, '"entry"."value"', first(json, '='));
}

/** Zones change after the deployment. */
function change(before: Place, after: Place, lose: Lose): Change {
  if (before.kind === 'scalar' && after.kind === 'scalar') return changeScalar(before, after, lose);
  if (before.kind === 'component' && after.kind === 'component') return changeComponent(before, after, lose);
  if (before.kind === 'links' && after.kind === 'links') return changeLinks(before, after, lose);
  if (before.kind === after.kind) return undefined;
  lose(`${before.kind} becomes ${after.kind}: no stored value is kept`);
  return 'removed';
}

const ofComponents = (uids: readonly string[], is: 'IN' | 'NOT IN'): string =>
  `"entry"."value" ->> '$.__component' ${is} (${uids.map(literal).join(', ')})`;

export function removeEntries(
  before: PlaceOf<'dynamiczone'>,
  after: PlaceOf<'dynamiczone'>,
  lose: Lose,
  work: Work,
): ToSql | undefined {
  const gone = before.components.filter((uid) => !after.components.includes(uid));
  if (gone.length === 0) return undefined;
  const former = gone.map((uid) => formerComponent(work, uid));
  const goes: ToSql = (json) =>
    `EXISTS (SELECT 1 FROM json_each(${json}) AS "entry" WHERE ${ofComponents(former, 'IN')})`;
  lose(`no longer allows ${gone.join(', ')}`, { goes });
  return (json) => mapList(json, '"entry"."value"', ofComponents(gone, 'NOT IN'));
}

interface Attribute {
  /** Its names before and after the migration. */
  readonly from: string;
  readonly to: string;
  readonly before: Place;
  /** Absent: it is removed. */
  readonly after: Place | undefined;
}

export type FindEdits = (attribute: Attribute, lose: Lose, work: Work) => readonly Edit[];

export const editsOf: FindEdits = ({ from, to, before, after }, lose) => {
  const changed = after && change(before, after, lose);
  if (changed === 'removed') return [{ from }];
  if (changed) return [{ from, to, convert: changed }];
  return after && from !== to ? [{ from, to }] : [];
};

/** The edits after the deployment, when attributes have their new names: removed attributes, and entries of zones. */
export const removals: FindEdits = ({ from, to, before, after }, lose, work) => {
  if (before.kind === 'dynamiczone' && after?.kind === 'dynamiczone') {
    const convert = removeEntries(before, after, lose, work);
    return convert ? [{ from: to, to, convert }] : [];
  }
  if (after) return [];
  lose('removed');
  return [{ from }];
};

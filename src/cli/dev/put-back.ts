/**
 * @module Statements that put kept content back where the content types have a place for it again.
 */
import { setValue, valueIn } from '../migrations/attribute-changes.ts';
import { rewriteColumns } from '../migrations/component-changes.ts';
import { withNewIds } from '../migrations/component-ids.ts';
import type { Place } from '../migrations/layout.ts';
import { identifier } from '../migrations/sql-text.ts';
import { clashesOf, conversionTo, formOf } from './forms.ts';
import type { KeptGroup } from './kept-table.ts';
import { putBackLinks, putBackSingleLinks } from './put-back-links.ts';
import { putBackRows } from './put-back-rows.ts';
import { dropServed, hasOwnEntry, ofEntry, type Slot, slotOf, type Target } from './slots.ts';

type ColumnPlace = Exclude<Place, { kind: 'links' }>;

const ROW = '"row"';

/** SQL for what a row takes: components from the entry of another version get ids of their own. */
function taken(slot: Slot, place: ColumnPlace, expression: string): string {
  if (!slot.isNew || (place.kind !== 'component' && place.kind !== 'dynamiczone')) return expression;
  return `iif(${hasOwnEntry(slot, ROW)}, ${expression}, ${withNewIds(place, expression, slot.layout)})`;
}

/** What is hidden in instances has one form: a value in another one stays in the entry alone. */
function withoutClashes(slot: Slot, place: ColumnPlace): readonly string[] {
  const { type, name, layout, hidden, group } = slot;
  const clashes = group.form ? clashesOf(group.form, { ...layout, components: hidden }) : new Map<string, string[]>();
  const edits = new Map([...clashes].map(([uid, names]) => [uid, names.map((from) => ({ from }))] as const));
  const isBack = `${identifier(place.column)} = ${ofEntry(slot, 'value', identifier(type.table))}`;
  return rewriteColumns(type.table, { [name]: place }, { layout, edits }, isBack);
}

/** A row takes a value where it has none, and in a form that is new to it also where nobody has written to it since. */
function putBackValues(slot: Slot, place: ColumnPlace): readonly string[] {
  const { type, name, layout, group, isNew, isSame } = slot;
  const kept = ofEntry(slot, 'value');
  const expression = (group.form && conversionTo(group.form, formOf(place, layout), kept)?.expression) ?? kept;
  const isUnwritten = hasOwnEntry(slot, ROW, `"kept"."updated_at" = ${ROW}."updated_at"`);
  const isFree = isNew ? `(${valueIn(place, name)} IS NULL OR ${isUnwritten})` : `${valueIn(place, name)} IS NULL`;
  const update = `UPDATE ${identifier(type.table)} AS ${ROW} SET ${setValue(place, name, taken(slot, place, expression))} WHERE ${isFree} AND ${expression} IS NOT NULL`;
  const stripped = withoutClashes(slot, place);
  return [update, ...stripped, ...(isSame && stripped.length === 0 ? [dropServed(slot)] : [])];
}

const putBackAttribute = (slot: Slot): readonly string[] => {
  if (slot.place.kind !== 'links') return putBackValues(slot, slot.place);
  return slot.group.kind === 'links' ? putBackLinks(slot, slot.place) : [];
};

export interface PutBack {
  readonly statements: readonly string[];
  /** uids of the types whose rows or values may have changed. */
  readonly types: readonly string[];
}

/** Puts back what fits: rows first, then what they hold, then links between what is there now. */
export function putBack(groups: readonly KeptGroup[], target: Target): PutBack {
  const uids = new Map(Object.entries(target.layout.types).map(([uid, { table }]) => [table, uid]));
  const here = groups.flatMap((group) => {
    const uid = uids.get(group.table);
    return uid === undefined ? [] : [{ uid, group }];
  });
  const rows = here.filter(({ group }) => group.kind === 'row');
  const slots = here.flatMap(({ uid, group }) => slotOf(target, uid, group) ?? []);
  const links = slots.flatMap((slot) =>
    slot.group.kind === 'link' && slot.place.kind === 'links' ? putBackSingleLinks(slot, slot.place) : [],
  );
  return {
    statements: [...rows.flatMap(({ uid }) => putBackRows(uid, target)), ...slots.flatMap(putBackAttribute), ...links],
    types: [...new Set([...rows, ...slots].map(({ uid }) => uid))],
  };
}

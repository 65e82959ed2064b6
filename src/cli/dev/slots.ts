/**
 * @module A place of the content types for kept values, and SQL for the entry that a row takes.
 */
import type { Layout, Place, TypeLayout } from '../migrations/layout.ts';
import { statusOf } from '../migrations/migration-work.ts';
import { identifier, literal } from '../migrations/sql-text.ts';
import { conversionTo, formOf, isSameForm } from './forms.ts';
import { KEPT, type KeptGroup } from './kept-table.ts';
import { isLocale } from './versions.ts';

export interface Target {
  /** As the tables were, and as they are when the statements run. */
  readonly before: Layout;
  readonly layout: Layout;
  /** Attributes of components that instances have and the files have not. */
  readonly hidden: Layout['components'];
  readonly defaultLocale: string;
  /** `table.attribute` of those that a migration renames or converts: they take what can be converted. */
  readonly moved: ReadonlySet<string>;
}

/** One attribute of a type that takes kept values. */
export interface Slot extends Target {
  readonly uid: string;
  readonly type: TypeLayout;
  readonly name: string;
  readonly place: Place;
  readonly group: KeptGroup;
  /** Had the attribute another form before, or was it not there? Then versions that were made since have no entry. */
  readonly isNew: boolean;
  /** Is nothing lost when the entries go once they were put back? */
  readonly isSame: boolean;
}

const ROW = '"row"';

/** SQL: is an entry of the group? */
export const isOf = (entry: string, { kind, table, attribute, formName }: KeptGroup): string =>
  [
    `${entry}."table" = ${literal(table)} AND ${entry}."kind" = ${literal(kind)}`,
    `${entry}."attribute" = ${literal(attribute)} AND ${entry}."form" = ${literal(formName)}`,
  ].join(' AND ');

/** SQL: is an entry that of the row itself, and not of another version of its document? */
const isOwn = (row: string, { place, type, defaultLocale }: Slot): readonly [locale: string, version: string] => {
  const locale = isLocale(`${row}."locale"`, `"kept"."locale"`, defaultLocale);
  return [
    place.localized === true && type.localized ? locale : '1',
    `${locale} AND "kept"."status" = ${statusOf(row)}`,
  ];
};

/**
 * SQL for a column of the entry that a row takes: its own, or else that of the version it was made from meanwhile, such as
 * the draft of what was published.
 */
export function ofEntry(slot: Slot, column: string, row: string = ROW): string {
  const { group, isNew } = slot;
  const [locale, version] = isOwn(row, slot);
  const where = `${isOf('"kept"', group)} AND "kept"."document_id" = ${row}."document_id" AND ${isNew ? locale : version}`;
  const order = `${version} DESC, ${isLocale(`${row}."locale"`, `"kept"."locale"`, slot.defaultLocale)} DESC, "kept"."status" = ${statusOf(row)} DESC, "kept"."updated_at" DESC`;
  return `(SELECT "kept".${identifier(column)} FROM ${KEPT} AS "kept" WHERE ${where} ORDER BY ${order} LIMIT 1)`;
}

/** SQL: has the row an entry of its own? @param where another condition on it. */
export function hasOwnEntry(slot: Slot, row: string, where = '1'): string {
  const [, version] = isOwn(row, slot);
  return `EXISTS (SELECT 1 FROM ${KEPT} AS "kept" WHERE ${isOf('"kept"', slot.group)} AND "kept"."document_id" = ${row}."document_id" AND ${version} AND ${where})`;
}

/** Entries whose row is there have been put back, or what was written later stands in their place. */
export function dropServed({ type, group, defaultLocale }: Slot): string {
  const row = `SELECT 1 FROM ${identifier(type.table)} AS ${ROW} WHERE ${ROW}."document_id" = ${KEPT}."document_id" AND ${isLocale(`${ROW}."locale"`, `${KEPT}."locale"`, defaultLocale)} AND ${statusOf(ROW)} = ${KEPT}."status"`;
  return `DELETE FROM ${KEPT} WHERE ${isOf(KEPT, group)} AND EXISTS (${row})`;
}

/** Kept values go into the same form always, and into another where the attribute is new, or a migration moves them. */
export function slotOf(target: Target, uid: string, group: KeptGroup): Slot | undefined {
  const { before, layout, moved } = target;
  const type = layout.types[uid];
  const place = type?.attributes[group.attribute];
  if (!type || !place || !group.form) return undefined;
  const isMoved = moved.has(`${type.table}.${group.attribute}`);
  const was = Object.values(before.types).find(({ table }) => table === type.table);
  const form = formOf(place, layout);
  const isSame = isSameForm(group.form, form);
  const conversion = conversionTo(group.form, form, 'x');
  const wasPlace = was?.attributes[group.attribute];
  const isNew = isMoved || !wasPlace || !isSameForm(formOf(wasPlace, before), form);
  const fits = isSame || (conversion && (isMoved || !(wasPlace || conversion.loss)));
  return fits
    ? { ...target, uid, type, name: group.attribute, place, group, isNew, isSame: isSame || isMoved }
    : undefined;
}

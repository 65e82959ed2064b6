/**
 * @module What a migration does about an attribute of a content type that was removed or is stored in another way, and SQL for
 * its value: in a column, or in the overflow column.
 */
import { FIELDS } from '../../src/schema/fields.ts';
import { OVERFLOW_COLUMN } from '../../src/schema/names.ts';
import { identifier, jsonPath } from '../core/sql/sql-text.ts';
import { change, changeScalar, emptyJson, type Lose, type Scalar, type ToSql } from './component-edits.ts';
import { convert } from './convert.ts';
import { type BlocksPlace, isBlocks, isLinks, isScalarPlace, nameOfType, type Place } from './layout.ts';
import { changeLinks } from './link-changes.ts';
import {
  addColumn,
  countOf,
  dropColumn,
  formerTable,
  keptTypes,
  type Loss,
  openPlace,
  renameColumn,
  tableOf,
  type Work,
} from './migration-work.ts';

export type ColumnPlace = Exclude<Place, { kind: 'links' }>;

export const OVERFLOW = identifier(OVERFLOW_COLUMN);

export const isOverflow = (place: Place): place is Scalar => isScalarPlace(place) && place.overflow;

/** SQL for the stored value of an attribute, as a column of its own holds it. @param row the name of its table, quoted */
export function valueIn(row: string, place: ColumnPlace, { column, name }: NonNullable<Place['was']>): string {
  if (!isOverflow(place)) return `${row}.${identifier(column)}`;
  const value = `(${row}.${OVERFLOW} ->> ${jsonPath(name)})`;
  return FIELDS[place.type].exact ? `CAST(${value} AS INTEGER)` : value;
}

/**
 * SQL that stores a value. In the overflow column whole numbers of 64 bits are texts, since JSON readers round them, and so
 * is JSON. A concatenation is plain text: the result of a JSON function would go in as an object, even through a CAST.
 */
export function assigned(place: ColumnPlace, name: string, value: string): string {
  if (!isOverflow(place)) return `${identifier(place.column)} = ${value}`;
  const { affinity, exact } = FIELDS[place.type];
  const isText = affinity === 'text' || exact;
  return `${OVERFLOW} = json_set(coalesce(${OVERFLOW}, '{}'), ${jsonPath(name)}, ${isText ? `(${value} || '')` : value})`;
}

/** An attribute of a type that stays. `table` is that of the type after the migration, `owned` such as `article.lead`. */
export type Subject = Readonly<{ work: Work; table: string; name: string; owned: string }>;

/** The attributes that the types had, with what becomes of them. */
export const subjectsOf = (work: Work) =>
  keptTypes(work).flatMap(({ uid, before, type }) =>
    Object.entries(before.attributes).map(([name, from]) => ({
      ...{ work, table: type.table, name, owned: `${nameOfType(uid)}.${name}` },
      ...{ before, type, from, to: type.attributes[name] },
    })),
  );

export const formerValue = ({ work, table, name }: Subject, from: ColumnPlace): string =>
  valueIn(identifier(formerTable(work, table)), from, from.was ?? { column: from.column, name });

/** A statement that counts the rows with a value; empty lists are none. */
export function holders(subject: Subject, from: Place): string {
  const { work, table } = subject;
  if (isLinks(from)) return countOf(work, from.table);
  // NULL is not different from an empty list.
  return countOf(work, table, `${formerValue(subject, from)} ${isBlocks(from) ? `<> '[]'` : 'IS NOT NULL'}`);
}

export function removeKey(table: string, name: string): string {
  const path = jsonPath(name);
  return `UPDATE ${identifier(table)} SET ${OVERFLOW} = json_remove(${OVERFLOW}, ${path}) WHERE ${OVERFLOW} ->> ${path} IS NOT NULL`;
}

const note = (losses: Loss[], { owned: subject }: Subject, reason: string, count: string, byHand?: true): void =>
  void losses.push({ subject, reason, counts: [count], ...(byHand && { byHand }) });

const loseBy =
  (subject: Subject, from: ColumnPlace, losses: Loss[]): Lose =>
  (reason, { goes, isKept, byHand } = {}) => {
    const { work, table } = subject;
    const value = formerValue(subject, from);
    const count = goes ? countOf(work, table, `${value} IS NOT NULL AND (${goes(value)})`) : holders(subject, from);
    note(isKept ? work.conversions : losses, subject, reason, count, byHand);
  };

function addOverflow(work: Work, table: string): void {
  if (!tableOf(work, table).columns[OVERFLOW_COLUMN]) addColumn(work, table, OVERFLOW_COLUMN, 'text');
}

/** A column that takes the place of another one. */
export const TEMPORARY = 'edgewise_new';

/** Puts an empty column in the place of another one. */
function replaceColumn({ work, table, owned }: Subject, from: string, to: string, affinity: string): void {
  addColumn(work, table, TEMPORARY, affinity);
  if (work.isByHand)
    work.statements.push(
      openPlace(owned, `UPDATE ${identifier(table)} SET ${identifier(TEMPORARY)} from ${identifier(from)}`),
    );
  dropColumn(work, table, from);
  renameColumn(work, table, TEMPORARY, to);
}

/** An attribute of another type, which holds no value of the former one. */
function emptyScalar(subject: Subject, from: Scalar, to: Scalar): void {
  const { work, table, name, owned } = subject;
  if (from.overflow || to.overflow) {
    addOverflow(work, table);
    if (work.isByHand) work.statements.push(openPlace(owned, `UPDATE ${identifier(table)} SET ${OVERFLOW}`));
    else if (from.overflow) work.statements.push(removeKey(table, name));
    if (!from.overflow) dropColumn(work, table, from.column);
  } else replaceColumn(subject, from.column, to.column, FIELDS[to.type].affinity);
}

/**
 * Moves values that are kept. A value may move into the overflow column; none leaves it. A column of another affinity takes
 * the place of the old one.
 * @param convert for another type
 */
function moveScalar({ work, table, name }: Subject, from: Scalar, to: Scalar, convert?: ToSql): void {
  const stored = valueIn(identifier(table), from, { column: from.column, name });
  const value = convert?.(stored) ?? stored;
  const { affinity } = FIELDS[to.type];
  const move = (set: string) =>
    work.statements.push(`UPDATE ${identifier(table)} SET ${set} WHERE ${stored} IS NOT NULL`);
  if (from.overflow) {
    if (from.type !== to.type) move(assigned(to, name, value));
  } else if (to.overflow) {
    addOverflow(work, table);
    move(assigned(to, name, value));
    dropColumn(work, table, from.column);
  } else if (tableOf(work, table).columns[from.column]?.type === affinity) {
    if (value !== stored) move(assigned(from, name, value));
  } else {
    addColumn(work, table, TEMPORARY, affinity);
    move(`${identifier(TEMPORARY)} = ${value}`);
    dropColumn(work, table, from.column);
    renameColumn(work, table, TEMPORARY, to.column);
  }
}

function changeColumn(subject: Subject, from: Scalar, to: Scalar): void {
  const change = changeScalar(from, to, convert, loseBy(subject, from, subject.work.losses));
  if (change === 'emptied') emptyScalar(subject, from, to);
  else moveScalar(subject, from, to, change);
}

/** Components and zones change as those inside other components, but a column holds NULL for none. */
function changeBlocks(subject: Subject, from: BlocksPlace, to: BlocksPlace): void {
  const { work, table } = subject;
  const isLate = from.kind === 'dynamiczone';
  const changed = change(from, to, loseBy(subject, from, isLate ? work.lateLosses : work.losses), work);
  const column = identifier(from.column);
  const isOpen = changed === 'emptied' && work.isByHand;
  if (isOpen) work.last.push(openPlace(subject.owned, `UPDATE ${identifier(table)} SET ${column}`));
  const convert = changed === 'emptied' ? () => emptyJson(to) : changed;
  if (isOpen || !convert || convert === 'removed') return;
  const rewrite = `UPDATE ${identifier(table)} SET ${column} = nullif(${convert(column)}, 'null') WHERE ${column} IS NOT NULL`;
  (isLate ? work.late : work.statements).push(rewrite);
}

const nameOf = (place: Place): string => (isScalarPlace(place) ? place.type : place.kind);

const columnOf = (place: Place) => (isLinks(place) || isOverflow(place) ? undefined : place.column);

/**
 * Another kind of attribute under the same name starts empty. Where it takes the same column, that goes first. Values of the
 * overflow column go late; columns and link tables do, too, as the tables are compared.
 */
function remove(subject: Subject, from: Place, to: Place | undefined): void {
  const { work, table, name, owned } = subject;
  const column = columnOf(from);
  const inTheWay = to !== undefined && column !== undefined && column === columnOf(to);
  const reason = to ? `${nameOf(from)} becomes ${nameOf(to)}: no stored value is kept` : `removed (${nameOf(from)})`;
  note(inTheWay ? work.losses : work.lateLosses, subject, reason, holders(subject, from), to && true);
  if (inTheWay) replaceColumn(subject, column, column, isScalarPlace(to) ? FIELDS[to.type].affinity : 'text');
  else if (to && work.isByHand) work.last.push(openPlace(owned, `${nameOf(from)} becomes ${nameOf(to)}`));
  // Otherwise it goes with its column.
  if (isOverflow(from) && work.nextTables[table]?.columns[OVERFLOW_COLUMN]) work.late.push(removeKey(table, name));
}

/** An earlier version of Edgewise named some columns in another way. */
function renamed({ work, table, name }: Subject, from: Place, to: Place | undefined): Place {
  const [before, after] = [columnOf(from), to && columnOf(to)];
  if (isLinks(from) || before === undefined || after === undefined || before === after) return from;
  renameColumn(work, table, before, after);
  return { ...from, column: after, was: { column: before, name } };
}

/** Adds what the attributes of all types need. */
export function changeAttributes(work: Work): void {
  for (const { from: former, to, ...subject } of subjectsOf(work)) {
    const from = renamed(subject, former, to);
    if (isScalarPlace(from) && isScalarPlace(to)) changeColumn(subject, from, to);
    else if (isLinks(from) && isLinks(to)) changeLinks(work, subject.owned, from, to);
    else if (isBlocks(from) && to && isBlocks(to) && from.kind === to.kind) changeBlocks(subject, from, to);
    else remove(subject, from, to);
  }
}

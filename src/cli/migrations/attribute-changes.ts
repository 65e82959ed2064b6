/**
 * @module What a migration does about an attribute that was removed or is stored in another way.
 */
import { FIELDS } from '../../registry/fields.ts';
import type { ScalarType } from '../../registry/model.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { type Conversion, convert, NOT_CONVERTED } from './convert.ts';
import type { Place, Places } from './layout.ts';
import { changeLinks } from './link-changes.ts';
import {
  addColumn,
  countOf,
  dropColumn,
  formerColumn,
  formerComponent,
  formerKey,
  formerTable,
  type Loss,
  renameColumn,
  tableOf,
  type Work,
} from './migration-work.ts';
import { columnIn, identifier, jsonPath, literal } from './sql-text.ts';

type PlaceOf<K extends Place['kind']> = Extract<Place, { kind: K }>;

interface Subject {
  readonly work: Work;
  readonly table: string;
  readonly name: string;
  /** Says that the stored content goes, or a part of it. @param counts statements that count the rows which hold it. */
  lose(reason: string, counts: readonly string[]): void;
  /** The same of what goes when only the version from before has read it. */
  loseLate(reason: string, counts: readonly string[]): void;
}

const TEMPORARY = 'edgewise_new';
const OVERFLOW = identifier(OVERFLOW_COLUMN);

const update = (table: string, column: string, expression: string, where: string): string =>
  `UPDATE ${identifier(table)} SET ${column} = ${expression} WHERE ${where}`;

const nameOf = (place: Place): string => (place.kind === 'scalar' ? place.type : place.kind);

/** SQL for the stored value of an attribute, as it was before the migration. */
function formerValue({ work, table, name }: Subject, from: Exclude<Place, { kind: 'links' }>): string {
  const former = formerTable(work, table);
  if (from.kind !== 'scalar' || !from.overflow) return columnIn(former, formerColumn(work, table, from.column));
  return unpacked(from.type, columnIn(former, OVERFLOW_COLUMN), jsonPath(formerKey(work, table, name)));
}

/** Counts the rows that hold a value; lists without an entry are none. */
function holders(subject: Subject, from: Place): readonly string[] {
  if (from.kind === 'links') return [countOf(subject.work, from.table)];
  const value = formerValue(subject, from);
  const list = from.kind === 'dynamiczone' || (from.kind === 'component' && from.repeatable);
  return [countOf(subject.work, subject.table, `${value} ${list ? `<> '[]'` : 'IS NOT NULL'}`)];
}

/**
 * In the overflow column whole numbers of 64 bits are texts, since JSON readers round them, and so is JSON. A
 * concatenation is plain text: the result of a JSON function would go in as an object, even through a CAST.
 */
const packed = (type: ScalarType, x: string): string =>
  FIELDS[type].affinity === 'text' || type === 'biginteger' ? `(${x} || '')` : x;

const unpacked = (type: ScalarType, column: string, path: string): string =>
  type === 'biginteger' ? `CAST(${column} ->> ${path} AS INTEGER)` : `(${column} ->> ${path})`;

const intoOverflow = (path: string, x: string): string => `json_set(coalesce(${OVERFLOW}, '{}'), ${path}, ${x})`;

const NOTHING: Conversion = {
  expression: 'NULL',
  loss: { reason: NOT_CONVERTED, where: '1' },
};

const conversionBetween = (from: ScalarType, to: ScalarType, x: string): Conversion =>
  from === to ? { expression: x } : (convert(from, to, x) ?? NOTHING);

function conversionOf(subject: Subject, from: PlaceOf<'scalar'>, to: PlaceOf<'scalar'>, x: string): Conversion {
  const { work, table, lose } = subject;
  const value = formerValue(subject, from);
  const { loss } = conversionBetween(from.type, to.type, value);
  const where = `${value} IS NOT NULL AND (${loss?.where})`;
  if (loss) lose(`${from.type} becomes ${to.type}: ${loss.reason}`, [countOf(work, table, where)]);
  return conversionBetween(from.type, to.type, x);
}

function changeColumn(subject: Subject, from: PlaceOf<'scalar'>, to: PlaceOf<'scalar'>): void {
  const { work, table } = subject;
  const column = identifier(from.column);
  const { expression } = conversionOf(subject, from, to, column);
  const { affinity } = FIELDS[to.type];
  const before = tableOf(work, table).columns[from.column]?.type;
  if (before === affinity) {
    if (expression !== column) work.statements.push(update(table, column, expression, `${column} IS NOT NULL`));
    return;
  }
  addColumn(work, table, TEMPORARY, affinity);
  work.statements.push(update(table, identifier(TEMPORARY), expression, `${column} IS NOT NULL`));
  dropColumn(work, table, from.column);
  const former = formerColumn(work, table, from.column);
  renameColumn(work, table, TEMPORARY, to.column);
  work.formerNames.set(`${table}.${to.column}`, former);
}

function columnIntoOverflow(subject: Subject, from: PlaceOf<'scalar'>, to: PlaceOf<'scalar'>): void {
  const { work, table, name } = subject;
  const column = identifier(from.column);
  const { expression } = conversionOf(subject, from, to, column);
  if (!tableOf(work, table).columns[OVERFLOW_COLUMN]) addColumn(work, table, OVERFLOW_COLUMN, 'text');
  const moved = intoOverflow(jsonPath(name), packed(to.type, expression));
  work.statements.push(update(table, OVERFLOW, moved, `${column} IS NOT NULL`));
  dropColumn(work, table, from.column);
}

function changeInOverflow(subject: Subject, from: PlaceOf<'scalar'>, to: PlaceOf<'scalar'>): void {
  const { work, table, name } = subject;
  const path = jsonPath(name);
  const { expression } = conversionOf(subject, from, to, unpacked(from.type, OVERFLOW, path));
  const changed = intoOverflow(path, packed(to.type, expression));
  if (from.type !== to.type)
    work.statements.push(update(table, OVERFLOW, changed, `${OVERFLOW} ->> ${path} IS NOT NULL`));
}

function changeScalar(subject: Subject, from: PlaceOf<'scalar'>, to: PlaceOf<'scalar'>): void {
  if (!from.overflow && !to.overflow) changeColumn(subject, from, to);
  else if (!from.overflow) columnIntoOverflow(subject, from, to);
  else if (to.overflow) changeInOverflow(subject, from, to);
  else throw new Error(`${subject.table}.${subject.name} cannot leave the overflow column`);
}

function changeComponent(subject: Subject, from: PlaceOf<'component'>, to: PlaceOf<'component'>): void {
  const { work, table, lose } = subject;
  const column = identifier(from.column);
  const set = (expression: string) => work.statements.push(update(table, column, expression, `${column} IS NOT NULL`));
  if (from.component !== to.component) {
    lose(`component ${from.component} becomes ${to.component}`, holders(subject, from));
    set('NULL');
  } else if (to.repeatable && !from.repeatable) set(`json_array(json(${column}))`);
  else if (from.repeatable && !to.repeatable) {
    const several = `json_array_length(${formerValue(subject, from)}) > 1`;
    lose('repeatable becomes single: all but the first component go', [countOf(work, table, several)]);
    set(`${column} -> '$[0]'`);
  }
}

function changeZone(subject: Subject, from: PlaceOf<'dynamiczone'>, to: PlaceOf<'dynamiczone'>): void {
  const { work, table, loseLate } = subject;
  const gone = from.components.filter((component) => !to.components.includes(component));
  if (gone.length === 0) return;
  const column = identifier(from.column);
  const kept = `value ->> '$.__component' NOT IN (${gone.map(literal).join(', ')})`;
  const former = gone.map((uid) => literal(formerComponent(work, uid))).join(', ');
  const entries = `SELECT 1 FROM json_each(${formerValue(subject, from)}) WHERE value ->> '$.__component' IN (${former})`;
  loseLate(`no longer allows ${gone.join(', ')}`, [countOf(work, table, `EXISTS (${entries})`)]);
  const rest = `(SELECT json_group_array(json(value) ORDER BY key) FROM json_each(${column}) WHERE ${kept})`;
  work.late.push(update(table, column, rest, `${column} IS NOT NULL`));
}

/** A value of the overflow column goes late; columns and link tables do, too, as the tables are compared. */
function removeKey({ work, table, name }: Subject, from: Place): void {
  if (from.kind !== 'scalar' || !from.overflow) return;
  const removed = `json_remove(${OVERFLOW}, ${jsonPath(name)})`;
  work.late.push(update(table, OVERFLOW, removed, `${OVERFLOW} ->> ${jsonPath(name)} IS NOT NULL`));
}

function remove(subject: Subject, from: Place): void {
  subject.loseLate(`removed (${nameOf(from)})`, holders(subject, from));
  removeKey(subject, from);
}

const columnOf = (place: Place): string | undefined =>
  place.kind === 'links' || (place.kind === 'scalar' && place.overflow) ? undefined : place.column;

/** Another kind of attribute under the same name starts empty. Where it takes the same column, that goes first. */
function replace(subject: Subject, from: Place, to: Place): void {
  const { work, table, lose, loseLate } = subject;
  const reason = `${nameOf(from)} becomes ${nameOf(to)}: nothing that is stored can be kept`;
  const column = columnOf(from);
  const inTheWay = column !== undefined && column === columnOf(to);
  (inTheWay ? lose : loseLate)(reason, holders(subject, from));
  if (inTheWay) dropColumn(work, table, column);
  removeKey(subject, from);
}

function change(subject: Subject, from: Place, to: Place): void {
  if (from.kind === 'scalar' && to.kind === 'scalar') changeScalar(subject, from, to);
  else if (from.kind === 'component' && to.kind === 'component') changeComponent(subject, from, to);
  else if (from.kind === 'dynamiczone' && to.kind === 'dynamiczone') changeZone(subject, from, to);
  else if (from.kind === 'links' && to.kind === 'links') changeLinks(subject, from, to);
  else replace(subject, from, to);
}

/** Adds what the attributes of one type need: `owner` is how it is called in messages. */
export function changeAttributes(work: Work, owner: string, table: string, from: Places, to: Places): void {
  for (const [name, place] of Object.entries(from)) {
    const loser = (losses: Loss[]) => (reason: string, counts: readonly string[]) =>
      void losses.push({ subject: `${owner}.${name}`, reason, counts });
    const subject = { work, table, name, lose: loser(work.losses), loseLate: loser(work.lateLosses) };
    const next = to[name];
    if (next) change(subject, place, next);
    else remove(subject, place);
  }
}

type ColumnPlace = Exclude<Place, { kind: 'links' }>;

/** SQL for the stored value of an attribute, in the form that a column of its own would hold. */
export const valueIn = (place: ColumnPlace, name: string): string =>
  place.kind === 'scalar' && place.overflow ? unpacked(place.type, OVERFLOW, jsonPath(name)) : identifier(place.column);

/** SQL that sets the stored value of an attribute in an UPDATE. @param x SQL for a value as `valueIn` reads it. */
export const setValue = (place: ColumnPlace, name: string, x: string): string =>
  place.kind === 'scalar' && place.overflow
    ? `${OVERFLOW} = ${intoOverflow(jsonPath(name), packed(place.type, x))}`
    : `${identifier(place.column)} = ${x}`;

/**
 * @module What a migration does about an attribute that was removed or is stored in another way.
 */
import { FIELDS } from '../../registry/fields.ts';
import type { ScalarType } from '../../registry/model.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { type Conversion, convert } from './convert.ts';
import type { Place, Places } from './layout.ts';
import { addColumn, dropColumn, renameColumn, tableOf, type Work } from './migration-work.ts';
import { identifier, jsonPath, literal } from './sql-text.ts';

type PlaceOf<K extends Place['kind']> = Extract<Place, { kind: K }>;

interface Subject {
  readonly work: Work;
  readonly table: string;
  readonly name: string;
  /** Says that the stored content goes, or a part of it. */
  lose(reason: string): void;
}

const TEMPORARY = 'edgewise_new';
const OVERFLOW = identifier(OVERFLOW_COLUMN);

const update = (table: string, column: string, expression: string, where: string): string =>
  `UPDATE ${identifier(table)} SET ${column} = ${expression} WHERE ${where}`;

const nameOf = (place: Place): string => (place.kind === 'scalar' ? place.type : place.kind);

/**
 * In the overflow column whole numbers of 64 bits are texts, since JSON readers round them, and so is JSON. A
 * concatenation is plain text: the result of a JSON function would go in as an object, even through a CAST.
 */
const packed = (type: ScalarType, x: string): string =>
  FIELDS[type].affinity === 'text' || type === 'biginteger' ? `(${x} || '')` : x;

const unpacked = (type: ScalarType, path: string): string =>
  type === 'biginteger' ? `CAST(${OVERFLOW} ->> ${path} AS INTEGER)` : `(${OVERFLOW} ->> ${path})`;

const intoOverflow = (path: string, x: string): string => `json_set(coalesce(${OVERFLOW}, '{}'), ${path}, ${x})`;

function conversionOf({ lose }: Subject, from: PlaceOf<'scalar'>, to: PlaceOf<'scalar'>, x: string): Conversion {
  const conversion: Conversion =
    from.type === to.type
      ? { expression: x }
      : (convert(from.type, to.type, x) ?? { expression: 'NULL', loss: 'nothing that is stored can be kept' });
  if (conversion.loss) lose(`${from.type} becomes ${to.type}: ${conversion.loss}`);
  return conversion;
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
  renameColumn(work, table, TEMPORARY, to.column);
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
  const { expression } = conversionOf(subject, from, to, unpacked(from.type, path));
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

function changeComponent({ work, table, lose }: Subject, from: PlaceOf<'component'>, to: PlaceOf<'component'>): void {
  const column = identifier(from.column);
  const set = (expression: string) => work.statements.push(update(table, column, expression, `${column} IS NOT NULL`));
  if (from.component !== to.component) {
    lose(`component ${from.component} becomes ${to.component}`);
    set('NULL');
  } else if (to.repeatable && !from.repeatable) set(`json_array(json(${column}))`);
  else if (from.repeatable && !to.repeatable) {
    lose('repeatable becomes single: all but the first component go');
    set(`${column} -> '$[0]'`);
  }
}

function changeZone({ work, table, lose }: Subject, from: PlaceOf<'dynamiczone'>, to: PlaceOf<'dynamiczone'>): void {
  const gone = from.components.filter((component) => !to.components.includes(component));
  if (gone.length === 0) return;
  lose(`no longer allows ${gone.join(', ')}`);
  const column = identifier(from.column);
  const kept = `value ->> '$.__component' NOT IN (${gone.map(literal).join(', ')})`;
  const rest = `(SELECT json_group_array(json(value) ORDER BY key) FROM json_each(${column}) WHERE ${kept})`;
  work.statements.push(update(table, column, rest, `${column} IS NOT NULL`));
}

function changeLinks({ work, lose }: Subject, from: PlaceOf<'links'>, to: PlaceOf<'links'>): void {
  const links = identifier(from.table);
  if (from.target !== to.target) {
    lose(`pointed to ${from.target}, now to ${to.target}`);
    work.statements.push(`DELETE FROM ${links}`);
  } else if (from.multiple && !to.multiple) {
    lose('can hold one document only: all but the first of several go');
    const same = ['source_document_id', 'source_locale', 'status'].map(
      (column) => `"other"."${column}" = ${links}."${column}"`,
    );
    const first = `SELECT 1 FROM ${links} AS "other" WHERE ${same.join(' AND ')} AND ("other"."position", "other"."rowid") < (${links}."position", ${links}."rowid")`;
    work.statements.push(`DELETE FROM ${links} WHERE EXISTS (${first})`);
  }
}

/** The content of a removed attribute; columns and link tables go in a later step, as the tables are compared. */
function remove({ work, table, name, lose }: Subject, from: Place): void {
  lose(`removed (${nameOf(from)})`);
  if (from.kind !== 'scalar' || !from.overflow) return;
  const path = jsonPath(name);
  work.statements.push(update(table, OVERFLOW, `json_remove(${OVERFLOW}, ${path})`, `${OVERFLOW} IS NOT NULL`));
}

/** Another kind of attribute under the same name starts empty. */
function replace(subject: Subject, from: Place, to: Place): void {
  const { work, table, name, lose } = subject;
  lose(`${nameOf(from)} becomes ${nameOf(to)}: nothing that is stored can be kept`);
  if (from.kind === 'links') return;
  if (from.kind !== 'scalar' || !from.overflow) dropColumn(work, table, from.column);
  else
    work.statements.push(
      update(table, OVERFLOW, `json_remove(${OVERFLOW}, ${jsonPath(name)})`, `${OVERFLOW} IS NOT NULL`),
    );
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
    const lose = (reason: string) => work.losses.push({ subject: `${owner}.${name}`, reason });
    const subject = { work, table, name, lose };
    const next = to[name];
    if (next) change(subject, place, next);
    else remove(subject, place);
  }
}

/**
 * @module What a migration does about an attribute that was removed or is stored in another way.
 */
import { FIELDS } from '../../registry/fields.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { identifier, jsonPath } from '../core/sql/sql-text.ts';
import { changeComponent, type Lose, removeEntries } from './component-edits.ts';
import { convert, isSameForm } from './convert.ts';
import { type BlocksPlace, isBlocks, type Place } from './layout.ts';
import { changeLinks } from './link-changes.ts';
import {
  addColumn,
  countOf,
  dropColumn,
  formerColumn,
  type Loss,
  renameColumn,
  tableOf,
  type Work,
} from './migration-work.ts';
import {
  formerValue,
  holders,
  intoOverflow,
  OVERFLOW,
  packed,
  removeKey,
  type Subject,
  subjectsOf,
  unpacked,
} from './stored-values.ts';

type Scalar = Extract<Place, { kind: 'scalar' }>;

const TEMPORARY = 'edgewise_new';

const update = (table: string, column: string, expression: string, where = `${column} IS NOT NULL`): string =>
  `UPDATE ${identifier(table)} SET ${column} = ${expression} WHERE ${where}`;

const note = (losses: Loss[], { owned: subject }: Subject, reason: string, count: string): void =>
  void losses.push({ subject, reason, counts: [count] });

/** SQL for the value after a change of type; notes what does not survive. @param x SQL for the value before it. */
function converted(subject: Subject, from: Scalar, to: Scalar, x: string): string {
  if (from.type === to.type) return x;
  const { work, table } = subject;
  const value = formerValue(subject, from);
  const { loss } = convert(from.type, to.type, value);
  const change = `${from.type} becomes ${to.type}`;
  const where = `${value} IS NOT NULL AND (${loss?.where})`;
  if (loss) note(work.losses, subject, `${change}: ${loss.reason}`, countOf(work, table, where));
  if (!isSameForm(from.type, to.type)) note(work.conversions, subject, change, holders(subject, from));
  return convert(from.type, to.type, x).expression;
}

function changeColumn({ work, table }: Subject, from: Scalar, to: Scalar, expression: string): void {
  const column = identifier(from.column);
  const { affinity } = FIELDS[to.type];
  if (tableOf(work, table).columns[from.column]?.type === affinity) {
    if (expression !== column) work.statements.push(update(table, column, expression));
    return;
  }
  addColumn(work, table, TEMPORARY, affinity);
  work.statements.push(update(table, identifier(TEMPORARY), expression, `${column} IS NOT NULL`));
  dropColumn(work, table, from.column);
  const former = formerColumn(work, table, from.column);
  renameColumn(work, table, TEMPORARY, to.column);
  work.formerNames.set(`${table}.${to.column}`, former);
}

/** A value may move into the overflow column; none leaves it. */
function changeScalar(subject: Subject, from: Scalar, to: Scalar): void {
  const { work, table, name } = subject;
  const path = jsonPath(name);
  const stored = from.overflow ? unpacked(from.type, OVERFLOW, path) : identifier(from.column);
  const expression = converted(subject, from, to, stored);
  if (!to.overflow) changeColumn(subject, from, to, expression);
  if (!to.overflow || (from.overflow && from.type === to.type)) return;
  if (!tableOf(work, table).columns[OVERFLOW_COLUMN]) addColumn(work, table, OVERFLOW_COLUMN, 'text');
  const held = `${from.overflow ? `${OVERFLOW} ->> ${path}` : stored} IS NOT NULL`;
  work.statements.push(update(table, OVERFLOW, intoOverflow(path, packed(to.type, expression)), held));
  if (!from.overflow) dropColumn(work, table, from.column);
}

/** Components and zones change as those inside other components, but a column holds NULL for none. */
function changeBlocks(subject: Subject, from: BlocksPlace, to: BlocksPlace): void {
  const { work, table } = subject;
  const value = formerValue(subject, from);
  const isLate = from.kind === 'dynamiczone';
  const lose: Lose = (reason, { goes, isKept } = {}) => {
    const losses = isLate ? work.lateLosses : work.losses;
    const count = goes ? countOf(work, table, goes(value)) : holders(subject, from);
    note(isKept ? work.conversions : losses, subject, reason, count);
  };
  const convert =
    from.kind === 'component'
      ? to.kind === 'component' && changeComponent(from, to, lose)
      : to.kind === 'dynamiczone' && removeEntries(from, to, lose, work);
  if (!convert) return;
  const column = identifier(from.column);
  (isLate ? work.late : work.statements).push(update(table, column, `nullif(${convert(column)}, 'null')`));
}

const nameOf = (place: Place): string => (place.kind === 'scalar' ? place.type : place.kind);

const columnOf = (place: Place): string | undefined =>
  place.kind === 'links' || (place.kind === 'scalar' && place.overflow) ? undefined : place.column;

/**
 * Another kind of attribute under the same name starts empty. Where it takes the same column, that goes first. Values of the
 * overflow column go late; columns and link tables do, too, as the tables are compared.
 */
function remove(subject: Subject, from: Place, to: Place | undefined): void {
  const { work, table, name } = subject;
  const column = columnOf(from);
  const inTheWay = to !== undefined && column !== undefined && column === columnOf(to);
  const reason = to ? `${nameOf(from)} becomes ${nameOf(to)}: no stored value is kept` : `removed (${nameOf(from)})`;
  note(inTheWay ? work.losses : work.lateLosses, subject, reason, holders(subject, from));
  if (inTheWay) dropColumn(work, table, column);
  if (from.kind === 'scalar' && from.overflow) work.late.push(removeKey(table, name));
}

/** Adds what the attributes of all types need. */
export function changeAttributes(work: Work): void {
  for (const { from, to, ...subject } of subjectsOf(work))
    if (from.kind === 'scalar' && to?.kind === 'scalar') changeScalar(subject, from, to);
    else if (from.kind === 'links' && to?.kind === 'links') changeLinks(work, subject.owned, from, to);
    else if (isBlocks(from) && to && isBlocks(to) && from.kind === to.kind) changeBlocks(subject, from, to);
    else remove(subject, from, to);
}

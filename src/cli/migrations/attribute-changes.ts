/**
 * @module What a migration does about an attribute that was removed or is stored in another way.
 */
import { FIELDS } from '../../registry/fields.ts';
import type { ScalarType } from '../../registry/model.ts';
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { identifier, jsonPath, literal } from '../core/sql/sql-text.ts';
import { type Conversion, convert, isSameForm, NOT_CONVERTED } from './convert.ts';
import type { Place, Places } from './layout.ts';
import { changeLinks } from './link-changes.ts';
import {
  addColumn,
  countOf,
  dropColumn,
  formerColumn,
  formerComponent,
  type Loss,
  renameColumn,
  tableOf,
  type Work,
} from './migration-work.ts';
import {
  type ColumnPlace,
  formerValue,
  holders,
  intoOverflow,
  OVERFLOW,
  packed,
  removeKey,
  unpacked,
} from './stored-values.ts';

type PlaceOf<K extends Place['kind']> = Extract<Place, { kind: K }>;

interface Subject {
  readonly work: Work;
  readonly table: string;
  readonly name: string;
  /** What it is called in messages: `article.lead`. */
  readonly owned: string;
  /** Says that the stored content goes, or a part of it. @param counts statements that count the rows which hold it. */
  lose(reason: string, counts: readonly string[]): void;
  /** The same of what goes when only the version from before has read it. */
  loseLate(reason: string, counts: readonly string[]): void;
}

const TEMPORARY = 'edgewise_new';

const update = (table: string, column: string, expression: string, where: string): string =>
  `UPDATE ${identifier(table)} SET ${column} = ${expression} WHERE ${where}`;

const nameOf = (place: Place): string => (place.kind === 'scalar' ? place.type : place.kind);

const heldIn = ({ work, table, name }: Subject, from: ColumnPlace): string => formerValue(work, table, name, from);

const holdersOf = ({ work, table, name }: Subject, from: Place): readonly string[] => holders(work, table, name, from);

const NOTHING: Conversion = {
  expression: 'NULL',
  loss: { reason: NOT_CONVERTED, where: '1' },
};

const conversionBetween = (from: ScalarType, to: ScalarType, x: string): Conversion =>
  from === to ? { expression: x } : (convert(from, to, x) ?? NOTHING);

/** The values take another form, of which the reverse need not make what they were. */
function convertHeld(subject: Subject, reason: string, from: Place): void {
  subject.work.conversions.push({ subject: subject.owned, reason, counts: holdersOf(subject, from) });
}

function conversionOf(subject: Subject, from: PlaceOf<'scalar'>, to: PlaceOf<'scalar'>, x: string): Conversion {
  const { work, table, lose } = subject;
  const value = heldIn(subject, from);
  const { loss } = conversionBetween(from.type, to.type, value);
  const where = `${value} IS NOT NULL AND (${loss?.where})`;
  if (loss) lose(`${from.type} becomes ${to.type}: ${loss.reason}`, [countOf(work, table, where)]);
  if (!isSameForm(from.type, to.type)) convertHeld(subject, `${from.type} becomes ${to.type}`, from);
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
  if (from.repeatable !== to.repeatable)
    convertHeld(subject, from.repeatable ? 'repeatable becomes single' : 'single becomes repeatable', from);
  if (from.component !== to.component) {
    lose(`component ${from.component} becomes ${to.component}`, holdersOf(subject, from));
    set('NULL');
  } else if (to.repeatable && !from.repeatable) set(`json_array(json(${column}))`);
  else if (from.repeatable && !to.repeatable) {
    const several = `json_array_length(${heldIn(subject, from)}) > 1`;
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
  const entries = `SELECT 1 FROM json_each(${heldIn(subject, from)}) WHERE value ->> '$.__component' IN (${former})`;
  loseLate(`no longer allows ${gone.join(', ')}`, [countOf(work, table, `EXISTS (${entries})`)]);
  const rest = `(SELECT json_group_array(json(value) ORDER BY key) FROM json_each(${column}) WHERE ${kept})`;
  work.late.push(update(table, column, rest, `${column} IS NOT NULL`));
}

/** A value of the overflow column goes late; columns and link tables do, too, as the tables are compared. */
function removeLate({ work, table, name }: Subject, from: Place): void {
  if (from.kind === 'scalar' && from.overflow) work.late.push(removeKey(table, name));
}

function remove(subject: Subject, from: Place): void {
  subject.loseLate(`removed (${nameOf(from)})`, holdersOf(subject, from));
  removeLate(subject, from);
}

const columnOf = (place: Place): string | undefined =>
  place.kind === 'links' || (place.kind === 'scalar' && place.overflow) ? undefined : place.column;

/** Another kind of attribute under the same name starts empty. Where it takes the same column, that goes first. */
function replace(subject: Subject, from: Place, to: Place): void {
  const { work, table, lose, loseLate } = subject;
  const reason = `${nameOf(from)} becomes ${nameOf(to)}: nothing that is stored can be kept`;
  const column = columnOf(from);
  const inTheWay = column !== undefined && column === columnOf(to);
  (inTheWay ? lose : loseLate)(reason, holdersOf(subject, from));
  if (inTheWay) dropColumn(work, table, column);
  removeLate(subject, from);
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
    const owned = `${owner}.${name}`;
    const loser = (losses: Loss[]) => (reason: string, counts: readonly string[]) =>
      void losses.push({ subject: owned, reason, counts });
    const subject = { work, table, name, owned, lose: loser(work.losses), loseLate: loser(work.lateLosses) };
    const next = to[name];
    if (next) change(subject, place, next);
    else remove(subject, place);
  }
}

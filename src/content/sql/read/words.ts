/**
 * @module `search` → conditions and ranks of rows, from the texts of the row alone. The SQL is as long for many words as
 * for one: their forms are one parameter.
 */
import { type SQL, sql } from 'drizzle-orm';
import { isLong, SEPARATORS } from '../../../common/words.ts';
import type { ScalarAttribute } from '../../../schema/model.ts';
import { searchTable } from '../../../schema/names.ts';
import type { Condition, WordSearch } from '../../plan/model/read-plan.ts';
import { balanced, columnOf, commaList, integer, literal } from '../pieces.ts';
import { comparable, type RowScope, rowScope, type Scope } from '../scope.ts';
import { compileVersions } from '../versions.ts';
import { matchOfWords } from './trigrams.ts';
import { type WordForm, wordForms } from './word-forms.ts';

type Compile = (condition: Condition, scope: Scope) => SQL;

const TEXT = sql`"$text"."text"`;

/** A value of a form. */
const formValue = (name: keyof WordForm): SQL => sql`"$form".${sql.identifier(name)}`;

/** Texts that each follow a line break and a space; `substr` ends them at a NUL, as LIKE does. */
function textOf(attributes: readonly ScalarAttribute[], scope: RowScope): SQL {
  const texts = attributes.map(
    (attribute) => sql`char(10) || ' ' || coalesce(substr(${comparable(attribute, scope)}, 1), '')`,
  );
  return sql`${balanced(texts, '||')} || ' '`;
}

/**
 * Does the text of the form follow a separator? Looks at each place where it stands, and copies the rest of the text: only of
 * texts that have it behind more than letters.
 */
const startsWord = sql`exists (
  with recursive "$place" ("before", "rest") as (
    select '', lower(${TEXT}) where coalesce(lower(${TEXT}) glob ${formValue('behind')}, 1)
    union all
    select substr("rest", instr("rest", ${formValue('text')}) - 1, 1),
      substr("rest", instr("rest", ${formValue('text')}) + length(${formValue('text')}))
    from "$place" where instr("rest", ${formValue('text')}) > 0
  )
  select 1 from "$place" where "before" glob +${`[${SEPARATORS}]`}
)`;

/** A form of a word, beginning with what takes the least time. */
const isThere = sql`coalesce(${TEXT} like ${formValue('letters')}, 1) and (
  ${TEXT} like ${formValue('start')} or lower(${TEXT}) glob ${formValue('inner')} or ${startsWord}
)`;

const VALUES = [
  'letters',
  'start',
  'inner',
  'text',
  'behind',
  'led',
  'alone',
  'first',
] as const satisfies (keyof WordForm)[];

const isOfWord = sql`"$form"."word" = "$word"."word"`;

/** Forms with a condition, as SQL behind `from`: all in which words are looked for, and the words as they are. */
const FORMS = sql`"$form" where 1`;
const EXACT_FORMS = sql`"$any" as "$form" where ${formValue('inner')} is null`;

/** Has the text each word in one of these forms? */
function hasWords({ texts }: WordSearch, forms: SQL, scope: RowScope): SQL {
  const text = textOf(
    texts.flatMap(({ attributes }) => attributes),
    scope,
  );
  return sql`not exists (
    select 1
    from (select ${text} as "text" limit 1) as "$text" cross join "$word"
    where not exists (select 1 from ${forms} and ${isOfWord} and ${isThere})
  )`;
}

/** May a row be found? */
const findsSome = ({ words, texts }: WordSearch): boolean => words.length > 0 && texts.length > 0;

/** May a row be nearly found? */
export const hasNear = (search: WordSearch): boolean => findsSome(search) && search.words.some(isLong);

/** Is any row found with the words as they are? */
export const isFound = sql`exists (select 1 from "$found")`;

/** One row that has the words as they are, of those that the caller may see. */
function oneFound(search: WordSearch, compile: Compile): SQL {
  const { type, visible, versions, words } = search;
  const found = '$candidate';
  const scope = rowScope(type, found);
  const index = sql.identifier(searchTable(type.table));
  const terms = [
    sql`${index} match ${matchOfWords(words, false) ?? null}`,
    ...compileVersions(versions, found),
    ...(visible ? [compile(visible, scope)] : []),
    hasWords(search, EXACT_FORMS, scope),
  ];
  return sql`
    select 1
    from ${index} cross join ${sql.identifier(type.table)} as ${sql.identifier(found)}
      on ${columnOf(found, 'id')} = ${index}."rowid"
    where ${balanced(terms, 'and')}
    limit 1`;
}

/**
 * Returns the tables of a statement that searches: of the words, and of the forms in which they are looked for; others
 * than they have only if no row has those. SQLite makes each once, and would read JSON again for each row.
 */
export function wordTables(search: WordSearch, compile: Compile): readonly SQL[] {
  if (!findsSome(search)) return [];
  const isNear = hasNear(search);
  const values = VALUES.map((name) => sql`"$f"."value" ->> ${literal(name)} as ${sql.identifier(name)}`);
  const forms = sql`
    select "$w"."key" as "word", ${commaList(values)}
    from json_each(${JSON.stringify(wordForms(search.words, isNear))}) as "$w" cross join json_each("$w"."value") as "$f"`;
  const indexes = JSON.stringify(search.words.map((_, index) => index));
  const words = sql`"$word" as materialized (select "value" as "word" from json_each(${indexes}))`;
  if (!isNear) return [sql`"$form" as materialized (${forms})`, words];
  return [
    sql`"$any" as materialized (${forms})`,
    words,
    sql`"$found" as materialized (${oneFound(search, compile)})`,
    sql`"$form" as materialized (select * from "$any" where "inner" is null or not ${isFound})`,
  ];
}

/** A text without words finds nothing, and so does a caller who may see none of the attributes. */
export const compileWords = (search: WordSearch, scope: RowScope): SQL =>
  findsSome(search) ? hasWords(search, FORMS, scope) : sql`0`;

/** Times that a word counts in the texts of one weight. */
const MAX_TIMES = 5;

/**
 * What the words are worth in texts of one weight. Each has 1 if its letters are there, 1 for each time that it begins a
 * word behind a space or a line break, 4 if it is such a word, and 2 if a text begins with it.
 */
function compileWordRank(text: SQL): SQL {
  const lower = sql`replace(lower(${text}), char(10), ' ')`;
  const times = sql`(length(${text}) - length(replace(${lower}, ${formValue('led')}, ''))) / length(${formValue('led')})`;
  return sql`(
    select min(1, total(${text} like ${formValue('letters')})) + total(
      coalesce(min(${integer(MAX_TIMES)}, ${times}), 0)
      + 4 * coalesce(${lower} glob ${formValue('alone')}, 0)
      + 2 * coalesce(${text} like ${formValue('first')}, 0)
    )
    from "$form" where ${isOfWord}
  )`;
}

/** The rank of a row, higher for a better one. */
export function compileRank(search: WordSearch, scope: RowScope): SQL {
  // In `order by`, a number alone would be that of a column.
  if (!findsSome(search)) return integer(0);
  const texts = search.texts.map(({ weight, attributes }) => ({
    weight,
    attributes,
    name: sql.identifier(`$text${weight}`),
  }));
  const columns = texts.map(({ attributes, name }) => sql`${textOf(attributes, scope)} as ${name}`);
  const terms = texts.map(({ weight, name }) => sql`${integer(weight)} * ${compileWordRank(sql`"$texts".${name}`)}`);
  return sql`(
    select cast(total(${balanced(terms, '+')}) as integer)
    from (select ${commaList([sql`1`, ...columns])} limit 1) as "$texts" cross join "$word"
  )`;
}

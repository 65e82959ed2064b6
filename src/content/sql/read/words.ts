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
const of = (name: keyof WordForm): SQL => sql`"$form".${sql.identifier(name)}`;

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
    select '', lower(${TEXT}) where coalesce(lower(${TEXT}) glob ${of('behind')}, 1)
    union all
    select substr("rest", instr("rest", ${of('text')}) - 1, 1),
      substr("rest", instr("rest", ${of('text')}) + length(${of('text')}))
    from "$place" where instr("rest", ${of('text')}) > 0
  )
  select 1 from "$place" where "before" glob ${`[${SEPARATORS}]`}
)`;

/** A form of a word, beginning with what takes the least time. */
const isThere = sql`coalesce(${TEXT} like ${of('letters')}, 1) and (
  ${TEXT} like ${of('start')} or lower(${TEXT}) glob ${of('inner')} or ${startsWord}
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

/**
 * Tables of the words and of their forms: SQLite makes them once, and would read JSON again for each row. A distinct count
 * of words would make another table for each row.
 */
function withForms({ words }: WordSearch, forms: SQL): SQL {
  const values = VALUES.map((name) => sql`"$f"."value" ->> ${literal(name)} as ${sql.identifier(name)}`);
  const indexes = JSON.stringify(words.map((_, index) => index));
  return sql`with "$word" as materialized (select "value" as "word" from json_each(${indexes})),
    "$form" as materialized (
      select "$w"."key" as "word", ${commaList(values)}
      from json_each(${forms}) as "$w" cross join json_each("$w"."value") as "$f"
    )`;
}

const isOfWord = sql`"$form"."word" = "$word"."word"`;

/** Has the text each word in one of its forms? */
function hasWords(search: WordSearch, forms: SQL, scope: RowScope): SQL {
  const text = textOf(
    search.texts.flatMap(({ attributes }) => attributes),
    scope,
  );
  return sql`not exists (
    ${withForms(search, forms)}
    select 1
    from (select ${text} as "text" limit 1) as "$text" cross join "$word"
    where not exists (select 1 from "$form" where ${isOfWord} and ${isThere})
  )`;
}

const formsOf = ({ words }: WordSearch, isNear: boolean): SQL => sql`${JSON.stringify(wordForms(words, isNear))}`;

/** May a row be nearly found? */
export const hasNear = ({ words }: WordSearch): boolean => words.some(isLong);

/** Is any row found with the words as they are? */
export function isFound(search: WordSearch, compile: Compile): SQL {
  const { type, visible, versions, words } = search;
  const found = '$found';
  const scope = rowScope(type, found);
  const index = sql.identifier(searchTable(type.table));
  const terms = [
    sql`${index} match ${matchOfWords(words, false) ?? null}`,
    ...compileVersions(versions, found),
    ...(visible ? [compile(visible, scope)] : []),
    hasWords(search, formsOf(search, false), scope),
  ];
  return sql`exists (
    select 1
    from ${index} cross join ${sql.identifier(type.table)} as ${sql.identifier(found)}
      on ${columnOf(found, 'id')} = ${index}."rowid"
    where ${balanced(terms, 'and')}
  )`;
}

/** The forms in which the words are looked for: others only if no row has those that they have. */
const formsFor = (search: WordSearch, compile: Compile): SQL =>
  hasNear(search)
    ? sql`iif(${isFound(search, compile)}, ${formsOf(search, false)}, ${formsOf(search, true)})`
    : formsOf(search, false);

/** A text without words finds nothing, and so does a caller who may see none of the attributes. */
export const compileWords = (search: WordSearch, scope: RowScope, compile: Compile): SQL =>
  search.words.length === 0 || search.texts.length === 0 ? sql`0` : hasWords(search, formsFor(search, compile), scope);

/** Times that a word counts in the texts of one weight. */
const MAX_TIMES = 5;

/**
 * What the words are worth in texts of one weight. Each has 1 if its letters are there, 1 for each time that it begins a
 * word behind a space or a line break, 4 if it is such a word, and 2 if a text begins with it.
 */
function compileWordRank(text: SQL): SQL {
  const lower = sql`replace(lower(${text}), char(10), ' ')`;
  const times = sql`(length(${text}) - length(replace(${lower}, ${of('led')}, ''))) / length(${of('led')})`;
  return sql`(
    select min(1, total(${text} like ${of('letters')})) + total(
      coalesce(min(${integer(MAX_TIMES)}, ${times}), 0)
      + 4 * coalesce(${lower} glob ${of('alone')}, 0)
      + 2 * coalesce(${text} like ${of('first')}, 0)
    )
    from "$form" where ${isOfWord}
  )`;
}

/** The rank of a row, higher for a better one. */
export function compileRank(search: WordSearch, scope: RowScope, compile: Compile): SQL {
  const texts = search.texts.map(({ weight, attributes }) => ({
    weight,
    attributes,
    name: sql.identifier(`$text${weight}`),
  }));
  const columns = texts.map(({ attributes, name }) => sql`${textOf(attributes, scope)} as ${name}`);
  const terms = texts.map(({ weight, name }) => sql`${integer(weight)} * ${compileWordRank(sql`"$texts".${name}`)}`);
  return sql`(
    ${withForms(search, formsFor(search, compile))}
    select cast(total(${balanced(terms, '+')}) as integer)
    from (select ${commaList([sql`1`, ...columns])} limit 1) as "$texts" cross join "$word"
  )`;
}

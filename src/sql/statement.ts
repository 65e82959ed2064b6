/**
 * @module Drizzle fragments → Statement, inside D1's limits on parameters.
 */
import { Name, SQL, StringChunk, sql } from 'drizzle-orm';

export interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
  /** The same, with the whole answer measured first: for when it is said to exceed its fair share. */
  readonly measured?: () => Statement;
  /** Tells nothing of content, and costs next to nothing: asked for anybody. */
  readonly open?: true;
  /** Which index would serve it, for when it reads many rows. */
  readonly advice?: () => string | undefined;
}

/** The code of an answer that exceeds its fair share. */
export const SHARE = 'SHARE';

/** D1 binds at most 100 (https://developers.cloudflare.com/d1/platform/limits/); the guard of a credential needs some. */
export const MAX_PARAMETERS = 90;

const LINE_BREAK = /(\()?\n\s*(\))?/g;
const lines = new Map<string, string>();

/** The text of a template as one line: line breaks and what indents are for its readers. There are so many templates. */
function oneLine(text: string): string {
  if (!text.includes('\n')) return text;
  const line = lines.get(text) ?? text.replaceAll(LINE_BREAK, (_, open = '', close = '') => open + close || ' ');
  lines.set(text, line);
  return line;
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Writes the chunks of a fragment one after the other: text, names, fragments within; what is neither is a value. The
 * library's own writer makes an object of each chunk and merges them level by level, which takes longer than D1 does.
 */
function render(fragment: SQL, placeholder: (index: number) => string): Statement {
  const params: unknown[] = [];
  let text = '';
  const visit = (chunk: unknown): void => {
    if (chunk instanceof SQL) chunk.queryChunks.forEach(visit);
    else if (chunk instanceof StringChunk) for (const part of chunk.value) text += oneLine(part);
    else if (chunk instanceof Name) text += quote(chunk.value);
    else text += placeholder(params.push(chunk) - 1);
  };
  visit(fragment);
  return { sql: text.trimStart(), params };
}

/** Values that are too many to bind travel as one JSON list; `->>` keeps them text, integer, real or null. */
export function toStatement(fragment: SQL): Statement {
  const plain = render(fragment, () => '?');
  if (plain.params.length <= MAX_PARAMETERS) return plain;
  const packed = render(fragment, (index) => `(?1->>'$[${index}]')`);
  return { sql: packed.sql, params: [JSON.stringify(packed.params)] };
}

const PLAIN = /^[\w:. "$-]+$/;

/**
 * A text of the registry as a constant, where a value would take one of few parameters.
 * @throws Error for a text that could end the constant
 */
export function constant(text: string): SQL {
  if (!PLAIN.test(text)) throw new Error(`no name of the registry: ${text}`);
  return new SQL([new StringChunk(`'${text}'`)]);
}

export const identifier = (name: string): SQL => sql`${sql.identifier(name)}`;

/** A statement names its columns again and again; names are those of the registry, so there are few. */
const columnsOf = new Map<string, Map<string, SQL>>();

/** `"table"."column"` */
export function columnOf(table: string, column: string): SQL {
  const columns = columnsOf.get(table) ?? new Map<string, SQL>();
  const known = columns.get(column) ?? sql`${sql.identifier(table)}.${sql.identifier(column)}`;
  columnsOf.set(table, columns.set(column, known));
  return known;
}

/** A list as rows of one column `value`, bound as one parameter. */
export const valuesOf = (list: readonly unknown[]): SQL => sql`(select value from json_each(${JSON.stringify(list)}))`;

export const commaList = (fragments: readonly SQL[]): SQL => sql.join([...fragments], sql`, `);

const OPERATORS = { and: sql` and `, or: sql` or `, '+': sql` + `, '||': sql` || ` } as const;
const OF_NOTHING = { and: sql`1`, or: sql`0`, '+': sql`0`, '||': sql`''` } as const;

/** Binary tree of one operator: SQLite counts a chain of n operators as depth n, and stops at 100. */
export function balanced(fragments: readonly SQL[], operator: keyof typeof OPERATORS): SQL {
  const [first, second] = fragments;
  if (!first) return OF_NOTHING[operator];
  if (!second) return first;
  const middle = Math.ceil(fragments.length / 2);
  const left = balanced(fragments.slice(0, middle), operator);
  const right = balanced(fragments.slice(middle), operator);
  return sql`(${left}${OPERATORS[operator]}${right})`;
}

/** Aborts the batch where `holds` is false: a JSON path that does not parse is an error of the statement that runs. */
export const assert = (holds: SQL, code: string): SQL => sql`select iif(${holds}, 1, json_extract('{}', ${code}))`;

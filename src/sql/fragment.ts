/**
 * @module Pieces of SQL: text, in which a mark stands for each value, and the values. What is put into a template is
 * another piece, or a value; so no value ever becomes text.
 *
 * Written down as they are put together: a populated read has hundreds of pieces, and to make an object of each and to
 * visit them afterwards, as drizzle-orm's `sql` does, takes as long as D1 takes to compile the statement.
 */

/** Stands for a value, in the order of the values. */
export const MARK = '?';

const NOTHING: readonly unknown[] = [];

export class SQL {
  readonly text: string;
  readonly values: readonly unknown[];
  constructor(text: string, values: readonly unknown[]) {
    this.text = text;
    this.values = values;
  }
}

const LINE_BREAK = /(\()?\n\s*(\))?/g;

/** Line breaks and what indents are for the readers of a template. */
const oneLine = (text: string): string =>
  text.includes('\n') ? text.replaceAll(LINE_BREAK, (_, open = '', close = '') => open + close || ' ') : text;

const templates = new WeakMap<TemplateStringsArray, readonly string[]>();

/** @throws Error for a template with a mark of its own */
function textsOf(strings: TemplateStringsArray): readonly string[] {
  const known = templates.get(strings);
  if (known) return known;
  if (strings.some((text) => text.includes(MARK))) throw new Error(`a mark in a template: ${strings.join('…')}`);
  const texts = strings.map(oneLine);
  templates.set(strings, texts);
  return texts;
}

/** A template: pieces stay pieces, everything else is a value. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): SQL {
  const texts = textsOf(strings);
  let text = texts[0] as string;
  let values = NOTHING;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    const isPiece = part instanceof SQL;
    const added = isPiece ? part.values : [part];
    if (added.length > 0) values = values.length > 0 ? [...values, ...added] : added;
    text += (isPiece ? part.text : MARK) + texts[index + 1];
  }
  return new SQL(text, values);
}

export function join(pieces: readonly SQL[], separator: ', ' | ' union all '): SQL {
  const values = pieces.flatMap((piece) => piece.values);
  return new SQL(pieces.map(({ text }) => text).join(separator), values);
}

const identifiers = new Map<string, SQL>();

/**
 * A name, quoted. Names are those of the registry and a few of our own: there are not many.
 * @throws Error for a name with a mark
 */
export function identifier(name: string): SQL {
  const known = identifiers.get(name);
  if (known) return known;
  if (name.includes(MARK)) throw new Error(`a mark in a name: ${name}`);
  const made = new SQL(`"${name.replaceAll('"', '""')}"`, NOTHING);
  identifiers.set(name, made);
  return made;
}

const PLAIN = /^[\w:. "$-]+$/;

/**
 * A text of the registry as a constant, where a value would take one of few parameters.
 * @throws Error for a text that could end the constant
 */
export function constant(text: string): SQL {
  if (!PLAIN.test(text)) throw new Error(`no name of the registry: ${text}`);
  return new SQL(`'${text}'`, NOTHING);
}

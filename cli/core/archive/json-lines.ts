/**
 * @module Bytes → lines of JSON. Lines end at `\n` alone: U+2028, U+2029 and U+0085 stand raw inside of texts.
 */
import { UserError } from '../terminal.ts';

/** A line is an entity with all that is in it, and a row of D1 holds 2 MB. */
const LONGEST = 64 * 1024 * 1024;

/**
 * The lines of a file, as many at once as each chunk completes.
 * @throws UserError for a line that no archive has.
 */
export async function* linesOf(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  // Joined once: a long line comes in many chunks.
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    pieces.push(first);
    length += first.length;
    if (length > LONGEST) throw new UserError(`${name} has a line of more than ${LONGEST} characters`);
    const rest = others.pop();
    if (rest === undefined) continue;
    yield [pieces.join(''), ...others];
    pieces = [rest];
    length = rest.length;
  }
  if (length > 0) yield [pieces.join('')];
}

export function parseLine(line: string, name: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new UserError(`${name}, line ${number}: no JSON; ${(error as Error).message.slice(0, 120)}`);
  }
}
